import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import {
  permitRedirect,
  permitRefer,
  permitTransfer,
  type ReferPermit,
  type TransferPermit,
} from '../../../src/dialer/transfer.ts';
import { closeTransferLeg } from '../../../src/domain/calls/attempt/transfer-charges.ts';
import type { JsonObject } from '../../../src/store/schema.ts';
import {
  createNode,
  createWorkspace,
  queueCalls,
  type TestWorkspace,
} from '../../helpers/database/workspace.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';

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

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const deps = () => ({ db: ground.db, clock: ground.clock, rate });
const claim = async (): Promise<readonly Claimed[]> => {
  const turn = await claimBatch(
    { db: ground.db, clock: ground.clock, rate, nodeId },
    { visited: [], capacity: 100 },
  );
  return turn?.claimed ?? [];
};
/** Live calls on a trunk with the given settings. */
async function live(calls: number, settings: JsonObject): Promise<{ w: TestWorkspace; refs: Claimed[] }> {
  const w = await createWorkspace(ground.db, { trunks: { carrier: settings } });
  await queueCalls(ground.db, w, calls);
  const refs = [...(await claim())];
  expect(refs).toHaveLength(calls);
  return { w, refs };
}
const permit = (ref: Claimed | undefined, to = DESK): Promise<TransferPermit> =>
  ref === undefined ? Promise.reject(new Error('no call')) : permitTransfer(deps(), ref, ref.trunkId, to);

const permitCold = (ref: Claimed | undefined, to: string): Promise<ReferPermit> =>
  ref === undefined ? Promise.reject(new Error('no call')) : permitRefer(deps(), ref, ref.trunkId, to);
const setLimits = (limits: JsonObject): Promise<unknown> =>
  sql`update workspaces set settings = ${JSON.stringify({ limits })}`.execute(ground.db);

