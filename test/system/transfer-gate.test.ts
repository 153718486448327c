import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimTurn, type Claimed } from '../../src/dialer/claim.ts';
import { permitTransfer, type TransferPermit } from '../../src/dialer/transfer-gate.ts';
import type { AttemptRef } from '../../src/store/attempts.ts';
import type { JsonObject } from '../../src/store/schema.ts';
import { removeTransferLeg } from '../../src/store/transfer-legs.ts';
import { createNode, createWorkspace, queueCalls, type TestWorkspace } from '../helpers/world.ts';
import { createGround, type Ground } from '../helpers/ground.ts';

const DESK = '+14155550111';

const FULL: TransferPermit = { go: false, reason: 'every line of the trunk is in use' };
let ground: Ground;
let nodeId = '';
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.renew();
  nodeId = await createNode(ground.db);
});

const claim = async (): Promise<readonly Claimed[]> => {
  const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
  const turn = await claimTurn(
    { db: ground.db, clock: ground.clock, rate, nodeId },
    { visited: [], capacity: 100 },
  );
  return turn?.claimed ?? [];
};
/** So many live calls on a trunk with these settings. */
async function live(calls: number, settings: JsonObject): Promise<{ w: TestWorkspace; refs: Claimed[] }> {
  const w = await createWorkspace(ground.db, { trunks: { carrier: settings } });
  await queueCalls(ground.db, w, calls);
  const refs = [...(await claim())];
  expect(refs).toHaveLength(calls);
  return { w, refs };
}
const permit = (ref: Claimed | undefined, to = DESK): Promise<TransferPermit> =>
  ref === undefined
    ? Promise.reject(new Error('no call'))
    : permitTransfer({ db: ground.db, clock: ground.clock }, ref, ref.trunkId, to);

describe('the gate of a transfer', () => {
  it('gives each second leg a line of the trunk, for other transfers and for calls that wait', async () => {
    const { w, refs } = await live(2, { max_calls: 3 });
    expect(await permit(refs[0])).toMatchObject({ go: true, from: '+14155550100' });
    expect(await permit(refs[1])).toEqual(FULL);
    await queueCalls(ground.db, w, 1);
    expect(await claim()).toEqual([]);
    await removeTransferLeg(ground.db, refs[0] as AttemptRef);
    expect(await permit(refs[1])).toMatchObject({ go: true });
    // What a process left behind that died counts no more once its call is settled.
    await sql`update calls set status = 'error' where id = ${refs[1]?.callId}`.execute(ground.db);
    expect(await claim()).toHaveLength(1);
    expect(await permit(refs[0])).toMatchObject({ go: true });
    const { rows } = await sql<{ id: string }>`select call_id as id from transfer_legs`.execute(ground.db);
    expect(rows).toEqual([{ id: refs[0]?.callId }]);
  });

  it('gives only one of many that ask at once the last line', async () => {
    const { refs } = await live(5, { max_calls: 6 });
    const answers = await Promise.all(refs.map((ref) => permit(ref)));
    expect(answers.filter((answer) => answer.go === true)).toHaveLength(1);
    expect(answers.filter((answer) => answer.go === false)).toEqual([FULL, FULL, FULL, FULL]);
  });

  it('keeps to the pace of the trunk, and says how long to wait', async () => {
    const { refs } = await live(1, { calls_per_second: 1 });
    expect(await permit(refs[0])).toMatchObject({ go: 'later', waitMs: 1000 });
    ground.clock.advance(1000);
    expect(await permit(refs[0])).toMatchObject({ go: true });
    expect(await permit(refs[0])).toMatchObject({ go: 'later' });
  });

  it('says no to listed numbers, refused destinations, calls that are over and processes taken for dead', async () => {
    const { w, refs } = await live(2, {});
    const [ref, other] = refs;
    await sql`insert into do_not_call (workspace_id, number, reason, created_at)
      values (${w.id}, ${DESK}, 'api', ${new Date(ground.clock.now())})`.execute(ground.db);
    expect(await permit(ref)).toEqual({ go: false, reason: 'the number is on the do-not-call list' });
    await sql`update workspaces set settings = ${JSON.stringify({ limits: { denied_destinations: ['IN'] } })}`.execute(
      ground.db,
    );
    expect(await permit(ref, '+919876543210')).toEqual({
      go: false,
      reason: 'the workspace does not dial this destination',
    });
    expect(await permit(ref, 'sip:desk@pbx.example.com')).toMatchObject({ go: true });
    await sql`update calls set status = 'completed' where id = ${ref?.callId}`.execute(ground.db);
    expect(await permit(ref, '+14155550112')).toEqual({ go: false, reason: 'the call is over' });
    await sql`update nodes set fenced_at = ${new Date(ground.clock.now())}`.execute(ground.db);
    expect(await permit(other, '+14155550112')).toMatchObject({ go: false });
  });
});
