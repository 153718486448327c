import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { InboundPace } from '../../../src/domain/trunks/inbound-pace.ts';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import { CapNotices } from '../../../src/domain/workspaces/cap-notices.ts';
import type { CapName } from '../../../src/domain/workspaces/limits.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';
import { createNode } from '../../helpers/database/workspace.ts';

const PAGE = 'https://www.example.com';
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };

let desk: AgentDesk;
let nodeId: string;
let publicKey: string;
let notices: CapNotices;
beforeAll(async () => {
  desk = await openAgentDesk({ agent: { agent_type: 'outbound_inbound' } });
  await desk.renew();
  await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
  await desk.edit({
    operation: 'edit_agent_whitelisted_domains',
    whitelisted_domains: ['http://callwright.test', PAGE],
  });
  const { body } = await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key: desk.tenant.key });
  publicKey = (body['agents'] as { webcall_public_key: string }).webcall_public_key;
});
afterAll(() => desk.api.close());
beforeEach(async () => {
  for (const table of ['cap_starts', 'cap_notices'])
    await sql`delete from ${sql.table(table)}`.execute(desk.api.db);
  nodeId = await createNode(desk.api.db, newId(), desk.api.clock.now());
  notices = new CapNotices({ log: silentLog, clock: desk.api.clock });
});

const deps = () => ({ db: desk.api.db, clock: desk.api.clock, rate, notices, nodeId: () => nodeId });
const setUp = (limits: Partial<Record<CapName, number>>, credits = 100) =>
  sql`update workspaces set unlimited = false, credits = ${credits * 1_000_000}, call_limit = 50,
    locked_credits = 0, stranger_locked = 0, spent_today = 0, stranger_spent = 0,
    settings = settings || ${JSON.stringify({ limits })}::jsonb
    where id = ${desk.tenant.workspaceId}`.execute(desk.api.db);
const ring = (inboundPace?: InboundPace) =>
  takeInbound(
    { ...deps(), ...(inboundPace === undefined ? {} : { inboundPace }) },
    {
      trunkIds: [desk.tenant.trunkId],
      from: '+14155558888',
      to: desk.tenant.number,
      displayName: null,
      callId: newId(),
      sipCallId: newId(),
    },
  );
const openPage = () =>
  desk.api.request('POST', '/api/v0/calling/webcall', {
    key: publicKey,
    headers: { origin: PAGE },
    body: { agent_id: desk.agentId },
  });
async function browse() {
  const { status, body } = await openPage();
  if (status !== 200) return { refuse: status };
  return takeWebCall(deps(), { token: String(body['token']), origin: PAGE });
}
const money = async () =>
  (
    await sql<{ credits: number; locked: number; strangers: number; spent: number }>`
      select credits / 1000000 as credits, locked_credits / 1000000 as locked, stranger_locked / 1000000 as strangers,
        stranger_spent / 1000000 as spent
      from workspaces where id = ${desk.tenant.workspaceId}`.execute(desk.api.db)
  ).rows[0];
const noted = async (): Promise<string[]> => {
  await notices.written;
  const { rows } = await sql<{ cap: string }>`select cap from cap_notices
    where workspace_id = ${desk.tenant.workspaceId} order by cap`.execute(desk.api.db);
  return rows.map(({ cap }) => cap);
};

