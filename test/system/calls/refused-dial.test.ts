import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LiveCalls, type LiveCallEvent } from '../../../src/dialer/live-calls.ts';
import { placeOutbound, type OutboundDeps } from '../../../src/dialer/outbound.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { release } from '../../../src/domain/calls/attempt/release.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import type { Db } from '../../../src/store/database.ts';
import type { CallMedia, CallMediaEvents } from '../../../src/workers/call-media.ts';
import {
  createDialing,
  placingDeps,
  preparedTools,
  withoutDatabase,
  wholeCall,
  type Dialing,
} from '../../helpers/calls/claiming-node.ts';

// A claimed call that the dial gate refuses after its pre-call tools ran.
let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

const AWAY = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
const TOOL = { name: 'look_up', args: {}, result: { found: true }, at: 5, ok: true, phase: 'pre_call' };

/** Places the call; returns the events its watcher got and the number of INVITEs. */
async function place(
  c: Claimed,
  { live = new LiveCalls(), ...over }: Record<string, unknown> & { live?: LiveCalls } = {},
  call: () => unknown = () => null,
): Promise<{ seen: LiveCallEvent[]; invites: number }> {
  const seen: LiveCallEvent[] = [];
  let invites = 0;
  const { signalling } = placingDeps(dialing);
  const deps = placingDeps(dialing, {
    live,
    signalling: {
      ...signalling,
      call: () => {
        invites += 1;
        return call();
      },
    },
    prepare: async () => ({ ready: true, tools: preparedTools([TOOL]) }),
    ...over,
  });
  const placed = placeOutbound(deps, wholeCall(c));
  live.watch(c.workspaceId, c.callId, (event) => void seen.push(event));
  await placed;
  expect(live.size).toBe(0);
  return { seen, invites };
}

const storedOf = async ({ callId }: Claimed) => {
  const { status, sub_status: subStatus } = await dialing.db
    .selectFrom('calls')
    .select(['status', 'sub_status'])
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  return { status, subStatus };
};
const toolLogs = async () =>
  (await dialing.db.selectFrom('call_records').select('tool_log').execute()).map((row) => row.tool_log);

async function list(number: string, workspaceId: string): Promise<void> {
  await dialing.db
    .insertInto('do_not_call')
    .values({ workspace_id: workspaceId, number, reason: 'test', created_at: new Date() })
    .execute();
}

describe('a call that the dial gate refuses', () => {
  it('ends for its watchers with the stored status when the callee is on the do-not-call list', async () => {
    const { claimed } = await dialing.claimedContact();
    await list(claimed.toNumber, claimed.workspaceId);
    const { seen, invites } = await place(claimed);
    expect(invites).toBe(0);
    expect(await storedOf(claimed)).toEqual({ status: 'failed', subStatus: 'DND_SKIPPED' });
    expect(seen).toMatchObject([{ type: 'ended', status: 'failed', subStatus: 'DND_SKIPPED' }]);
  });

  it('keeps the log of its pre-call tools in the record and in call_completed', async () => {
    const { claimed } = await dialing.claimedContact();
    await list(claimed.toNumber, claimed.workspaceId);
    await place(claimed);
    expect(await toolLogs()).toEqual([[TOOL]]);
    const events = await dialing.db
      .selectFrom('events')
      .select(['event_type', 'body'])
      .orderBy('seq')
      .execute();
    expect(events.map((event) => event.event_type)).toEqual(['call_completed', 'all_processing_completed']);
    for (const { body } of events) {
      expect(body).toMatchObject({ sub_status: 'DND_SKIPPED', tool_call_logs: [TOOL] });
    }
  });

  it('is queued again for its watchers and in the database when its campaign stopped', async () => {
    const { claimed } = await dialing.claimedContact();
    await dialing.db.updateTable('campaigns').set({ state: 'paused' }).execute();
    const { seen, invites } = await place(claimed);
    expect(invites).toBe(0);
    expect(await storedOf(claimed)).toEqual({ status: 'registered', subStatus: 'QUEUED' });
    expect(seen).toMatchObject([{ type: 'ended', status: 'registered', subStatus: 'QUEUED' }]);
    expect(await toolLogs()).toEqual([[TOOL]]);
  });

  it('is queued again when the process stops while a tool runs, also if the tool fails then', async () => {
    const { claimed } = await dialing.claimedContact();
    const live = new LiveCalls();
    const prepare = async (): Promise<unknown> => {
      live.cutAll('stopped');
      return { ready: false, log: [{ ...TOOL, ok: false }] };
    };
    const { seen, invites } = await place(claimed, { live, prepare });
    expect(invites).toBe(0);
    expect(await storedOf(claimed)).toEqual({ status: 'registered', subStatus: 'LIMIT_REACHED' });
    expect(seen).toMatchObject([{ type: 'ended', status: 'registered', subStatus: 'LIMIT_REACHED' }]);
  });

  it('shows the status of a concurrent cancellation', async () => {
    const { claimed } = await dialing.claimedContact();
    await dialing.db
      .updateTable('calls')
      .set({ status: 'cancelled', sub_status: 'USER_TERMINATED', node_id: null })
      .execute();
    const { seen } = await place(claimed);
    expect(seen).toMatchObject([{ type: 'ended', status: 'cancelled', subStatus: 'USER_TERMINATED' }]);
  });

  it('stays claimed, for its watchers too, when the gate cannot be passed at all', async () => {
    const { claimed } = await dialing.claimedContact();
    const { seen } = await withoutDatabase((db) => place(claimed, { db, releaseOutageMs: 0 }));
    expect(seen).toMatchObject([{ type: 'ended', status: 'ongoing', subStatus: 'QUEUED' }]);
    expect(await storedOf(claimed)).toEqual({ status: 'ongoing', subStatus: 'QUEUED' });
  });
});

