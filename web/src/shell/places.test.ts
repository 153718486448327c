import { describe, expect, it } from 'vitest';
import { PLACES, placeOf } from './places.ts';

describe('the place of an address', () => {
  it('is the screen itself, or the list that a screen belongs to', () => {
    for (const place of PLACES) expect(placeOf(place.to)).toBe(place);
    expect(placeOf('/calls/42')?.name).toBe('Calls');
    expect(placeOf('/settings/requests/7')?.name).toBe('API requests');
  });

  it('is none for an address that no screen has', () => {
    expect(placeOf('/welcome')).toBeNull();
    expect(placeOf('/callsign')).toBeNull();
  });
});
