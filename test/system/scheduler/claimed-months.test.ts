import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { splitMonths } from '../../../src/cli/split-months.ts';
import { keepMonths } from '../../../src/jobs/month-keeper.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { beginningOf, leastId, monthOf } from '../../../src/store/months/month.ts';
import { addMonths } from '../../../src/store/months/upkeep.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { setLimits, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
afterAll(() => dialing.close());

const ALWAYS = { call_time: { timezone: 'Etc/UTC', call_start_time: '00:00', call_end_time: '00:00' } };
const THIS_MONTH = monthOf(new Date());
/** The first of the month `back` months ago. */
const ago = (back: number): Date => beginningOf(THIS_MONTH, -back);

async function openSince(): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`
    select max(value) as value from installation where key like 'over_before:%'`.execute(dialing.db);
  return rows[0]?.value ?? null;
}

/** Puts the calls of the campaign into the middle of that month. */
async function moveTo(campaign: string, month: Date): Promise<string[]> {
  const calls = await dialing.callsOf(campaign);
  const ids = calls.map((_, n) => leastId(new Date(month.getTime() + 9e8)).replace(/0$/, String(n)));
  for (const [n, { id }] of calls.entries()) {
    await sql`update calls set id = ${ids[n]} where id = ${id}`.execute(dialing.db);
  }
  return ids;
}

it('claims find a call that waits in an old month, and look into no month before it', async () => {
  const { db, clock, url } = dialing;
  // Ids are of the real time.
  clock.advance(Date.now() - clock.now());
  await splitMonths(url, ago(6), () => undefined);
  for (let back = 6; back >= 0; back -= 1) await addMonths(db, ago(back));
  const keep = (): Promise<unknown> => keepMonths({ db, clock, log: silentLog, keepMonths: 0 });
  const world = await createWorkspace(db, { callLimit: 100, callConfig: ALWAYS });
  await setLimits(db, world, { callee_frequency: { attempts: 1, hours: 24 } });
  const [again, other] = ['+14155550123', '+14155550124'];
  const old = await startedCampaign({ db, clock }, world, {
    contacts: [{ number: again }, { number: '+14155550125' }],
  });
  const [first = '', second = ''] = await moveTo(old, ago(4));
  await keep();
  expect(await openSince()).toBe(leastId(ago(4)));
  const [one] = await dialing.taken(1);
  // A live call holds its month as a waiting one does.
  await keep();
  expect([one?.callId, await openSince()]).toEqual([first, leastId(ago(4))]);
  const [two] = await dialing.taken();
  expect(two?.callId).toBe(second);
  for (const call of [one, two]) {
    await dialing.settle(call!, { kind: 'answered', reason: 'USER_LEFT' });
  }
  await keep();
  const since = await openSince();
  expect(since! > leastId(ago(4))).toBe(true);
  // The attempts of today in that month still count for the frequency limit.
  await startedCampaign({ db, clock }, world, { contacts: [{ number: again }, { number: other }] });
  expect((await dialing.taken()).map(({ toNumber }) => toNumber)).toEqual([other]);
});
