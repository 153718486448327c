import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { SipSignalling } from '../../src/telephony/signalling.ts';
import { startDispatcher } from '../helpers/sip/dispatcher.ts';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import { SDP } from '../helpers/sip/placed-call.ts';
import { callRequest, closeLater, closePlanes, startPlane, trunkTo } from '../helpers/sip/sip-plane.ts';

afterEach(closePlanes);

const CALLS = 2_000;
const PER_SECOND = 50;
const TALK_MS = 1_000;
/** What happens to one process after the other, at which call. */
const FATES = [
  { at: 400, fate: 'drained' },
  { at: 800, fate: 'killed' },
  { at: 1_200, fate: 'drained' },
  { at: 1_600, fate: 'killed' },
] as const;

interface Node {
  readonly child: ChildProcess;
  /** Call-IDs that it answered. */
  readonly taken: Set<string>;
}

async function startNode(port: number, kamailio: number): Promise<Node> {
  const child = fork('test/helpers/sip/answering-process.ts', [String(port), String(kamailio)]);
  closeLater(() => child.kill('SIGKILL'));
  const taken = new Set<string>();
  child.on('message', (message) => {
    if (typeof message === 'string') taken.add(message);
  });
  await until(() => taken.delete('ready'), 'a process is ready');
  return { child, taken };
}

interface Placed {
  readonly id: string;
  answeredAt: number | null;
  outcome: 'live' | 'ended' | 'failed';
}

function place(carrier: SipSignalling, id: string): Placed {
  const call: Placed = { id: '', answeredAt: null, outcome: 'live' };
  const leg = carrier.call(
    { ...callRequest(id, 30_000), sdpOffer: SDP },
    {
      onRinging: () => undefined,
      onAnswered: () => {
        call.answeredAt = performance.now();
        setTimeout(() => leg.hangup('done'), TALK_MS);
      },
      onFailed: () => void (call.outcome = 'failed'),
      onEnded: () => void (call.outcome = 'ended'),
      onReoffer: () => null,
      onDtmf: () => undefined,
    },
  );
  return Object.assign(call, { id: leg.sipCallId });
}

// 40 seconds of calls.
test('2,000 calls at 50 a second through Kamailio: draining a process loses none, killing one only those that it had', async () => {
  const [carrierPort, ...ports] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const kamailio = await startDispatcher({ nodes: ports, carrier: carrierPort, isPatient: false });
  closeLater(() => kamailio.stop());
  const nodes = await Promise.all(ports.map((port) => startNode(port, kamailio.port)));
  const all = [...nodes];
  const carrier = await startPlane([trunkTo(kamailio.port)], { udpPort: carrierPort });
  // Kamailio asks them with OPTIONS every two seconds.
  for (let n = 0; !nodes.every(({ taken }) => taken.size > 0); n += 1) {
    place(carrier, `early-${n}`);
    await sleep(100);
  }
  for (const { taken } of nodes) taken.clear();
  const calls: Placed[] = [];
  const killed: Node[] = [];
  const begun = performance.now();
  for (let n = 0; n < CALLS; n += 1) {
    const wait = begun + (n * 1000) / PER_SECOND - performance.now();
    if (wait > 0) await sleep(wait);
    calls.push(place(carrier, `load-${n}`));
    const index = FATES.findIndex(({ at }) => at === n);
    const [node, port] = [nodes[index], ports[index]];
    if (node === undefined || port === undefined) continue;
    if (FATES[index]?.fate === 'killed') {
      killed.push(node);
      node.child.kill('SIGKILL');
    } else node.child.send('drain');
    // It comes back as a supervisor starts it again.
    void once(node.child, 'exit').then(async () => all.push(await startNode(port, kamailio.port)));
  }
  await until(() => calls.every(({ outcome }) => outcome !== 'live'), 'every call is over', 120_000);
  const shares = all.map(({ taken }) => taken.size);
  const failed = calls.filter(({ outcome }) => outcome === 'failed');
  console.log(`${CALLS} calls: ${shares.join(', ')} a process; ${failed.length} not answered`);
  const ofKilled = new Set(killed.flatMap(({ taken }) => [...taken]));
  expect(failed.filter(({ id }) => !ofKilled.has(id))).toEqual([]);
  const takers = all.flatMap(({ taken }) => [...taken]);
  expect(takers.length - new Set(takers).size).toBe(0);
  expect(all).toHaveLength(8);
  for (const { taken } of all) expect(taken.size).toBeGreaterThan(0);
});
