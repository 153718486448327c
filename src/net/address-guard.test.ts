import { describe, expect, it } from 'vitest';
import { INSIDE, toPort, UNSAVABLE } from '../../test/helpers/api/hostile-addresses.ts';
import { AddressGuard, innerRuleFor } from './address-guard.ts';
import { newId } from '../shared/ids.ts';
import { SafeFetcher } from './safe-fetch.ts';

const guard = new AddressGuard({ allow: ['models.internal', '10.1.0.0/16', '[fd12::1]'] });

const [AS_MODEL, AS_TOOL] = [innerRuleFor('llm'), innerRuleFor('tools')];

describe("the operator's own model server behind an entry with the purpose llm", () => {
  const own = [
    'llm=models.internal:8000',
    'llm=10.9.0.1',
    'tools=crm.internal',
    'tools=10.3.0.1',
    '10.1.0.1',
  ];
  const apart = new AddressGuard({ allow: own });

  it.each([
    // A name is resolved and checked when a tool connects, see below.
    ['http://models.internal:8000/v1', null, null],
    ['http://10.9.0.1:11434/v1', null, AS_TOOL],
    ['http://10.1.0.1/v1', null, AS_TOOL],
    ['http://10.3.0.1/', AS_MODEL, null],
    ['https://10.2.0.1', AS_MODEL, AS_TOOL],
  ])('%s: as a model %s, as a tool %s', (url, asModel, asTool) => {
    expect(apart.refusal(url)).toBe(asModel);
    expect(apart.innerRule(url, { purpose: 'tools', workspaceId: newId() })).toBe(asTool);
  });

  it('is refused to tools when they connect, and to models at another port', async () => {
    const lookup = (_host: string, _options: object, done: (...answer: never[]) => void) =>
      done(...([null, [{ address: '10.9.0.1', family: 4 }]] as never[]));
    const fetchAs = (purpose: 'tools' | 'llm', url: string) =>
      new SafeFetcher({ allow: own, purpose, lookup }).fetch({
        url,
        method: 'POST',
        headers: {},
        body: null,
        timeoutMs: 500,
        maxBytes: 10,
      });
    expect(await fetchAs('tools', 'http://models.internal:8000/v1')).toMatchObject({ failure: 'blocked' });
    expect(await fetchAs('tools', 'http://10.9.0.1:11434/v1')).toMatchObject({ failure: 'blocked' });
    expect(await fetchAs('llm', 'http://models.internal:8001/v1')).toMatchObject({ failure: 'blocked' });
  });
});

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
    ['https://10.2.0.1', AS_MODEL],
    ['wss://169.254.169.254', AS_MODEL],
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
