import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeptEvents } from '../../test/rigs/calls/kept-events.ts';
import { virtualSpec } from '../../test/rigs/calls/virtual-session.ts';
import { VirtualLeg } from '../../test/rigs/calls/virtual-leg.ts';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { createFakeLlm } from '../offline/scripted/llm.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import type { Providers } from '../providers/choose/installation.ts';
import { createVadProvider } from '../providers/vad/provider.ts';
import { FreeSpace } from '../shared/free-space.ts';
import { ManualClock } from '../shared/clock.ts';
import { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import { silentLog } from '../shared/log.ts';
import { CallHost } from './call-host.ts';
import type { Allocation, RtpTerms } from './call-media.ts';
import type { HostedCall } from './hosted-call.ts';
import type { ChosenProviders } from '../providers/choose/open.ts';
import type { CallSpec } from '../session/protocol.ts';

const CALL = 'call';
let time: VirtualTime;
let providers: Providers;
let events: KeptEvents;
let legs: ClosableLeg[];
let terms: RtpTerms[];
/** Settles the load of the call's providers. */
let loading: PromiseWithResolvers<void>;
let opening: PromiseWithResolvers<void> | null;
let host: CallHost;

class ClosableLeg extends VirtualLeg {
  isClosed = false;

  override close(): Promise<void> {
    this.isClosed = true;
    return super.close();
  }
}

/** An agent whose vendors' adapters are not loaded yet. */
const spec = (): CallSpec => ({ ...virtualSpec({}), callId: CALL, providers: { stt: [] } });
const call = (): HostedCall => host.call(CALL)!;
const settled = async (): Promise<void> => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};
async function allocated(): Promise<void> {
  expect(await host.allocate(CALL, { sampleRate: 8_000 })).toHaveProperty('port');
}
async function answered(): Promise<void> {
  await allocated();
  call().answered(spec(), time.now());
}
/** The result of the call. Its end compresses the event log in real time, in which virtual time stands still. */
async function finished() {
  await time.until('the end of the call', () => host.call(CALL)?.finishing ?? true);
  const [, result] = await vi.waitUntil(() => events.all('finished').at(0), { timeout: 60_000, interval: 1 });
  return result;
}

beforeEach(() => {
  time = new VirtualTime(new ManualClock());
  events = new KeptEvents();
  legs = [];
  terms = [];
  loading = Promise.withResolvers();
  opening = null;
  providers = {
    vad: createVadProvider({ engine: 'light' }),
    stt: createFakeStt({ scheduler: time }),
    tts: createFakeTts({ scheduler: time }),
    llm: createFakeLlm({ scheduler: time }),
  };
  const chosen = {
    lacks: () => true,
    load: () => loading.promise,
    of: () => ({ providers, ring: () => undefined, release: () => undefined }),
  } as unknown as ChosenProviders;
  host = new CallHost({
    providers,
    chosen,
    indexes: new KnowledgeIndexes(),
    scheduler: time,
    clock: time.clock,
    log: silentLog,
    recordingsDir: '/',
    space: new FreeSpace('/', 0),
    openLeg: async (wanted) => {
      await opening?.promise;
      terms.push(wanted);
      const leg = new ClosableLeg(time);
      VirtualLeg.join(leg, new VirtualLeg(time));
      legs.push(leg);
      return leg;
    },
    openStreamLeg: () => {
      throw new Error('not part of this test');
    },
    openWebLeg: () => {
      throw new Error('no browser calls here');
    },
    freePairs: () => 1,
    main: events.main,
  });
});

