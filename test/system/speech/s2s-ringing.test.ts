import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeVendor, fakeGoogle, startFakeVendor } from '@callwright/stand-ins';
import { createProviders } from '../../../src/providers/choose/installation.ts';
import { FreeSpace } from '../../../src/shared/free-space.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { KnowledgeIndexes } from '../../../src/shared/knowledge/knowledge-index.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { CallHost } from '../../../src/workers/call-host.ts';
import { ChosenProviders } from '../../../src/providers/choose/open.ts';
import type { CallSpec } from '../../../src/session/protocol.ts';
import { KeptEvents } from '../../rigs/calls/kept-events.ts';
import { virtualSpec } from '../../rigs/calls/virtual-session.ts';
import { VirtualLeg } from '../../rigs/calls/virtual-leg.ts';
import { VirtualTime } from '../../rigs/calls/virtual-time.ts';

let vendor: FakeVendor;
let chosen: ChosenProviders;
let host: CallHost;
const time = new VirtualTime(new ManualClock());
const events = new KeptEvents();
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
    chosen,
    indexes: new KnowledgeIndexes(),
    scheduler: time,
    clock: time.clock,
    log: silentLog,
    recordingsDir: tmpdir(),
    space: new FreeSpace(tmpdir(), 0),
    openLeg: () => {
      const [leg, far] = [new VirtualLeg(time), new VirtualLeg(time)];
      VirtualLeg.join(leg, far);
      return Promise.resolve(leg);
    },
    openStreamLeg: () => {
      throw new Error('no calls over WebSockets here');
    },
    openWebLeg: () => {
      throw new Error('no browser calls here');
    },
    freePairs: () => 1,
    main: events.main,
  });
});
afterAll(async () => {
  await host.close();
  await Promise.all([vendor.close(), chosen.close()]);
});

/** A call that rings, and has its connection. */
async function ring(callId: string): Promise<CallSpec> {
  const before = vendor.connections.length;
  expect(await host.allocate(callId, { sampleRate: 8_000 })).toHaveProperty('port');
  const ringing = spec(callId);
  host.call(callId)?.prepare(ringing);
  await expect.poll(() => vendor.connections.length).toBe(before + 1);
  return ringing;
}

it('a call that is answered speaks over the connection that was opened while it rang', async () => {
  const ringing = await ring('answered');
  host.call('answered')?.answered(ringing, time.now());
  const stop = time.pace();
  const said = (): boolean =>
    events.all('live').some(([, event]) => event.type === 'line' && event.line.text === 'Hello there.');
  await time.until('the first message', said);
  stop();
  expect(vendor.connections).toHaveLength(1);
  expect(vendor.received.some((text) => text.includes('Hello there.'))).toBe(true);
  host.call('answered')?.end('USER_TERMINATED', null);
  await time.until('the result', () => events.names.includes('finished'));
  expect(events.all('finished').map(([, { faults }]) => faults)).toEqual([[]]);
});

it('a call that is not answered closes it', async () => {
  await ring('unanswered');
  expect(vendor.open()).toBe(1);
  host.call('unanswered')?.release();
  await expect.poll(() => vendor.open()).toBe(0);
});