describe('a dial gate that broke in an outage', () => {
  /** The connection breaks before the first transaction or after its commit; later ones work. */
  function breakingOnce(when: 'before' | 'after'): { db: Db; tries: () => number } {
    let tries = 0;
    const db = new Proxy(dialing.db, {
      get(target, name) {
        if (name !== 'transaction') return Reflect.get(target, name, target);
        return () => ({
          execute: async (work: never) => {
            tries += 1;
            if (tries === 1 && when === 'before') throw AWAY;
            const done: unknown = await target.transaction().execute(work);
            if (tries === 1) throw AWAY;
            return done;
          },
        });
      },
    });
    return { db, tries: () => tries };
  }

  it.each([
    ['before its commit', 'before'],
    ['after its commit, whose answer was lost', 'after'],
  ] as const)('%s, the call is queued again: no INVITE left, and no retry is used', async (_, when) => {
    const { claimed } = await dialing.claimedContact();
    const { db, tries } = breakingOnce(when);
    const { seen, invites } = await place(claimed, { db });
    expect([invites, tries()]).toEqual([0, 2]);
    expect(await storedOf(claimed)).toEqual({ status: 'registered', subStatus: 'QUEUED' });
    expect(seen).toMatchObject([{ type: 'ended', status: 'registered', subStatus: 'QUEUED' }]);
    expect(await toolLogs()).toEqual([[TOOL]]);
    expect(await dialing.db.selectFrom('call_attempts').selectAll().execute()).toEqual([]);
    dialing.clock.advance(1000);
    expect(await dialing.taken(1)).toMatchObject([{ callId: claimed.callId, attempt: 1 }]);
    const counts = await dialing.db.selectFrom('calls').select(['retries_used', 'attempt']).execute();
    expect(counts).toEqual([{ retries_used: 0, attempt: 1 }]);
  });
});

describe('a release whose answer was lost, repeated after the same node has claimed the call again', () => {
  /** Dials and releases a call, and claims it again: the new attempt has the number and the node of the first one. */
  async function claimedTwice(): Promise<{ first: Claimed; second: Claimed }> {
    const { claimed: first } = await dialing.claimedContact();
    const at = dialing.clock.now();
    await dial(dialing.deps, first);
    const again = { subStatus: 'QUEUED', dueAt: at, isUnsent: true } as const;
    expect(await release(dialing.deps, first, again)).toMatchObject({ released: true });
    dialing.clock.advance(1000);
    const [second] = await dialing.taken(1);
    if (second === undefined) throw new Error('nothing claimed');
    expect([second.callId, second.attempt, second.nodeId]).toEqual([
      first.callId,
      first.attempt,
      first.nodeId,
    ]);
    return { first, second };
  }
  const attempts = () => dialing.db.selectFrom('call_attempts').select(['status', 'dialed_at']).execute();

  it.each(['claimed', 'dialing'] as const)('leaves the new attempt alone while it is %s', async (status) => {
    const { first, second } = await claimedTwice();
    if (status === 'dialing') await dial(dialing.deps, second);
    const before = await attempts();
    expect(before).toMatchObject([{ status }]);
    const again = { subStatus: 'QUEUED', dueAt: dialing.clock.now() };
    for (const isUnsent of [{}, { isUnsent: true }] as const) {
      expect(await release(dialing.deps, first, { ...again, ...isUnsent })).toEqual({
        released: false,
        stored: { status: 'ongoing', subStatus: 'QUEUED' },
      });
    }
    expect(await dialing.settle(first)).toMatchObject({ settled: false });
    expect(await attempts()).toEqual(before);
    expect((await dialing.settle(second)).settled).toBe(true);
  });

  it('queues the call once when it is not claimed again', async () => {
    const { claimed } = await dialing.claimedContact();
    const again = { subStatus: 'QUEUED', dueAt: dialing.clock.now() };
    expect(await release(dialing.deps, claimed, again)).toMatchObject({ released: true });
    expect(await release(dialing.deps, claimed, again)).toEqual({
      released: false,
      stored: { status: 'registered', subStatus: 'QUEUED' },
    });
  });
});

