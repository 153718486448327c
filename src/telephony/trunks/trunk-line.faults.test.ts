import { expect, test } from 'vitest';
import { silentLog } from '../../shared/log.ts';
import { header, type CallFailure, parseMessage, responseTo, writeMessage } from '@callwright/sip';
import { outbound, recorder } from '../../../packages/sip/test/virtual-call.ts';
import { seededRandom, VirtualNetwork } from '../../../packages/sip/test/virtual-network.ts';
import { TrunkLine } from './trunk-line.ts';

const US = '192.0.2.1';
const [SILENT, UNREACHABLE, REFUSING, FLAPPING, GOOD] = [11, 12, 13, 14, 15].map((n) => `192.0.2.${n}`) as [
  string,
  string,
  string,
  string,
  string,
];
const FLAP_S = 60;
/** A call waits 1.5 s for a response before its gateway is suspect. */
const NOTICED_S = 2;

test('of 1,000 calls over gateways that are silent, unreachable, answer 503 to a password, flap and work, a fault loses those of two seconds, and none rings twice', async () => {
  const net = new VirtualNetwork();
  const agent = net.agent(US, () => ({ kind: 'drop' }));
  net.unreachable.add(`udp:${UNREACHABLE}`);
  const rung = new Map<string, string[]>();
  const listen = (address: string, refuses: boolean): void =>
    net.attach(address, (bytes) => {
      const parsed = parseMessage(bytes);
      if (parsed.kind !== 'message' || parsed.message.kind !== 'request') return;
      const { message } = parsed;
      if (message.method === 'ACK') return;
      const isProved = header(message, 'proxy-authorization') !== null;
      const challenge = {
        name: 'proxy-authenticate',
        value: 'Digest realm="carrier.example", nonce="n", qop="auth"',
      };
      const answer = (status: number): void =>
        net.deliver(
          writeMessage(
            responseTo(message, status, { toTag: 'x', headers: status === 407 ? [challenge] : [] }),
          ),
          address,
          US,
          'udp',
        );
      if (message.method === 'OPTIONS') answer(200);
      else if (!isProved) answer(407);
      else if (refuses) answer(503);
      else {
        rung.set(message.callId, [...(rung.get(message.callId) ?? []), address]);
        answer(486);
      }
    });
  listen(REFUSING, true);
  listen(GOOD, false);
  const line = new TrunkLine(
    {
      id: 't',
      name: 't',
      uri: 'sip:carrier.example',
      gateways: [SILENT, UNREACHABLE, REFUSING, FLAPPING, GOOD].map((address) => ({
        uri: `sip:${address}`,
        priority: 0,
        weight: 1,
      })),
      username: 'account',
      password: 'secret',
      register: false,
      transport: 'udp',
      allowedSources: [],
    },
    {
      endpoint: agent.endpoint,
      scheduler: net.scheduler,
      resolve: async () => [],
      probeIntervalMs: 30_000,
      log: silentLog,
      random: seededRandom(3),
    },
  );
  line.start();
  const lost: number[] = [];
  for (let second = 0; second < 1_000; second++) {
    if (second % (2 * FLAP_S) === 0) listen(FLAPPING, false);
    if (second % (2 * FLAP_S) === FLAP_S) net.detach(FLAPPING);
    const onFailed = ({ sipCode }: CallFailure): void => {
      if (sipCode !== 486) lost.push(second);
    };
    agent.call(line, outbound({ attemptId: `call-${second}` }), { ...recorder().events, onFailed });
    net.scheduler.advance(1_000);
    await new Promise((resolved) => setImmediate(resolved));
  }
  net.scheduler.advance(60_000);
  // The first call that a silent gateway gets loses it the next ones.
  const byFault = Map.groupBy(lost, (second) => Math.floor((second + FLAP_S) / (2 * FLAP_S)));
  const spans = [...byFault.values()].map((seconds) => Math.max(...seconds) - Math.min(...seconds));
  expect(spans.filter((seconds) => seconds >= NOTICED_S)).toEqual([]);
  expect([...rung.values()].filter((gateways) => gateways.length > 1)).toEqual([]);
  expect(rung.size + lost.length).toBe(1_000);
  // Both that work get calls.
  expect(new Set([...rung.values()].flat())).toEqual(new Set([FLAPPING, GOOD]));
  await line.stop();
});
