import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayMove } from '../../src/domain/campaigns/campaign-state.ts';
import { keepCampaigns } from '../../src/domain/campaigns/keeper.ts';
import { foldEndings } from '../../src/store/analysis/analytics.ts';
import type { AttemptRef } from '../../src/store/calls/attempts.ts';
import type { CampaignState } from '../../src/store/schema.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../helpers/api/api.ts';
import {
  claimContact,
  dialContact,
  insertCampaign,
  recount,
  settleContact,
  stateOf,
} from '../helpers/campaigns/campaigns.ts';
import { createNode } from '../helpers/database/workspace.ts';

let api: TestApi;
let nodeId: string;
beforeAll(async () => {
  api = await createTestApi();
  nodeId = await createNode(api.db, 'n', api.clock.now());
});
afterAll(() => api.close());

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const CONTACTS = 6;

const operation = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('pause', 'terminate', 'fold', 'broke', 'rich', 'dnc') },
  { weight: 2, arbitrary: fc.constantFrom('start', 'resume') },
  {
    weight: 6,
    arbitrary: fc.constantFrom('claim', 'dial', 'talk', 'busy', 'fail', 'crash', 'keep', 'wait'),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** One campaign and the dialer's view of it. */
class Run {
  readonly tenant: Tenant;
  readonly id: string;
  readonly agentId: string;
  readonly claimed: AttemptRef[] = [];
  readonly dialled: AttemptRef[] = [];

  constructor(tenant: Tenant, agentId: string, id: string) {
    this.tenant = tenant;
    this.agentId = agentId;
    this.id = id;
  }

  static async begin(): Promise<Run> {
    const tenant = await createTenant(api);
    const agent = await createTestAgent(api, tenant);
    const endAt = new Date(api.clock.now() + 3 * 3_600_000);
    const callConfig = { call_retry_config: { retry_count: 1, retry_busy: 0, retry_failed: 0 } };
    const id = await insertCampaign(api, tenant, agent, { contacts: CONTACTS, endAt, callConfig });
    return new Run(tenant, agent.agentId, id);
  }

  #ask(method: 'POST' | 'PATCH', path: string, body: object): Promise<{ status: number }> {
    return api.request(method, `/api/v0${path}`, { key: this.tenant.key, body });
  }

  async do(op: Operation): Promise<void> {
    const { id, tenant } = this;
    switch (op) {
      case 'start': {
        const body = {
          agent_id: this.agentId,
          list_id: id,
          from_numbers: [tenant.numberId],
          circuit_breaker: { minimum_calls: 3, window_calls: 4 },
        };
        await this.#ask('POST', '/campaign/start', body);
        return;
      }
      case 'pause':
      case 'resume':
      case 'terminate':
        await this.#ask('PATCH', `/campaign/${op}`, { campaign_id: id });
        return;
      case 'dnc':
        await this.#ask('POST', '/dnc', { campaign_id: id, mobile_numbers: ['+12125550002'] });
        return;
      case 'claim': {
        const ref = await claimContact(api, tenant, id, nodeId);
        if (ref !== null) this.claimed.push(ref);
        return;
      }
      case 'dial': {
        const ref = this.claimed.shift();
        const isOurs = ref !== undefined && (await this.#isLive(ref));
        if (!isOurs) return;
        await dialContact(api, ref);
        this.dialled.push(ref);
        return;
      }
      case 'talk':
        return this.#settle({ kind: 'answered', reason: 'USER_LEFT' });
      case 'busy':
        return this.#settle({ kind: 'not_answered', failure: 'busy' });
      case 'fail':
        return this.#settle({ kind: 'not_answered', failure: 'failed' });
      case 'crash':
        return this.#settle({ kind: 'crashed' });
      case 'keep':
        while (await keepCampaigns({ db: api.db, clock: api.clock, rate, wakeScheduler: () => undefined }));
        return;
      case 'wait':
        api.clock.advance(20 * 60_000);
        return;
      case 'fold':
        return api.db.transaction().execute((tx) => foldEndings(tx, tenant.workspaceId, 1000));
      case 'broke':
      case 'rich':
        await api.db
          .updateTable('workspaces')
          .set({ credits: op === 'rich' ? 1_000_000_000 : 0 })
          .where('id', '=', tenant.workspaceId)
          .execute();
        return;
      default:
        op satisfies never;
    }
  }

  /** Drops undialled claims: the campaign was paused or ended meanwhile. */
  async #isLive(ref: AttemptRef): Promise<boolean> {
    const { rows } = await sql`select from calls where id = ${ref.callId} and status = 'ongoing'
      and attempt = ${ref.attempt} and dialed_at is null`.execute(api.db);
    return rows.length > 0;
  }

  async #settle(end: Parameters<typeof settleContact>[2]): Promise<void> {
    const ref = this.dialled.shift();
    if (ref !== undefined) await settleContact(api, ref, end);
  }

  async counts(): Promise<any> {
    const answer = await api.request('GET', `/api/v0/campaign/${this.id}`, { key: this.tenant.key });
    return answer.body['campaign'];
  }

  /** Compares the shown counts with a recount of the calls and the ledger. */
  async reading(): Promise<[shown: object, real: object]> {
    const shown = await this.counts();
    const real = await recount(api.db, this.id);
    const { locked_credits: locked } = await api.db
      .selectFrom('workspaces')
      .select('locked_credits')
      .where('id', '=', this.tenant.workspaceId)
      .executeTakeFirstOrThrow();
    const seen = {
      locked,
      total: shown.total_count,
      registered: shown.registered_count,
      ongoing: shown.ongoing_count,
      retry: shown.retry_count,
      completed: shown.completed_count,
      failed: shown.failed_count,
      cancelled: shown.cancelled_count,
    };
    const counted = {
      locked: 0,
      total: CONTACTS,
      registered: real['registered'] ?? 0,
      ongoing: real['ongoing'] ?? 0,
      retry: real['retry'] ?? 0,
      completed: real['completed'] ?? 0,
      failed: (real['failed'] ?? 0) + (real['error'] ?? 0),
      cancelled: real['cancelled'] ?? 0,
    };
    return [seen, counted];
  }
}

