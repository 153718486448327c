import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeVendor, fakeGoogle, startFakeVendor } from '@callwright/stand-ins';
import { createProviders } from '../../../src/providers/choose/installation.ts';
import { FreeSpace } from '../../../src/session/free-space.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { KnowledgeIndexes } from '../../../src/shared/knowledge/knowledge-index.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { CallHost } from '../../../src/workers/call-host.ts';
import { ChosenProviders } from '../../../src/providers/choose/open.ts';
import { OwnModels } from '../../../src/workers/own-models.ts';
import type { CallSpec, FromWorker } from '../../../src/workers/protocol.ts';
import { virtualSpec } from '../../rigs/calls/virtual-session.ts';
import { VirtualLeg } from '../../rigs/calls/virtual-leg.ts';
import { VirtualTime } from '../../rigs/calls/virtual-time.ts';

let vendor: FakeVendor;
let chosen: ChosenProviders;
let host: CallHost;
const time = new VirtualTime(new ManualClock());
const sent: FromWorker[] = [];
const spec = (callId: string): CallSpec => ({
  ...virtualSpec({ agent: { introMessage: 'Hello there.' } }),
  callId,
  providers: {
    s2s: {
      name: 'google',
      settings: { apiKey: 'any', baseUrl: vendor.baseUrl, model: null },
      isGuarded: false,
    },
  },
});

beforeAll(async () => {
  vendor = await startFakeVendor(fakeGoogle);
  const providers = await createProviders({ vad: 'light', stt: 'fake', tts: 'fake', llm: 'fake' });
  chosen = new ChosenProviders(providers, []);
  host = new CallHost({
    providers,
    models: new OwnModels([]),
    chosen,
    indexes: new KnowledgeIndexes(),
    scheduler: time,
    log: silentLog,
    recordingsDir: tmpdir(),
    space: new FreeSpace(tmpdir(), 0),
    openLeg: () => {
      const [leg, far] = [new VirtualLeg(time), new VirtualLeg(time)];
      VirtualLeg.join(leg, far);
      return Promise.resolve(leg);
    },
    openWebLeg: () => {
      throw new Error('no browser calls here');
    },
    freePairs: () => 1,
    send: (message) => void sent.push(message),
  });
});
afterAll(async () => {
  await host.stop();
  await Promise.all([vendor.close(), chosen.close()]);
});

/** A call that rings, and has its connection. */
async function ring(callId: string): Promise<CallSpec> {
  const before = vendor.connections.length;
  host.receive({ type: 'allocate', requestId: 1, callId, kind: 'rtp' });
  await expect.poll(() => sent.filter(({ type }) => type === 'allocated').length).toBeGreaterThan(0);
  sent.length = 0;
  const ringing = spec(callId);
  host.receive({ type: 'prepare', callId, spec: ringing });
  await expect.poll(() => vendor.connections.length).toBe(before + 1);
  return ringing;
}

it('a call that is answered speaks over the connection that was opened while it rang', async () => {
  const ringing = await ring('answered');
  host.receive({ type: 'answered', callId: 'answered', spec: ringing, at: time.now() });
  const stop = time.pace();
  const said = (): boolean =>
    sent.some(
      (message) =>
        message.type === 'live' &&
        message.event.type === 'line' &&
        message.event.line.text === 'Hello there.',
    );
  await time.until('the first message', said);
  stop();
  expect(vendor.connections).toHaveLength(1);
  expect(vendor.received.some((text) => text.includes('Hello there.'))).toBe(true);
  host.receive({ type: 'end', callId: 'answered', reason: 'USER_TERMINATED', say: null });
  await time.until('the result', () => sent.some(({ type }) => type === 'finished'));
  const result = sent.flatMap((message) => (message.type === 'finished' ? [message.result.faults] : []));
  expect(result).toEqual([[]]);
});

it('a call that is not answered closes it', async () => {
  await ring('unanswered');
  expect(vendor.open()).toBe(1);
  host.receive({ type: 'release', callId: 'unanswered' });
  await expect.poll(() => vendor.open()).toBe(0);
});
