import { describe, expect, it } from 'vitest';
import { codecChoices, inputOf, type InstalledTrunk, valuesOf } from './trunk-values.ts';

const SETTINGS: InstalledTrunk['settings'] = {
  uri: 'sip:sip.example.com',
  srtp: 'off',
  gateways: [
    { uri: 'sip:192.0.2.1', priority: 0, weight: 3 },
    { uri: 'sip:192.0.2.2', priority: 1, weight: 1, transport: 'tcp' },
  ],
  username: 'account',
  register: true,
  enabled: true,
  max_calls: 5,
  max_inbound_calls: 2,
  allowed_sources: ['198.51.100.0/24'],
  media_ranges: [],
  codecs: ['pcma', 'pcmu'],
  header_variables: ['X-Account'],
  outgoing: {
    from_domain: 'customer.example',
    caller_id: 'p_asserted_identity',
    callee_format: 'national',
    calling_code: '91',
    udp_limit: 4000,
    dtmf: 'info',
    add_headers: [{ name: 'X-Account', value: 'a:b' }],
    remove_headers: ['user-agent'],
  },
};
const TRUNK: InstalledTrunk = {
  trunk_id: 't',
  name: 'carrier',
  updated_at: '2026-01-01T00:00:00.000Z',
  numbers: 1,
  from_file: false,
  has_password: true,
  secret_header: 'X-Token',
  has_signing_key: false,
  webhook_url: null,
  registered: null,
  reachable: null,
  gateways: [],
  faults: [],
  settings: SETTINGS,
};

describe('the form of a trunk', () => {
  it('sends the settings back that it was filled with, and no password', () => {
    expect(inputOf(valuesOf(TRUNK), TRUNK)).toEqual({ trunk_name: 'carrier', ...SETTINGS });
  });

  it('sends whether the far side may transfer, once it was said', () => {
    const values = { ...valuesOf(TRUNK), acceptsRefer: true };
    expect(inputOf(values, TRUNK)).toEqual({ trunk_name: 'carrier', ...SETTINGS, accept_refer: true });
    const settings = { ...SETTINGS, accept_refer: true, join_by_refer: true };
    const trunk = { ...TRUNK, settings };
    expect(valuesOf(trunk)).toMatchObject({ acceptsRefer: true, joinsByRefer: true });
    expect(inputOf({ ...valuesOf(trunk), joinsByRefer: false }, trunk)).toMatchObject({
      accept_refer: true,
      join_by_refer: false,
    });
  });

  it('shows an order of codecs that it does not offer as a choice', () => {
    expect(codecChoices('g722')).toHaveLength(10);
    expect(codecChoices('pcma g722').at(-1)).toEqual(['pcma g722', 'PCMA, then G722']);
  });

  it('of a carrier over WebSockets sends its kind and account, and no settings of SIP', () => {
    const settings = { kind: 'telnyx', uri: 'https://api.telnyx.com', application: '7' } as const;
    const trunk = { ...TRUNK, settings };
    expect(inputOf({ ...valuesOf(trunk), signingKey: 'key' }, trunk)).toEqual({
      trunk_name: 'carrier',
      ...settings,
      signing_key: 'key',
      enabled: true,
    });
  });

  it('of a new trunk sends only what is filled in', () => {
    const values = { ...valuesOf(null), name: ' pbx ', uri: 'sip:pbx.example ', password: 'secret' };
    expect(inputOf(values, null)).toEqual({
      trunk_name: 'pbx',
      uri: 'sip:pbx.example',
      password: 'secret',
      srtp: 'off',
      gateways: [],
      register: false,
      enabled: true,
      allowed_sources: [],
      media_ranges: [],
    });
  });

  it('sends a new secret, keeps a stored one, and removes it with its header', () => {
    const secretOf = (change: object) => inputOf({ ...valuesOf(TRUNK), ...change }, TRUNK).inbound_secret;
    expect(secretOf({})).toBeUndefined();
    expect(secretOf({ secret: 'token-of-ours' })).toEqual({ header: 'X-Token', value: 'token-of-ours' });
    expect(secretOf({ secretHeader: ' ' })).toEqual({ header: 'X-Token', value: '' });
  });

  it('reads gateways and headers from lines', () => {
    const values = { ...valuesOf(null), gateways: 'sip:a\n\n sip:b 2 5 tls ', headers: 'X-One: 1\nX-Two' };
    const { gateways, outgoing } = inputOf(values, null);
    expect(gateways).toEqual([
      { uri: 'sip:a', priority: 0, weight: 1 },
      { uri: 'sip:b', priority: 2, weight: 5, transport: 'tls' },
    ]);
    expect(outgoing).toEqual({
      add_headers: [
        { name: 'X-One', value: '1' },
        { name: 'X-Two', value: '' },
      ],
    });
  });
});
