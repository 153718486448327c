import { expect, it, vi } from 'vitest';
import { countryOfZone, homeCountry, zoneOf, zonesOf } from './home-country.ts';

it('begins with the country whose clock the browser has, however its language is set', () => {
  expect(homeCountry('Asia/Kolkata', 'en-GB')).toBe('IN');
  expect(homeCountry('America/New_York', 'en-US')).toBe('US');
  expect(homeCountry('Europe/Berlin', 'de-DE')).toBe('DE');
});

it('knows the zones of a country, and keeps the reader’s where the country has it', () => {
  expect(zonesOf('IN')).toEqual(['Asia/Kolkata']);
  expect(zonesOf('US').length).toBeGreaterThan(3);
  expect(zoneOf('US', 'America/Chicago')).toBe('America/Chicago');
  expect(zoneOf('DE', 'Asia/Kolkata')).toBe('Europe/Berlin');
  expect(zoneOf('', 'Asia/Kolkata')).toBe('Asia/Kolkata');
});

it('asks the browser once for the country of a zone, and never for that of UTC', () => {
  const asked = vi.spyOn(Intl, 'Locale');
  expect(countryOfZone('America/New_York')).toBe('US');
  expect(asked).toHaveBeenCalled();
  asked.mockClear();
  expect(countryOfZone('America/New_York')).toBe('US');
  expect(countryOfZone('UTC')).toBe('');
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

it('begins a country of several zones where most of its people live', () => {
  expect(zoneOf('US', 'UTC')).toBe('America/New_York');
  expect(zoneOf('ES', 'Asia/Kolkata')).toBe('Europe/Madrid');
  expect(zoneOf('PT', 'UTC')).toBe('Europe/Lisbon');
  expect(zoneOf('AU', 'UTC')).toBe('Australia/Sydney');
});
