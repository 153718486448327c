import { expect, it } from 'vitest';
import { taken } from '../test/virtual-call.ts';

const ANONYMOUS = 'sip:anonymous@anonymous.invalid';
/** The caller of an inbound call with this From and these headers. */
const caller = (from: string, headers: Record<string, string> = {}): string | undefined =>
  taken(() => {}, {
    from,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  }).legs[0]?.from;

it.each([
  ['a number in a SIP URI', '<sip:+919812345678@carrier.example;user=phone>', '+919812345678'],
  ['a tel URI', '<tel:+91-98123-45678>', '+919812345678'],
  ['two identities', '"Asha" <sip:+919812345678@carrier.example>, <tel:+919812345678>', '+919812345678'],
  [
    'one that names nobody, then a number',
    '<sip:anonymous@carrier.example>, <tel:+919812345678>',
    '+919812345678',
  ],
  ['nothing that parses', 'rubbish', 'anonymous'],
])('takes the caller of an anonymous From from P-Asserted-Identity: %s', (_, identity, number) => {
  expect(caller(ANONYMOUS, { 'p-asserted-identity': identity })).toBe(number);
});

it.each(['id', 'user;id', 'header', 'critical; id'])(
  'leaves a caller anonymous who asks for privacy: %s',
  (privacy) => {
    const headers = { 'p-asserted-identity': '<sip:+919812345678@carrier.example>', privacy };
    expect(caller(ANONYMOUS, headers)).toBe('anonymous');
  },
);

it.each(['id', 'user', 'header'])(
  'hides the caller who asks for privacy although From names a number: %s',
  (privacy) => {
    const { legs } = taken(() => {}, {
      from: 'sip:+14155550123@carrier.example',
      headers: [{ name: 'privacy', value: privacy }],
    });
    expect(legs[0]).toMatchObject({ from: 'anonymous', displayName: null });
  },
);

it('takes P-Asserted-Identity with Privacy: none, and never in place of a From that names the caller', () => {
  const headers = { 'p-asserted-identity': '<sip:+919812345678@carrier.example>', privacy: 'none' };
  expect(caller(ANONYMOUS, headers)).toBe('+919812345678');
  expect(caller('sip:+14155550123@carrier.example', headers)).toBe('+14155550123');
});
