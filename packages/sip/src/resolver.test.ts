import { describe, expect, test } from 'vitest';
import type { NameService } from './name-service.ts';
import { createResolve } from './resolver.ts';

interface Zone {
  readonly naptr?: Readonly<Record<string, readonly [order: number, service: string, replacement: string][]>>;
  readonly srv?: Readonly<
    Record<string, readonly [priority: number, weight: number, port: number, name: string][]>
  >;
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
}

const names = (zone: Zone): NameService => ({
  naptr: async (name) =>
    (zone.naptr?.[name] ?? []).map(([order, service, replacement]) => ({
      flags: 'S',
      order,
      preference: 1,
      regexp: '',
      service,
      replacement,
    })),
  srv: async (name) =>
    (zone.srv?.[name] ?? []).map(([priority, weight, port, target]) => ({
      priority,
      weight,
      port,
      name: target,
    })),
  addresses: async (host) => zone.addresses?.[host] ?? [],
});

const HOSTS = {
  'carrier.example': ['192.0.2.1'],
  'a.carrier.example': ['192.0.2.11', '2001:db8::11'],
  'b.carrier.example': ['192.0.2.12'],
};
const SRV = {
  '_sip._udp.carrier.example': [
    [20, 0, 5060, 'b.carrier.example'],
    [10, 4, 5070, 'a.carrier.example'],
  ],
  '_sips._tcp.carrier.example': [[1, 1, 5071, 'a.carrier.example']],
} satisfies Zone['srv'];
const found = async (zone: Zone, uri: string, choice: 'auto' | 'udp' | 'tcp' | 'tls' = 'auto') =>
  (await createResolve(names(zone))(uri, choice)).map(
    ({ transport, address, port }) => `${transport} ${address} ${port}`,
  );

describe('the addresses of a SIP URI', () => {
  const zone = { addresses: HOSTS, srv: SRV };
  test('are those of its SRV records, lower priorities first', async () => {
    const peers = await createResolve(names(zone))('sip:carrier.example', 'auto');
    expect(peers).toEqual([
      { transport: 'udp', address: '192.0.2.11', port: 5070, share: { priority: 10, weight: 2 } },
      { transport: 'udp', address: '2001:db8::11', port: 5070, share: { priority: 10, weight: 2 } },
      { transport: 'udp', address: '192.0.2.12', port: 5060, share: { priority: 20, weight: 0 } },
    ]);
  });
  test('over TLS keep the domain whose name the certificate shows', async () => {
    for (const [uri, choice] of [
      ['sips:carrier.example', 'auto'],
      ['sip:carrier.example', 'tls'],
      ['sip:carrier.example;transport=tls', 'auto'],
    ] as const) {
      const peers = await createResolve(names(zone))(uri, choice);
      expect(peers.map(({ port, domain }) => [port, domain])).toEqual([
        [5071, 'carrier.example'],
        [5071, 'carrier.example'],
      ]);
    }
  });
  test('with a port, of one label or without SRV records are those of the host', async () => {
    expect(await found(zone, 'sip:carrier.example:5062')).toEqual(['udp 192.0.2.1 5062']);
    expect(await found(zone, 'sip:carrier.example', 'tcp')).toEqual(['tcp 192.0.2.1 5060']);
    expect(
      await found({ addresses: { pbx: ['10.0.0.2'] }, srv: { '_sip._udp.pbx': [] } }, 'sip:pbx'),
    ).toEqual(['udp 10.0.0.2 5060']);
    expect(await found(zone, 'sip:192.0.2.7')).toEqual(['udp 192.0.2.7 5060']);
    expect(await found(zone, 'tel:+15550001')).toEqual([]);
  });
  test('are none where the domain says that it has no such service', async () => {
    const none = { addresses: HOSTS, srv: { '_sip._udp.carrier.example': [[0, 0, 0, '.']] } } satisfies Zone;
    expect(await found(none, 'sip:carrier.example')).toEqual([]);
  });
  test('follow NAPTR records to the transport that the carrier prefers', async () => {
    const naptr = {
      'carrier.example': [
        [30, 'SIP+D2U', '_sip._udp.carrier.example'],
        [20, 'SIP+D2T', 'tcp.carrier.example'],
        [10, 'SIPS+D2T', '_sips._tcp.carrier.example'],
        [5, 'E2U+email', 'mail.example'],
      ],
    } satisfies Zone['naptr'];
    const tcp = { ...SRV, 'tcp.carrier.example': [[1, 1, 5080, 'b.carrier.example']] } satisfies Zone['srv'];
    const secure = await createResolve(names({ ...zone, naptr, srv: tcp }))('sip:carrier.example', 'auto');
    expect(secure.map(({ transport, port, domain }) => [transport, port, domain])).toEqual([
      ['tls', 5071, 'carrier.example'],
      ['tls', 5071, 'carrier.example'],
    ]);
    // A service without targets is passed over.
    const clear = { ...tcp, '_sips._tcp.carrier.example': [] };
    expect(await found({ ...zone, naptr, srv: clear }, 'sip:carrier.example')).toEqual([
      'tcp 192.0.2.12 5080',
    ]);
    expect(
      (
        await found({ ...zone, naptr, srv: { ...clear, 'tcp.carrier.example': [] } }, 'sip:carrier.example')
      )[0],
    ).toBe('udp 192.0.2.11 5070');
    expect((await found({ ...zone, naptr, srv: tcp }, 'sip:carrier.example', 'udp'))[0]).toBe(
      'udp 192.0.2.11 5070',
    );
  });
  test('are found where the name service refuses a question whose answer is not needed', async () => {
    const naptr = {
      'carrier.example': [[10, 'SIP+D2U', '_sip._udp.carrier.example']],
    } satisfies Zone['naptr'];
    for (const records of [{ ...zone, naptr }, zone]) {
      const service = names(records);
      const srv: NameService['srv'] = (name) =>
        name.startsWith('_sip._tcp.') ? Promise.reject(new Error('REFUSED')) : service.srv(name);
      const peers = await createResolve({ ...service, srv })('sip:carrier.example', 'auto');
      expect(peers.map(({ port }) => port)).toEqual([5070, 5070, 5060]);
    }
  });
  test('of SRV records are not replaced by those of the host while the name service is in trouble', async () => {
    let inTrouble = true;
    const service = names(zone);
    const srv: NameService['srv'] = (name) =>
      inTrouble ? Promise.reject(new Error('SERVFAIL')) : service.srv(name);
    const resolve = createResolve({ ...service, srv });
    expect((await resolve('sip:carrier.example', 'auto')).map(({ address }) => address)).toEqual([
      '192.0.2.1',
    ]);
    inTrouble = false;
    expect(await resolve('sip:carrier.example', 'auto')).toHaveLength(3);
    inTrouble = true;
    await expect(resolve('sip:carrier.example', 'auto')).rejects.toThrow('SERVFAIL');
  });
});