describe('transfer gate', () => {
  it('counts a second leg as a trunk channel against other transfers and queued calls', async () => {
    const { w, refs } = await live(2, { max_calls: 3 });
    expect(await permit(refs[0])).toMatchObject({ go: true, from: '+14155550100' });
    expect(await permit(refs[1])).toEqual(FULL);
    await queueCalls(ground.db, w, 1);
    expect(await claim()).toEqual([]);
    await closeTransferLeg(deps(), refs[0]!, { leg: 1, answeredAt: null, endedAt: null });
    expect(await permit(refs[1])).toMatchObject({ go: true });
    // The row of a dead node stops counting once its call is settled.
    await sql`update calls set status = 'error' where id = ${refs[1]?.callId}`.execute(ground.db);
    expect(await claim()).toHaveLength(1);
    expect(await permit(refs[0])).toMatchObject({ go: true });
    const { rows } = await sql<{ id: string }>`select call_id as id from transfer_legs
      where ended_at is null`.execute(ground.db);
    expect(rows).toEqual([{ id: refs[0]?.callId }]);
  });

  it('gives the last channel to one of several concurrent transfers', async () => {
    const { refs } = await live(5, { max_calls: 6 });
    const answers = await Promise.all(refs.map((ref) => permit(ref)));
    expect(answers.filter((answer) => answer.go === true)).toHaveLength(1);
    expect(answers.filter((answer) => answer.go === false)).toEqual([FULL, FULL, FULL, FULL]);
  });

  it('obeys calls_per_second of the trunk and returns the wait', async () => {
    const { refs } = await live(1, { calls_per_second: 1 });
    expect(await permit(refs[0])).toMatchObject({ go: 'later', waitMs: 1000 });
    ground.clock.advance(1000);
    expect(await permit(refs[0])).toMatchObject({ go: true });
    expect(await permit(refs[0])).toMatchObject({ go: 'later' });
  });

  it('refuses do-not-call numbers, denied destinations, ended calls and fenced nodes', async () => {
    const { w, refs } = await live(2, {});
    const [ref, other] = refs;
    await sql`insert into do_not_call (workspace_id, number, reason, created_at)
      values (${w.id}, ${DESK}, 'api', ${new Date(ground.clock.now())})`.execute(ground.db);
    expect(await permit(ref)).toEqual({ go: false, reason: 'the number is on the do-not-call list' });
    await setLimits({ denied_destinations: ['IN'], transfer_hosts: ['pbx.example.com'] });
    expect(await permit(ref, '+919876543210')).toEqual({
      go: false,
      reason: 'the workspace does not dial this destination',
    });
    expect(await permit(ref, 'sip:desk@pbx.example.com')).toMatchObject({ go: true });
    await sql`update calls set status = 'completed' where id = ${ref?.callId}`.execute(ground.db);
    expect(await permit(ref, '+14155550112')).toEqual({ go: false, reason: 'the call is over' });
    await sql`update nodes set fenced_at = ${new Date(ground.clock.now())}`.execute(ground.db);
    expect(await permit(other, '+14155550112')).toMatchObject({ go: false });
    expect(await permitCold(other, '+14155550112')).toMatchObject({ go: false });
  });

  it('lets a call follow a redirect to a permitted target only, with no further line', async () => {
    const { w, refs } = await live(1, { max_calls: 1, uri: 'sip:sip.carrier.example' });
    const follow = (to: string) => permitRedirect(deps(), refs[0]!, refs[0]!.trunkId, to);
    await setLimits({ denied_destinations: ['IN'] });
    await sql`insert into do_not_call (workspace_id, number, reason, created_at)
      values (${w.id}, ${DESK}, 'api', ${new Date(ground.clock.now())})`.execute(ground.db);
    expect(await follow('+14155550112')).toEqual({ go: true });
    expect(await follow('sip:sales@sip.carrier.example')).toEqual({ go: true });
    expect(await follow(DESK)).toEqual({ go: false, reason: 'the number is on the do-not-call list' });
    expect(await follow(`sip:${DESK}@sip.carrier.example`)).toMatchObject({ go: false });
    expect(await follow('+919876543210')).toMatchObject({ go: false });
    expect(await follow('sip:sales@other.example')).toMatchObject({ go: false });
    await sql`update calls set status = 'completed'`.execute(ground.db);
    expect(await follow('+14155550112')).toEqual({ go: false, reason: 'the call is over' });
  });

  it('refuses numbers outside the limits in every spelling, cold and warm', async () => {
    const { w, refs } = await live(1, { uri: 'sip:sip.carrier.example:5060;transport=udp' });
    const [ref] = refs;
    await setLimits({ allowed_destinations: ['+1'], transfer_hosts: ['pbx.example.com'] });
    await sql`insert into do_not_call (workspace_id, number, reason, created_at)
      values (${w.id}, ${DESK}, 'api', ${new Date(ground.clock.now())})`.execute(ground.db);
    const refused = [
      '+5352123456',
      'sip:+5352123456@sip.carrier.example',
      'sip:%2B5352123456@pbx.example.com',
      'sip:%252B5352123456@pbx.example.com',
      'sip:005352123456@sip.carrier.example',
      'sip:0115352123456@pbx.example.com',
      'sip:90115352123456@pbx.example.com',
      'sip:5352123456@sip.carrier.example',
      'sip:+53-52-123456@pbx.example.com',
      'sip:+5352123456@pbx.example.com;user=phone',
      'tel:+5352123456',
      'sip:+881612345678@sip.carrier.example',
      'sip:+19005551234@sip.carrier.example',
      'sip:911@sip.carrier.example',
      'sip:desk@elsewhere.example.com',
      'sip:+14155550112@elsewhere.example.com',
      `sip:${DESK}@sip.carrier.example`,
      `sip:${DESK.slice(1)}@pbx.example.com`,
      `sip:%2B${DESK.slice(1)}@pbx.example.com`,
    ];
    const answers = [];
    for (const to of refused) answers.push([to, (await permit(ref, to)).go, (await permitCold(ref, to)).go]);
    expect(answers).toEqual(refused.map((to) => [to, false, false]));
    const permitted = [
      '+14155550112',
      'sip:+14155550112@sip.carrier.example',
      'sip:4155550112@SIP.carrier.example',
      'sip:desk@sip.carrier.example',
      'sip:204@pbx.example.com',
    ];
    for (const to of permitted) {
      expect([to, await permit(ref, to), await permitCold(ref, to)]).toEqual([
        to,
        expect.objectContaining({ go: true }),
        expect.objectContaining({ go: true }),
      ]);
    }
  });
});