/** Runs keeper passes until nothing is left to do. */
const mayReach = (op: Operation, from: CampaignState, to: CampaignState): boolean =>
  from === to ||
  mayMove(from, to) ||
  (op === 'keep' && STATES.some((middle) => mayMove(from, middle) && mayMove(middle, to)));
const STATES: readonly CampaignState[] = ['scheduled', 'ongoing', 'paused', 'insufficient_balance'];

describe('a campaign under any order of events', () => {
  it('keeps counts equal to its list, makes only allowed transitions and ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 8, maxLength: 30 }), async (operations) => {
        const run = await Run.begin();
        let state = await stateOf(api.db, run.id);
        for (const op of ['start', ...operations] as Operation[]) {
          await run.do(op);
          const [shown, counted] = await run.reading();
          expect(shown).toEqual(counted);
          const next = await stateOf(api.db, run.id);
          expect([op, state, next, mayReach(op, state, next)]).toEqual([op, state, next, true]);
          state = next;
        }
        // The end time ends the campaign in any state.
        api.clock.advance(4 * 3_600_000);
        await run.do('pause');
        while (run.dialled.length > 0) await run.do('talk');
        await run.do('keep');
        const [shown, counted] = await run.reading();
        expect(shown).toEqual(counted);
        expect(['completed', 'terminated']).toContain(await stateOf(api.db, run.id));
        const { total_count, completed_count, failed_count, cancelled_count } = await run.counts();
        expect(completed_count + failed_count + cancelled_count).toBe(total_count);
        const reports = await api.db
          .selectFrom('events')
          .select('event_type')
          .where('call_id', '=', run.id)
          .execute();
        expect(reports.map((event) => event.event_type)).toEqual(['campaign_completed']);
      }),
      { numRuns: 15 },
    );
  });
});
