import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedHost, mayConnect, parseAllowList, workspacesOf } from './address-rules.ts';

const none = parseAllowList([], 'tools');

describe('mayConnect', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '64:ff9b::8.8.8.8',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '1.2.3',
  ])('refuses %s', (address) => expect(mayConnect(address, none)).toBe(false));

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'allows %s',
    (address) => expect(mayConnect(address, none)).toBe(true),
  );

  it('refuses a private IPv4 address in every IPv6 notation', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const inner = fc.oneof(
      fc.tuple(fc.constant(10), octet, octet, octet),
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    );
    const prefixes = fc.constantFrom('', '::ffff:', '::', '64:ff9b::', '64:ff9b:1::');
    fc.assert(
      fc.property(inner, prefixes, (bytes, prefix) => {
        expect(mayConnect(prefix + bytes.join('.'), none)).toBe(false);
      }),
    );
  });

  it('never throws for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(typeof mayConnect(text, none)).toBe('boolean');
        expect(parseAllowList([text], 'llm').ranges.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('allow list', () => {
  const entries = ['127.0.0.1', ' 10.1.0.0/16 ', 'Hooks.Internal.', '[::1]', 'fd00::/8'];
  const allow = parseAllowList([...entries.map((entry) => `tools=${entry.trim()}`), '', 'tools='], 'tools');
  it.each([
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['::ffff:127.0.0.1', true],
    ['10.1.200.3', true],
    ['10.2.0.1', false],
    ['::1', true],
    ['fd12::1', true],
    ['fe80::1', false],
  ])('%s: %s', (address, may) => expect(mayConnect(address, allow)).toBe(may));
  it('matches host names regardless of case and a trailing dot', () => {
    expect(isAllowedHost('hooks.internal', allow)).toBe(true);
    expect(isAllowedHost('HOOKS.INTERNAL.', allow)).toBe(true);
    expect(isAllowedHost('x.hooks.internal', allow)).toBe(false);
  });

  it.each(['tools', 'webhooks', 'knowledge'] as const)('has no entry without a purpose for %s', (purpose) => {
    expect(parseAllowList(entries, purpose)).toEqual({ purpose, hosts: [], ranges: [] });
    expect(parseAllowList(entries, 'llm').ranges).toHaveLength(4);
  });

  it('has an entry that names a workspace for that workspace alone, and for its purpose alone', () => {
    const id = '018f3a52-6b9e-7d30-9c1a-5f0e2b7c4d11';
    const own = [`tools@${id}=crm.internal:8443`, 'tools=10.1.0.1'];
    const hostsFor = (purpose: 'tools' | 'webhooks', workspace: string | null) =>
      parseAllowList(own, purpose, workspace).hosts;
    expect(hostsFor('tools', id)).toEqual([{ host: 'crm.internal', port: 8443 }]);
    expect(hostsFor('tools', id.replace('018f', '018e'))).toEqual([]);
    expect(hostsFor('tools', null)).toEqual([]);
    expect(hostsFor('webhooks', id)).toEqual([]);
    expect(parseAllowList(own, 'tools', id).ranges).toHaveLength(1);
    expect([workspacesOf(own, 'tools'), workspacesOf(own, 'webhooks')]).toEqual([[id], []]);
  });
});
