import { describe, expect, it } from 'vitest';
import { INSIDE, toPort, UNSAVABLE } from '../../test/helpers/api/hostile-addresses.ts';
import { AddressGuard, INNER_RULE } from './address-guard.ts';

const guard = new AddressGuard({ allow: ['models.internal', '10.1.0.0/16', '[fd12::1]'] });

describe('the addresses that may get the key of a workspace', () => {
  it.each([
    'https://api.deepgram.com',
    'wss://api.deepgram.com/v1/listen',
    'https://8.8.8.8:8443/',
    'http://models.internal:8000',
    'ws://MODELS.internal./',
    'http://10.1.2.3',
    'ws://[fd12::1]:2700',
  ])('allows %s', (url) => expect(guard.refusal(url)).toBeNull());

  it.each([
    ['http://api.deepgram.com', 'must be an https URL: it carries a key'],
    ['ws://8.8.8.8', 'must be an https URL: it carries a key'],
    ['https://10.2.0.1', INNER_RULE],
    ['wss://169.254.169.254', INNER_RULE],
    ['https://user:pass@example.com', 'must not carry a user name or password'],
    ['https://user@models.internal', 'must not carry a user name or password'],
    ['ftp://models.internal', 'must be an https URL'],
    [`https://example.com/${'a'.repeat(2048)}`, 'must be an https URL'],
  ])('refuses %s', (url, rule) => expect(guard.refusal(url)).toBe(rule));

  it('refuses internal addresses in every notation, encrypted or not', () => {
    const all = toPort([...INSIDE, ...UNSAVABLE], 443);
    expect(all.filter((url) => guard.refusal(url) === null)).toEqual([]);
    const sockets = all.map((url) => url.replace(/^https?:/, 'wss:'));
    expect(sockets.filter((url) => guard.refusal(url) === null)).toEqual([]);
  });
});
