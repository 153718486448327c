import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LiveCalls, type LiveCallEvent } from '../../../src/dialer/live-calls.ts';
import { placeOutbound, type OutboundDeps } from '../../../src/dialer/outbound.ts';
import type { Claimed } from '../../../src/scheduler/claim.ts';
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

const TOOL = { name: 'look_up', args: {}, result: { found: true }, at: 5, ok: true, phase: 'pre_call' };

/** Places the call; returns the events its watcher got and the number of INVITEs. */
async function place(
  c: Claimed,
  { live = new LiveCalls(), ...over }: Record<string, unknown> & { live?: LiveCalls } = {},
  call: () => unknown = () => undefined,
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
    const { seen } = await withoutDatabase((db) => place(claimed, { db }));
    expect(seen).toMatchObject([{ type: 'ended', status: 'ongoing', subStatus: 'QUEUED' }]);
    expect(await storedOf(claimed)).toEqual({ status: 'ongoing', subStatus: 'QUEUED' });
  });
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
