import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { LiveCall } from '../../../src/dialer/call.ts';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { toolPreparer } from '../../../src/dialer/prepare-call.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { CallSpec } from '../../../src/session/protocol.ts';
import type { CallMedia } from '../../../src/workers/call-media.ts';
import { createDialing, placingDeps, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { eventually } from '../../helpers/service/service.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

const settling = () => ({
  db: dialing.db,
  clock: dialing.clock,
  rate: dialing.deps.rate,
  recordingUrl: () => '',
});
const silentMedia = {
  answered: () => undefined,
  toolResult: () => undefined,
  release: () => undefined,
  end: () => undefined,
} as unknown as CallMedia;

/** A live call whose callback tool has just confirmed a callback at three tomorrow. */
async function promised(): Promise<{ claimed: Claimed; call: LiveCall }> {
  const { clock } = dialing;
  const { claimed } = await dialing.claimedContact();
  await dial(dialing.deps, claimed);
  const prepare = toolPreparer({ clock, log: silentLog } as unknown as Parameters<typeof toolPreparer>[0]);
  const prepared = await prepare({
    ...claimed,
    config: claimed.versionConfig,
    from: claimed.fromNumber,
    to: claimed.toNumber,
    direction: 'outbound',
    byStranger: false,
    variables: {},
    callTime: null,
    budgetMs: 1000,
  });
  if (!prepared.ready) throw new Error('the tools are not ready');
  const call = new LiveCall(claimed, placingDeps(dialing), () => undefined);
  call.attach(silentMedia);
  call.tools.setTools(prepared.tools);
  call.answered(clock.now(), 'sip', { maxCallMs: 1000 } as unknown as CallSpec);
  const args = { when: 'tomorrow at 3 pm' };
  call.onTool({ requestId: 1, name: 'schedule_callback', args, key: '1' });
  await eventually('the journal to know it', async () => {
    const row = await dialing.db
      .selectFrom('call_attempts')
      .select('callback_at')
      .where('call_id', '=', claimed.callId)
      .executeTakeFirst();
    return row?.callback_at ?? null;
  });
  return { claimed, call };
}

const callbacks = async ({ callId }: Claimed) =>
  (
    await dialing.db
      .selectFrom('calls')
      .select('next_attempt_at')
      .where('parent_call_id', '=', callId)
      .execute()
  ).map((row) => row.next_attempt_at?.toISOString());

it('a confirmed callback is scheduled after the call’s worker ends', async () => {
  const { claimed, call } = await promised();
  call.onLost('ended');
  await call.done;
  expect(await callbacks(claimed)).toEqual(['2026-01-06T15:00:00.000Z']);
});

it('a confirmed callback is scheduled once after the process dies', async () => {
  const { claimed, call } = await promised();
  await dialing.db
    .updateTable('nodes')
    .set({ fenced_at: new Date(dialing.clock.now()) })
    .execute();
  expect(await reapOrphans(settling())).toBe(1);
  call.onLost('ended');
  await call.done;
  expect(await callbacks(claimed)).toEqual(['2026-01-06T15:00:00.000Z']);
});
