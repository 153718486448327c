import { expect, it } from 'vitest';
import { srtpWarnings } from './srtp-warnings.ts';

it('warns of each trunk whose SRTP keys travel in clear signalling, and of no other', () => {
  const warnings = srtpWarnings([
    { name: 'plain', srtp: 'off' },
    { name: 'carrier', srtp: 'optional' },
    { name: 'pbx', srtp: 'required' },
  ]);
  expect(warnings.map(({ code, message }) => [code, message.split(',')[0]])).toEqual([
    ['SRTP_KEYS_IN_CLEAR', 'is optional on carrier'],
    ['SRTP_KEYS_IN_CLEAR', 'is required on pbx'],
  ]);
});