describe('while the providers of an answered call load', () => {
  it('a hangup by the far side ends it as the far side’s', async () => {
    await answered();
    call().remoteHangup(time.now());
    await settled();
    expect(events.names).toEqual([]);
    loading.resolve();
    expect(await finished()).toMatchObject({ reason: 'USER_LEFT' });
    expect(legs.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  it('a hangup by the API ends it', async () => {
    await answered();
    call().end('USER_TERMINATED', null);
    loading.resolve();
    expect(await finished()).toMatchObject({ reason: 'USER_TERMINATED' });
  });

  it('a second answer begins no second conversation', async () => {
    await answered();
    call().answered(spec(), time.now());
    loading.resolve();
    await settled();
    call().end('USER_TERMINATED', null);
    await finished();
    await time.advance(1_000);
    expect(events.all('finished')).toHaveLength(1);
  });

  it('a load that fails ends the call, not the thread', async () => {
    await answered();
    loading.reject(new Error('the adapter is broken'));
    await settled();
    expect(events.names).toEqual(['onHangup']);
    expect(events.all('onHangup')).toMatchObject([['FAILED', { code: 'CONVERSATION_NOT_STARTED' }]]);
    expect(legs.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  it('a stop ends the call before it has begun', async () => {
    await answered();
    await host.close();
    loading.resolve();
    await time.advance(1_000);
    expect(events.names).toEqual([]);
    expect([host.calls, legs.map(({ isClosed }) => isClosed)]).toEqual([0, [true]]);
  });
});

it('a load that fails while the call rings is not an error of the thread', async () => {
  await allocated();
  call().prepare(spec());
  loading.reject(new Error('the adapter is broken'));
  await settled();
  expect(host.calls).toBe(1);
});

it('a provider that fails to connect early is not an error of the thread', async () => {
  providers.llm.warm = () => {
    throw new Error('no connection');
  };
  await allocated();
  call().prepare(virtualSpec({}));
  await settled();
  expect(host.calls).toBe(1);
});

it('connects to model and voice of an agent that may take the call over, and outlives a failure', async () => {
  const warmed: unknown[] = [];
  providers.llm.warm = () => void warmed.push('model');
  providers.tts.warm = ({ voiceKey, language }, text) => void warmed.push([voiceKey, language, text]);
  await allocated();
  const agent = { voiceKey: 'fake:billing', introMessage: 'This is billing.', language: 'hi-IN' as const };
  call().prepareNext({ id: 'b', spec: virtualSpec({ agent }) });
  await settled();
  expect(warmed).toEqual(['model', ['fake:billing', 'hi-IN', 'This is billing.']]);
  providers.llm.warm = () => {
    throw new Error('no connection');
  };
  call().prepareNext({ id: 'b', spec: virtualSpec({ agent }) });
  await settled();
  expect(host.calls).toBe(1);
});

it('providers that fail to close cost neither the result nor the leg', async () => {
  const broken = (): never => {
    throw new Error('broken');
  };
  const { stt, tts, llm } = providers;
  providers.stt = { ...stt, open: (options) => ({ ...stt.open(options), close: broken }) };
  providers.tts = { ...tts, open: (voice) => ({ ...tts.open(voice), close: broken }) };
  providers.llm = { ...llm, open: (context) => ({ ...llm.open(context), close: broken }) };
  await answered();
  loading.resolve();
  await time.advance(500);
  call().remoteHangup(time.now());
  expect(await finished()).toMatchObject({ reason: 'USER_LEFT' });
  await settled();
  expect([host.calls, legs.map(({ isClosed }) => isClosed)]).toEqual([0, [true]]);
});

it('a leg that opens after the stop is closed', async () => {
  opening = Promise.withResolvers();
  const allocation = host.allocate(CALL, { sampleRate: 8_000 });
  await host.close();
  opening.resolve();
  expect(await allocation).toMatchObject({ refusal: 'the call worker is stopping' });
  expect(events.names).toEqual([]);
  expect([host.calls, legs.map(({ isClosed }) => isClosed)]).toEqual([0, [true]]);
});

it('the second leg of a transfer that cannot begin is closed, and another may be opened', async () => {
  let fails = true;
  providers.tts = createFakeTts({
    scheduler: time,
    onSpeak: (text) => {
      if (fails && text === 'A caller for you.') throw new Error('the voice is broken');
    },
  });
  await answered();
  loading.resolve();
  await time.advance(100);
  const bridge = (): Promise<Allocation> => call().openBridge('A caller for you.', null);
  expect(await bridge()).toMatchObject({ refusal: 'the voice is broken' });
  expect(legs.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  fails = false;
  expect(await bridge()).toHaveProperty('port');
});

it('the second leg binds the address of the first, and has its rate', async () => {
  await host.allocate(CALL, { sampleRate: 8_000, host: '192.0.2.1' });
  call().answered(spec(), time.now());
  loading.resolve();
  await time.advance(100);
  expect(await call().openBridge('', null)).toHaveProperty('port');
  const { sampleRate } = call().leg;
  expect(terms).toEqual([
    { sampleRate: 8_000, host: '192.0.2.1' },
    { sampleRate, host: '192.0.2.1' },
  ]);
});
