import { describe, expect, it } from 'vitest';
import { type AnnouncedOptions, type Interface, OwnAddresses } from './own-addresses.ts';

const INTERFACES: readonly Interface[] = [
  { address: '127.0.0.1', internal: true, cidr: '127.0.0.1/8' },
  { address: '198.51.100.7', internal: false, cidr: '198.51.100.7/24' },
  { address: '192.168.1.4', internal: false, cidr: '192.168.1.4/24' },
  { address: '2001:db8::7', internal: false, cidr: '2001:db8::7/64' },
];

const own = (
  options: Partial<AnnouncedOptions> = {},
  route: (destination: string) => Promise<string | null> = async () => null,
) => new OwnAddresses({ publicAddress: null, ...options }, { interfaces: () => INTERFACES, route });

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the address that a peer is told', () => {
  it('is the public one for a cloud carrier and that of the LAN for a PBX beside it', () => {
    const ours = own({ publicAddress: '203.0.113.9' });
    expect(ours.towards('192.0.2.50', '0.0.0.0')).toBe('203.0.113.9');
    expect(ours.towards('192.168.1.20', '0.0.0.0')).toBe('192.168.1.4');
    // A bound address is told as it is.
    expect(ours.towards('192.168.1.20', '192.168.1.4')).toBe('192.168.1.4');
  });

  it('is that of the interface for LOCAL_NETWORKS behind a router', async () => {
    const ours = own(
      { publicAddress: '203.0.113.9', localNetworks: ['10.20.0.0/16'] },
      async () => '192.168.1.4',
    );
    expect(ours.towards('10.20.3.4', '0.0.0.0')).toBe('198.51.100.7');
    await settle();
    expect(ours.towards('10.20.3.4', '0.0.0.0')).toBe('192.168.1.4');
    expect(ours.towards('10.21.3.4', '0.0.0.0')).toBe('203.0.113.9');
  });

  it('follows the route when there is no public one, and the network of the peer until the route is read', async () => {
    const ours = own({}, async (destination) => (destination === '192.0.2.50' ? '192.168.1.4' : null));
    expect(ours.towards('192.168.1.20', '0.0.0.0')).toBe('192.168.1.4');
    expect(ours.towards('192.0.2.50', '0.0.0.0')).toBe('198.51.100.7');
    await settle();
    expect(ours.towards('192.0.2.50', '0.0.0.0')).toBe('192.168.1.4');
    // Without a route the guess stays.
    expect(ours.towards('192.168.1.20', '0.0.0.0')).toBe('192.168.1.4');
  });

  it('has the family of the peer', () => {
    const ours = own({ publicAddress: '203.0.113.9' });
    expect(ours.towards('2001:db8:1::5', '::')).toBe('2001:db8::7');
    expect(ours.towards('192.0.2.50', '::')).toBe('203.0.113.9');
    expect(own({ publicAddress: '2001:db8:ffff::1' }).towards('2001:db8:1::5', '::')).toBe(
      '2001:db8:ffff::1',
    );
  });

  it('is loopback for loopback', () => {
    const ours = own({ publicAddress: '203.0.113.9', localNetworks: ['127.0.0.0/8'] });
    expect(ours.towards('127.0.0.1', '0.0.0.0')).toBe('127.0.0.1');
    expect(ours.towards('127.0.0.1', '127.0.0.2')).toBe('127.0.0.2');
    expect(ours.towards('127.0.0.1', '::')).toBe('127.0.0.1');
    expect(ours.towards('::1', '::')).toBe('::1');
  });

  it('changes with the public address', () => {
    const ours = own({ publicAddress: '203.0.113.9' });
    ours.publicAddress = '203.0.113.10';
    expect(ours.towards('192.0.2.50', '0.0.0.0')).toBe('203.0.113.10');
  });
});

it('reads interfaces and routes of the system', async () => {
  const system = new OwnAddresses({ publicAddress: null });
  expect(system.isInterface('127.0.0.1')).toBe(true);
  expect(system.isInterface('192.0.2.50')).toBe(false);
  const before = system.towards('192.0.2.50', '0.0.0.0');
  await settle();
  const after = system.towards('192.0.2.50', '0.0.0.0');
  expect([before, after].map((address) => system.isInterface(address))).toEqual([true, true]);
});
