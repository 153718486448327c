import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallTools } from '../domain/tools/call-tools.ts';
import { ManualClock } from '../shared/clock.ts';
import { silentLog } from '../shared/log.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import type { CallMedia } from '../workers/call-media.ts';
import type { CallSpec, ToolAnswer } from '../session/protocol.ts';
import { LiveCall, type CallDeps } from './call.ts';
import { LiveCalls, type LiveCallEvent } from './live-calls.ts';
import type { CallHandovers } from './tool-use.ts';

const REF: AttemptRef = { workspaceId: 'workspace', callId: 'call', attempt: 1, nodeId: 'node' };

/** A database in which every transaction fails, and how often one was tried. */
function brokenDatabase() {
  const broken = { tries: 0 };
  const execute = (): Promise<never> => {
    broken.tries += 1;
    return Promise.reject(new Error('a column is missing'));
  };
  return { broken, db: { transaction: () => ({ execute }) } as unknown as CallDeps['db'] };
}

const depsWith = (db: CallDeps['db'], live = new LiveCalls()): CallDeps => ({
  db,
  live,
  clock: new ManualClock(),
  rate: { creditsPerMinute: 1, pulseSeconds: 60 },
  recordingUrl: () => '',
  log: silentLog,
  talk: { add: () => undefined, flush: () => Promise.resolve(), forget: () => undefined },
  onSettled: () => undefined,
});

/** Media that records the calls of its methods. */
function tapedMedia(): { tape: unknown[][]; media: CallMedia } {
  const tape: unknown[][] = [];
  const media = new Proxy({} as CallMedia, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        void tape.push([name, ...args]),
  });
  return { tape, media };
}

it('a tool that cannot be run is answered as failed', async () => {
  const call = new LiveCall(REF, depsWith(brokenDatabase().db), () => undefined);
  const answered = new Promise<[number, ToolAnswer]>((resolve) => {
    const toolResult: CallMedia['toolResult'] = (requestId, answer) => resolve([requestId, answer]);
    call.attach({ toolResult } as CallMedia);
  });
  call.tools.setTools({
    transfer: () => null,
    run: () => Promise.reject(new Error('the database is away')),
  } as unknown as CallTools);
  call.onTool({ requestId: 7, name: 'lookup_knowledge', args: {}, key: '1' });
  expect(await answered).toEqual([7, { ok: false, result: { error: 'the tool failed' } }]);
});

it('agents that may take the call over are prepared ahead, but for those that cannot be read', async () => {
  const { tape, media } = tapedMedia();
  const call = new LiveCall(REF, depsWith(brokenDatabase().db), () => undefined);
  call.attach(media);
  const next = { id: 'b', spec: {} as CallSpec };
  const ahead = async (id: string) => (id === 'b' ? next : null);
  call.tools.setTools({} as CallTools, { ahead } as CallHandovers);
  call.onMayHandTo(['b', 'x']);
  await new Promise(setImmediate);
  expect(tape).toEqual([['prepareNext', next]]);
});

it('an end that a hangup reports at once follows the effects of the hangup', () => {
  const { tape, media } = tapedMedia();
  const call: LiveCall = new LiveCall(REF, depsWith(brokenDatabase().db), () =>
    call.remoteEnded('system', null, 9),
  );
  call.attach(media);
  call.answered(5, 'sip', { maxCallMs: 1000 } as CallSpec);
  call.onHangup('AGENT_ENDED');
  expect(tape.map(([name]) => name)).toEqual(['answered', 'remoteHangup']);
  expect([call.isEnding, call.isCut, call.isOver]).toEqual([true, false, false]);
  call.onLost('ended');
  expect(call.isOver).toBe(true);
});

it('a call that was deleted meanwhile ends for watchers with its own outcome', async () => {
  const empty: CallDeps['db'] = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const live = new LiveCalls();
  const seen: LiveCallEvent[] = [];
  const call = new LiveCall(REF, depsWith(empty, live), () => undefined);
  live.watch('workspace', 'call', (event) => void seen.push(event));
  call.failed({ failure: 'busy', sipCode: 486, reason: '486 Busy Here', neverSent: false, at: 3 });
  await call.done;
  expect(seen).toMatchObject([{ type: 'ended', status: 'failed', subStatus: 'BUSY', failure: null }]);
});

describe('a settlement that can never be stored', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Ends a call whose settlement fails 60 times; returns the events of its watcher. */
  async function unsettled(isClaimed: boolean): Promise<{ seen: LiveCallEvent[]; tries: number }> {
    const { broken, db } = brokenDatabase();
    const live = new LiveCalls();
    const seen: LiveCallEvent[] = [];
    const call = new LiveCall(REF, depsWith(db, live), () => undefined, isClaimed);
    live.watch('workspace', 'call', (event) => void seen.push(event));
    call.onLost('ended');
    await vi.advanceTimersByTimeAsync(600_000);
    await call.done;
    return { seen, tries: broken.tries };
  }

  it('ends for watchers as the reaper will store it: the phone may have rung', async () => {
    const { seen, tries } = await unsettled(false);
    expect(tries).toBe(60);
    expect(seen).toMatchObject([
      { type: 'ended', status: 'error', subStatus: 'UNKNOWN_AFTER_CRASH', failure: { code: 'PROCESS_LOST' } },
    ]);
  });

  it('stays claimed for watchers before its dial, as the reaper will release it', async () => {
    const { seen } = await unsettled(true);
    expect(seen).toMatchObject([{ type: 'ended', status: 'ongoing', subStatus: 'QUEUED', failure: null }]);
  });
});

it('the settlement has what the far side said in its BYE', async () => {
  const call = new LiveCall(REF, depsWith(brokenDatabase().db), () => undefined);
  const settle = vi
    .spyOn(call.journal, 'settle')
    .mockResolvedValue({ status: 'completed', subStatus: 'USER_LEFT', failure: null });
  call.answered(5, 'sip', { maxCallMs: 1000 } as CallSpec);
  call.remoteEnded('caller', null, 9, { reason: 'Q.850 16', others: { 'x-account': '42' } });
  call.onLost('ended');
  await call.done;
  expect(settle).toHaveBeenCalledWith(
    expect.objectContaining({ variables: { bye_reason: 'Q.850 16', bye_x_account: '42' } }),
  );
});

it('follows a REFER of the far side only while the call is answered and the target is permitted', async () => {
  const call = new LiveCall(REF, depsWith(brokenDatabase().db), () => undefined);
  const refer = { to: '+15550003', headers: { others: { 'x-desk': 'sales' } } };
  const permit = vi.fn(async (to: string) => to === '+15550003');
  expect(await call.referred(refer, permit)).toBe(false);
  expect(permit).not.toHaveBeenCalled();
  const settle = vi
    .spyOn(call.journal, 'settle')
    .mockResolvedValue({ status: 'completed', subStatus: 'USER_LEFT', failure: null });
  call.answered(5, 'sip', { maxCallMs: 1000 } as CallSpec);
  expect(await call.referred({ ...refer, to: '+15550009' }, permit)).toBe(false);
  expect(await call.referred(refer, permit)).toBe(true);
  call.remoteEnded('caller', null, 9);
  expect(await call.referred(refer, permit)).toBe(false);
  call.onLost('ended');
  await call.done;
  expect(settle).toHaveBeenCalledWith(expect.objectContaining({ variables: { refer_x_desk: 'sales' } }));
});