it('a claim of a call whose previous attempt is still live in this process is released, and leaves that attempt alone', async () => {
  const { claimed } = await dialing.claimedContact();
  const live = new LiveCalls();
  const seen: LiveCallEvent[] = [];
  live.add(claimed.workspaceId, claimed.callId, {
    hangup: () => undefined,
    cut: () => undefined,
    control: () => false,
    listen: () => false,
    unlisten: () => undefined,
  });
  live.watch(claimed.workspaceId, claimed.callId, (event) => void seen.push(event));
  let allocated = 0;
  await placeOutbound(
    placingDeps(dialing, { live, allocate: () => Promise.reject(new Error(`${(allocated += 1)}`)) }),
    wholeCall(claimed),
  );
  expect([allocated, seen, live.has(claimed.callId)]).toEqual([0, [], true]);
  expect(await storedOf(claimed)).toEqual({ status: 'registered', subStatus: 'LIMIT_REACHED' });
});

it('a call on a trunk that its process does not know fails instead of taking the process down', async () => {
  const { claimed } = await dialing.claimedContact();
  const { seen } = await place(claimed, {}, () => {
    throw new Error('Call on an unknown trunk');
  });
  const stored = await storedOf(claimed);
  expect(stored).toEqual({ status: 'retry', subStatus: 'RETRY_SCHEDULED' });
  expect(seen).toMatchObject([{ type: 'ended', ...stored }]);
});

describe('a call that ends while it passes the dial gate', () => {
  /** Places a call; `end` runs after its dial is journalled and before its INVITE. */
  async function endedInGate(end: (live: LiveCalls, events: CallMediaEvents) => void, claimed: Claimed) {
    const live = new LiveCalls();
    let events: CallMediaEvents | null = null;
    const { db } = dialing;
    const gated = new Proxy(db, {
      get(target, name) {
        if (name !== 'transaction') return Reflect.get(target, name, target);
        return () => ({
          execute: async (work: never) => {
            const done: unknown = await target.transaction().execute(work);
            if (isGatePassed(done)) end(live, events!);
            return done;
          },
        });
      },
    });
    const allocate: OutboundDeps['allocate'] = async (_, given) => {
      events = given;
      return { port: 40_000, release: () => undefined, prepare: () => undefined } as unknown as CallMedia;
    };
    return place(claimed, { live, db: gated, allocate });
  }
  const isGatePassed = (done: unknown): boolean =>
    typeof done === 'object' && done !== null && 'go' in done && done.go === true;

  it('is not dialled after a user hung it up, and is not retried', async () => {
    const { claimed } = await dialing.claimedContact();
    const { seen, invites } = await endedInGate(
      (live) => live.hangup(claimed.workspaceId, claimed.callId),
      claimed,
    );
    expect(invites).toBe(0);
    expect(await storedOf(claimed)).toEqual({ status: 'failed', subStatus: 'USER_TERMINATED' });
    expect(seen).toMatchObject([{ type: 'ended', status: 'failed', subStatus: 'USER_TERMINATED' }]);
  });

  it('is not dialled after its worker was lost, and is retried', async () => {
    const { claimed } = await dialing.claimedContact();
    const { invites } = await endedInGate((_, events) => events.onLost('ended'), claimed);
    expect(invites).toBe(0);
    expect(await storedOf(claimed)).toEqual({ status: 'retry', subStatus: 'RETRY_SCHEDULED' });
  });

  it('is queued again without a retry after the process cut it', async () => {
    const { claimed } = await dialing.claimedContact();
    const { invites } = await endedInGate((live) => live.cutAll('stopped'), claimed);
    expect(invites).toBe(0);
    expect(await storedOf(claimed)).toEqual({ status: 'registered', subStatus: 'QUEUED' });
  });
});
