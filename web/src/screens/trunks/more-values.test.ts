import { expect, it } from 'vitest';
import { hasMoreSettings, isAboutMore } from './more-values.ts';
import { PRESETS, withPreset } from './presets.ts';
import { valuesOf } from './trunk-values.ts';

const PLAIN = valuesOf(null);

it('folds settings away that are as those of a new trunk', () => {
  expect(hasMoreSettings(PLAIN)).toBe(false);
  const account = { name: 'carrier', uri: 'sip:sip.example.com', username: 'account', password: 'secret' };
  expect(hasMoreSettings({ ...PLAIN, ...account, isRegistered: true, maxCalls: '5' })).toBe(false);
});

it('shows them once one differs', () => {
  for (const change of [
    { gateways: 'sip:192.0.2.1' },
    { acceptsRefer: true },
    { dtmf: 'info' },
    { headers: 'X: 1' },
  ])
    expect(hasMoreSettings({ ...PLAIN, ...change })).toBe(true);
  const carriers = PRESETS.filter(({ id }) => hasMoreSettings(withPreset(PLAIN, id))).map(({ id }) => id);
  expect(carriers).toEqual(['twilio', 'exotel']);
});

it('shows them when the service refuses one of them', () => {
  expect(isAboutMore(['outgoing.calling_code'])).toBe(true);
  expect(isAboutMore(['uri', 'gateways[0].uri'])).toBe(true);
  expect(isAboutMore(['trunk_name', 'uri', 'password', 'max_calls'])).toBe(false);
  expect(isAboutMore([])).toBe(false);
});
