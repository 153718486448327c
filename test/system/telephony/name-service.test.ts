import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResolve, systemNames } from '@callwright/sip';

/** A name as DNS writes it (RFC 1035 section 3.1). */
const labels = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
const short = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);

const [SRV, NAPTR] = [33, 35];
const ZONE: Readonly<Record<string, readonly Buffer[]>> = {
  [`_sip._udp.carrier.test ${SRV}`]: [
    Buffer.concat([short(10, 3, 5070), labels('localhost')]),
    Buffer.concat([short(20, 1, 5080), labels('localhost')]),
  ],
  [`preferred.test ${NAPTR}`]: [
    Buffer.concat([short(1, 1), text('s'), text('SIP+D2T'), text(''), labels('_sip._tcp.carrier.test')]),
  ],
  [`_sip._tcp.carrier.test ${SRV}`]: [Buffer.concat([short(1, 1, 5090), labels('localhost')])],
};
/** Names whose questions get SERVFAIL. */
const broken = new Set<string>();

/** Answers one question from the zone; NXDOMAIN for other names. */
function answer(question: Buffer): Buffer {
  const parts: string[] = [];
  let at = 12;
  while (question[at] !== 0) {
    const length = question[at] ?? 0;
    parts.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  const name = parts.join('.').toLowerCase();
  const records = ZONE[`${name} ${question.readUInt16BE(at + 1)}`] ?? [];
  const code = broken.has(name) ? 2 : records.length === 0 ? 3 : 0;
  const header = Buffer.concat([
    question.subarray(0, 2),
    short(0x8180 | code, 1, code === 0 ? records.length : 0, 0, 0),
  ]);
  const answers = records.map((data) =>
    // A pointer to the question's name, its type and class, a TTL of a minute.
    Buffer.concat([short(0xc00c), question.subarray(at + 1, end), short(0, 60, data.length), data]),
  );
  return Buffer.concat([header, question.subarray(12, end), ...(code === 0 ? answers : [])]);
}

let server: Socket;
let servers: string[];
beforeAll(async () => {
  server = createSocket('udp4', (question, from) => server.send(answer(question), from.port, from.address));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => void server?.close());

describe('addresses of trunks from a name server', () => {
  const placesOf = async (uri: string): Promise<string[]> => {
    const peers = await createResolve(systemNames(servers))(uri, 'auto');
    return [...new Set(peers.map(({ transport, port }) => `${transport} ${port}`))];
  };
  it('are the targets of SRV records, also where NAPTR names them', async () => {
    expect(await placesOf('sip:carrier.test')).toEqual(['udp 5070', 'udp 5080']);
    expect(await placesOf('sip:preferred.test')).toEqual(['tcp 5090']);
  });
  it('tell a name without records from a name service in trouble', async () => {
    const names = systemNames(servers);
    expect(await names.srv('nothing.test')).toEqual([]);
    broken.add('broken.test');
    await expect(names.srv('broken.test')).rejects.toThrow('ESERVFAIL');
  });
});
