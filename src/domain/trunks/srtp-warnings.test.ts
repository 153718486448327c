import { expect, it } from 'vitest';
import { srtpWarnings } from './srtp-warnings.ts';

it('warns of each trunk whose SRTP keys travel in clear signalling, and of no other', () => {
  const warnings = srtpWarnings([
    { name: 'plain', srtp: 'off', transport: 'udp' },
    { name: 'secret', srtp: 'required', transport: 'tls' },
    { name: 'carrier', srtp: 'optional', transport: null },
    { name: 'pbx', srtp: 'required', transport: 'tcp' },
  ]);
  expect(warnings.map(({ code, message }) => [code, message.split(',')[0]])).toEqual([
    ['SRTP_KEYS_IN_CLEAR', 'is optional on carrier'],
    ['SRTP_KEYS_IN_CLEAR', 'is required on pbx'],
  ]);
});