describe('a stranger who dials a number or holds the public key of a page', () => {
  it('spends no more than credits_per_day, and the cap is noted', async () => {
    await setUp({ credits_per_day: 6 });
    expect(await ring()).toMatchObject({ taken: { capMs: 240_000 } });
    expect(await browse()).toMatchObject({ taken: { capMs: 120_000 } });
    expect(await ring()).toEqual({
      refuse: 480,
      reason: 'the workspace has spent what it may spend in a day',
    });
    expect(await browse()).toEqual({ refuse: 402 });
    expect(await money()).toEqual({ credits: 100, locked: 6, strangers: 6, spent: 0 });
    expect(await noted()).toEqual(['credits_per_day']);
  });

  it('starts no more than calls_per_minute calls, with those of the workspace', async () => {
    await setUp({ calls_per_minute: 2 });
    expect(await ring()).toHaveProperty('taken');
    expect(await browse()).toHaveProperty('taken');
    expect(await ring()).toMatchObject({ refuse: 486 });
    expect(await browse()).toEqual({ refuse: 429 });
    desk.api.clock.advance(60_001);
    expect(await ring()).toHaveProperty('taken');
  });

  it('leaves to the workspace what its own caps for strangers do not give', async () => {
    await setUp({ credits_per_day: 50, stranger_credits_per_day: 5, stranger_calls_per_minute: 3 });
    expect(await ring()).toMatchObject({ taken: { capMs: 240_000 } });
    expect(await browse()).toMatchObject({ taken: { capMs: 60_000 } });
    expect((await openPage()).body).toMatchObject({
      code: 'DAILY_SPEND_REACHED',
      message: 'The workspace has reached stranger_credits_per_day of its limits; try again tomorrow (UTC)',
    });
    expect(await ring()).toMatchObject({ refuse: 480 });
    const own = await desk.api.request('POST', '/api/v0/calling/webcall/session', {
      key: desk.tenant.key,
      body: { agent_id: desk.agentId },
    });
    expect(own.status).toBe(200);
    const taken = await takeWebCall(deps(), { token: String(own.body['token']), origin: null });
    expect(taken).toMatchObject({ taken: { capMs: 240_000 } });
    expect(await money()).toMatchObject({ locked: 9, strangers: 5 });
    expect(await noted()).toEqual(['stranger_credits_per_day']);
  });

  it('pays from the cap for strangers what the call cost, and gives the rest back', async () => {
    await setUp({ stranger_credits_per_day: 5 });
    const decision = await ring();
    if (!('taken' in decision)) throw new Error(decision.reason);
    const answeredAt = desk.api.clock.now();
    desk.api.clock.advance(61_000);
    const settled = await settleAttempt(
      { ...deps(), recordingUrl: () => 'http://localhost/recording' },
      {
        ...decision.taken,
        end: { kind: 'answered', reason: 'USER_LEFT' },
        endedAt: desk.api.clock.now(),
        answeredAt,
        hangupBy: 'caller',
        sipCallId: null,
        sipCode: 200,
        reason: null,
        result: null,
      },
    );
    expect(settled.settled).toBe(true);
    expect(await money()).toEqual({ credits: 98, locked: 0, strangers: 0, spent: 2 });
    expect(await ring()).toMatchObject({ taken: { capMs: 180_000 } });
  });

  it('fills no more channels of a trunk, and begins no more calls a second, than inbound calls may', async () => {
    await setUp({});
    const settings = JSON.stringify({ max_inbound_calls: 2, inbound_calls_per_second: 3 });
    const { trunkId } = desk.tenant;
    await sql`update calls set status = 'completed' where status = 'ongoing'`.execute(desk.api.db);
    await sql`update trunks set settings = settings || ${settings}::jsonb where id = ${trunkId}`.execute(
      desk.api.db,
    );
    const inboundPace = new InboundPace(() => desk.api.clock.monotonic());
    const answers = [
      await ring(inboundPace),
      await ring(inboundPace),
      await ring(inboundPace),
      await ring(inboundPace),
    ];
    expect(answers.map((answer) => ('refuse' in answer ? answer.reason : 'taken'))).toEqual([
      'taken',
      'taken',
      'the trunk carries as many inbound calls as it may',
      'inbound calls of the trunk come faster than they may',
    ]);
    await sql`update trunks set settings = settings - '{max_inbound_calls,inbound_calls_per_second}'::text[]
      where id = ${trunkId}`.execute(desk.api.db);
  });

  it('begins no more calls a second on a trunk whose calls the carrier sends to several processes', async () => {
    await setUp({});
    const { trunkId } = desk.tenant;
    await sql`update calls set status = 'completed' where status = 'ongoing'`.execute(desk.api.db);
    const settings = JSON.stringify({ inbound_calls_per_second: 2 });
    await sql`update trunks set settings = settings || ${settings}::jsonb, inbound_tokens = null, inbound_at = null
      where id = ${trunkId}`.execute(desk.api.db);
    const processes = [1, 2, 3].map(() => new InboundPace(() => desk.api.clock.monotonic()));
    const taken = async () => {
      const answers = await Promise.all(processes.flatMap((pace) => [ring(pace), ring(pace)]));
      return answers.map((answer) => ('refuse' in answer ? answer.reason : 'taken')).toSorted();
    };
    const tooFast = 'inbound calls of the trunk come faster than they may';
    const twoOfSix = [tooFast, tooFast, tooFast, tooFast, 'taken', 'taken'];
    expect(await taken()).toEqual(twoOfSix);
    desk.api.clock.advance(1000);
    expect(await taken()).toEqual(twoOfSix);
    // A refusal takes nothing from the pace.
    desk.api.clock.advance(500);
    expect((await taken()).filter((answer) => answer === 'taken')).toEqual(['taken']);
    await sql`update trunks set settings = settings - 'inbound_calls_per_second' where id = ${trunkId}`.execute(
      desk.api.db,
    );
  });
});
