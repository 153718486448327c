import { sql } from 'kysely';
import { permitRefer, permitTransfer } from '../../../src/dialer/transfer.ts';
import { hold, settleHold, type HoldRequest } from '../../../src/domain/admission/holds.ts';
import { markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { closeTransferLeg, releaseRefer } from '../../../src/domain/calls/attempt/transfer-charges.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { newId, randomToken, sha256 } from '../../../src/shared/ids.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import { insertWebCallToken } from '../../../src/store/calls/web-calls.ts';
import type { Db } from '../../../src/store/database.ts';
import type { HoldKey } from '../../../src/store/tenants/holds.ts';
import { settlementOf } from '../calls/settlement.ts';
import {
  createNode,
  createWorkspace,
  mondayClock,
  queueCalls,
  type TestWorkspace,
} from '../database/workspace.ts';
import { RATE, usedOf, type Member, type MemberBooks, type Step } from './family-books.ts';

const DESK = '+14155550111';

type StoredItem =
  | { readonly call: AttemptRef }
  | {
      readonly held: HoldKey | null;
      readonly turns: number;
      readonly reserved: number;
      readonly price: HoldRequest['price'];
    };

/** A parent and two children in the database, moved by the functions of the service. */
export class StoredFamily {
  readonly #db: Db;
  readonly #clock = mondayClock();
  readonly #nodeId: string;
  readonly #members: readonly (TestWorkspace & { readonly number: string; readonly trunkId: string })[];
  readonly #items = new Map<number, StoredItem>();

  private constructor(
    db: Db,
    nodeId: string,
    members: readonly (TestWorkspace & { readonly number: string; readonly trunkId: string })[],
  ) {
    this.#db = db;
    this.#nodeId = nodeId;
    this.#members = members;
  }

  static async create(db: Db): Promise<StoredFamily> {
    const made = [await createWorkspace(db), await createWorkspace(db), await createWorkspace(db)];
    const [parent] = made;
    await sql`update workspaces set parent_id = ${parent?.id ?? ''} where id <> ${parent?.id ?? ''}`.execute(
      db,
    );
    await sql`update agents set agent_type = 'outbound_inbound'`.execute(db);
    await sql`update numbers n set inbound_agent_id = a.id from agents a where a.workspace_id = n.workspace_id`.execute(
      db,
    );
    const { rows } = await sql<{ workspaceId: string; number: string; trunkId: string }>`
      select workspace_id as "workspaceId", number, trunk_id as "trunkId" from numbers`.execute(db);
    const members = made.map((each) => {
      const line = rows.find(({ workspaceId }) => workspaceId === each.id);
      if (line === undefined) throw new Error('a workspace has no number');
      return { ...each, number: line.number, trunkId: line.trunkId };
    });
    return new StoredFamily(db, await createNode(db), members);
  }

  /** Settles what is open, and sets terms and balances of the family. */
  async begin(members: readonly Member[], settings: readonly object[], parentLines: number): Promise<void> {
    for (const item of this.#items.keys()) await this.#settle({ do: 'settle', item, talkMs: 0, share: 0 });
    this.#items.clear();
    await sql`delete from cap_starts`.execute(this.#db);
    for (const [index, { credits, ownLines }] of members.entries()) {
      await sql`update workspaces set credits = ${credits}, locked_credits = 0, stranger_locked = 0, spent_today = 0,
          stranger_spent = 0, turns_today = 0, charged_total = 0, unlimited = false,
          call_limit = ${index === 0 ? parentLines : ownLines}, settings = ${JSON.stringify({ limits: settings[index] })}::jsonb
        where id = ${this.#of(index).id}`.execute(this.#db);
    }
  }

  /** False: the step was refused. An end is never refused; it may have no effect. */
  async apply(key: number, step: Step): Promise<boolean> {
    switch (step.do) {
      case 'outbound':
        return this.#claim(key, step.who);
      case 'inbound':
        return this.#ring(key, step.who);
      case 'webcall':
        return this.#browse(key, step.who, step.byStranger);
      case 'hold':
        return this.#hold(key, step);
      case 'transfer':
      case 'refer':
        return this.#transfer(step.item, step.do);
      case 'leg':
        await this.#endLeg(step);
        break;
      case 'settle':
        await this.#settle(step);
    }
    return true;
  }

  /** The books of every member, read in one snapshot, and what calls and holds have locked. */
  async books(): Promise<{ books: MemberBooks[]; locked: number[]; strangers: number[] }> {
    const { rows } = await sql<MemberBooks & { id: string; ofItems: number; ofStrangers: number }>`
      select w.id, credits::float8 as credits, locked_credits::float8 as locked, stranger_locked::float8 as "strangerLocked",
        spent_today::float8 as spent, stranger_spent::float8 as "strangerSpent", turns_today as turns, charged_total::float8 as charged,
        s.starts, s."strangerStarts", c.live,
        c.reserved + h.amount as "ofItems", c.strangers + h.strangers as "ofStrangers"
      from workspaces w
      cross join lateral (select coalesce(sum(calls), 0)::int as starts, coalesce(sum(strangers), 0)::int as "strangerStarts"
        from cap_starts where workspace_id = w.id) s
      cross join lateral (select count(*)::int as live, coalesce(sum(reserved), 0)::float8 as reserved,
          coalesce(sum(reserved) filter (where by_stranger), 0)::float8 as strangers
        from calls where workspace_id = w.id and status = 'ongoing') c
      cross join lateral (select coalesce(sum(amount), 0)::float8 as amount,
          coalesce(sum(amount) filter (where by_stranger), 0)::float8 as strangers
        from holds where workspace_id = w.id) h`.execute(this.#db);
    const ordered = this.#members.map(({ id }) => {
      const row = rows.find((each) => each.id === id);
      if (row === undefined) throw new Error('a workspace is gone');
      return row;
    });
    return {
      books: ordered.map(({ id: _id, ofItems: _items, ofStrangers: _strangers, ...books }) => books),
      locked: ordered.map(({ ofItems }) => ofItems),
      strangers: ordered.map(({ ofStrangers }) => ofStrangers),
    };
  }

  /** The charges in the ledger of each member since it exists. */
  async ledger(): Promise<number[]> {
    const { rows } = await sql<{ id: string; charged: number }>`
      select workspace_id as id, sum(amount)::float8 as charged from ledger where kind <> 'lock' group by workspace_id`.execute(
      this.#db,
    );
    return this.#members.map(({ id }) => rows.find((each) => each.id === id)?.charged ?? 0);
  }

  #of(who: number) {
    const member = this.#members[who];
    if (member === undefined) throw new Error(`the family has no member ${who}`);
    return member;
  }

  get #deps() {
    return { db: this.#db, clock: this.#clock, rate: RATE, recordingUrl: () => 'http://localhost/recording' };
  }

  get #inbound() {
    return { ...this.#deps, nodeId: () => this.#nodeId };
  }

  async #answered(key: number, call: AttemptRef): Promise<true> {
    this.#items.set(key, { call });
    await markAnswered(this.#deps, call, { at: this.#clock.now() });
    return true;
  }

  async #claim(key: number, who: number): Promise<boolean> {
    const [id = ''] = await queueCalls(this.#db, this.#of(who), 1);
    const visited: string[] = [];
    for (;;) {
      const batch = await claimBatch({ ...this.#deps, nodeId: this.#nodeId }, { visited, capacity: 1 });
      if (batch === null) break;
      const [claimed] = batch.claimed;
      if (claimed !== undefined) return this.#answered(key, claimed);
      // Another member may stand before it in the order of claims, without a call that is due.
      visited.push(batch.workspaceId);
    }
    await sql`delete from calls where id = ${id}`.execute(this.#db);
    return false;
  }

  async #ring(key: number, who: number): Promise<boolean> {
    const { trunkId, number } = this.#of(who);
    const decision = await takeInbound(this.#inbound, {
      trunkIds: [trunkId],
      from: '+14155558888',
      to: number,
      displayName: null,
      callId: newId(),
      sipCallId: newId(),
    });
    return 'taken' in decision ? this.#answered(key, decision.taken) : false;
  }

  async #browse(key: number, who: number, byStranger: boolean): Promise<boolean> {
    const { id: workspaceId, agentId, versionId } = this.#of(who);
    const token = randomToken(43);
    const at = new Date(this.#clock.now());
    const expiresAt = new Date(at.getTime() + 60_000);
    const call = { workspaceId, callId: newId(), agentId, versionId, byStranger, expiresAt };
    const page = { origin: null, mediaType: 'audio', args: {}, maxMs: null } as const;
    await insertWebCallToken(this.#db, { tokenHash: sha256(token), ...call, ...page }, at);
    const decision = await takeWebCall(this.#inbound, { token, origin: null });
    return 'taken' in decision ? this.#answered(key, decision.taken) : false;
  }

  async #hold(key: number, step: Extract<Step, { do: 'hold' }>): Promise<boolean> {
    const { who, kind, byStranger, price } = step;
    const answer = await hold(this.#deps, {
      workspaceId: this.#of(who).id,
      kind,
      subjectId: newId(),
      price,
      byStranger,
      lifeMs: 60_000,
    });
    if (!answer.admitted) return false;
    const { held, turns } = answer;
    this.#items.set(key, {
      held,
      turns,
      reserved: 'amount' in price ? price.amount : turns * price.each,
      price,
    });
    return true;
  }

  async #transfer(item: number, kind: 'transfer' | 'refer'): Promise<boolean> {
    const found = this.#items.get(item);
    if (found === undefined || !('call' in found)) return false;
    const { call } = found;
    const { trunkId } = this.#of(this.#members.findIndex(({ id }) => id === call.workspaceId));
    const permit = await (kind === 'refer' ? permitRefer : permitTransfer)(this.#deps, call, trunkId, DESK);
    return permit.go === true;
  }

  async #endLeg({ item, leg, talkMs }: Extract<Step, { do: 'leg' }>): Promise<void> {
    const found = this.#items.get(item);
    if (found === undefined || !('call' in found)) return;
    const now = this.#clock.now();
    await releaseRefer(this.#deps, found.call, leg);
    await closeTransferLeg(this.#deps, found.call, { leg, answeredAt: now - talkMs, endedAt: now });
  }

  async #settle({ item, talkMs, share }: Extract<Step, { do: 'settle' }>): Promise<void> {
    const found = this.#items.get(item);
    if (found === undefined) return;
    if ('call' in found) {
      const ending = settlementOf(found.call, this.#clock.now() + talkMs);
      await settleAttempt(this.#deps, ending);
      return;
    }
    await this.#db
      .transaction()
      .execute((tx) => settleHold(tx, this.#deps, found.held, usedOf(found, share)));
  }
}
