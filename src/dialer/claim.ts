import { endQueued } from '../domain/calls/end-queued.ts';
import type { CallLevelConfig } from '../domain/agents/call-config.ts';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { Rate } from '../domain/credits/price.ts';
import type { Clock } from '../shared/clock.ts';
import type { AttemptRef } from '../store/attempts.ts';
import {
  deferCalls,
  dueCalls,
  dueNumbers,
  endTurn,
  liveByNumber,
  liveOnTrunks,
  pickTenant,
  showHeld,
  startAttempts,
  type Candidate,
  type DueNumber,
} from '../store/claims.ts';
import type { Db, Tx } from '../store/database.ts';
import { admit, freeOf, roomOf, takeRoom, type Room } from './gate.ts';

export interface ClaimDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  readonly nodeId: string;
}

/** A call this node may now dial: live, journalled, its money locked. */
export interface Claimed extends AttemptRef {
  readonly agentId: string;
  readonly agentName: string;
  readonly agentType: string;
  readonly versionId: string;
  readonly versionConfig: VersionConfig;
  readonly callConfig: CallLevelConfig | null;
  readonly numberId: string;
  readonly numberDisplayName: string;
  readonly trunkId: string;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly args: Record<string, string>;
  /** The longest the call may last: max_call_length, or less where the balance covers less. */
  readonly capMs: number;
}

export interface Turn {
  readonly workspaceId: string;
  readonly claimed: readonly Claimed[];
  /** Calls put off or ended without dialling: more may be behind them. */
  readonly passedOver: number;
}

/** The most calls one tenant gets in a turn before the next tenant has its own. */
const TURN = 8;

/**
 * One turn of the round: the workspace served longest ago gets up to eight of its due calls started, within every
 * limit. Null when no workspace outside `visited` has anything due. Two statements at least: see store/claims.ts.
 */
export function claimTurn(
  deps: ClaimDeps,
  input: {
    readonly visited: readonly string[];
    /** Calls this node can still carry. */
    readonly capacity: number;
    readonly paced: ReadonlyMap<string, number>;
  },
): Promise<Turn | null> {
  return deps.db.transaction().execute(async (tx) => {
    const now = new Date(deps.clock.now());
    const tenant = await pickTenant(tx, { nodeId: deps.nodeId, now, visited: input.visited });
    if (tenant === null) return null;
    const live = await liveByNumber(tx, tenant.id);
    const numbers = await dueNumbers(tx, tenant.id, now);
    const limited = numbers.filter((n) => n.trunkMaxCalls !== null).map((n) => n.trunkId ?? '');
    const trunkLive = await liveOnTrunks(tx, [...new Set(limited)]);
    const capacity = Math.min(input.capacity, TURN);
    const base = { tenant, numbers, live, trunkLive };
    const room = roomOf({ ...base, paced: input.paced, capacity });
    // The same without what only this turn, this node or the pace holds back: limits that outlast the turn.
    const limits = roomOf({ ...base, paced: new Map(), capacity: Number.POSITIVE_INFINITY });
    const wanted = numbers.map((n) => ({ id: n.id, take: freeOf(room, n) })).filter((n) => n.take > 0);
    const candidates = wanted.length === 0 ? [] : await dueCalls(tx, tenant.id, now, wanted);
    const byId = new Map(numbers.map((number) => [number.id, number]));
    const chosen = choose(deps, tenant, candidates, byId, room, now.getTime());
    await apply(tx, deps, tenant.id, now, chosen);
    for (const { claimed } of chosen.started) {
      const number = byId.get(claimed.numberId);
      if (number !== undefined) takeRoom(limits, number);
    }
    const held = numbers.filter((n) => freeOf(limits, n) <= 0 && n.trunkId !== null).map((n) => n.id);
    await showHeld(tx, tenant.id, now, held);
    const locked = chosen.started.reduce((sum, start) => sum + start.amount, 0);
    await endTurn(tx, tenant.id, now, locked);
    return {
      workspaceId: tenant.id,
      claimed: chosen.started.map((start) => start.claimed),
      passedOver: chosen.deferred.length + chosen.ended.length,
    };
  });
}

interface Choice {
  readonly started: { readonly claimed: Claimed; readonly amount: number }[];
  readonly deferred: { readonly id: string; readonly subStatus: string; readonly dueAt: Date }[];
  readonly ended: { readonly id: string; readonly subStatus: string }[];
}

function choose(
  deps: ClaimDeps,
  tenant: { id: string; credits: number; lockedCredits: number; unlimited: boolean },
  candidates: readonly Candidate[],
  numbers: ReadonlyMap<string, DueNumber>,
  room: Room,
  now: number,
): Choice {
  const choice: Choice = { started: [], deferred: [], ended: [] };
  let available = tenant.credits - tenant.lockedCredits;
  for (const candidate of candidates) {
    const number = numbers.get(candidate.numberId);
    if (number === undefined || number.trunkId === null || freeOf(room, number) <= 0) continue;
    const { doNotCall, agentArchived, versionConfig, callConfig } = candidate;
    const { unlimited, credits } = tenant;
    const admission = admit({
      now,
      doNotCall,
      agentArchived,
      versionConfig,
      callConfig,
      unlimited,
      credits,
      available,
      rate: deps.rate,
    });
    if (admission.kind === 'defer') {
      const dueAt = new Date(admission.until);
      choice.deferred.push({ id: candidate.id, subStatus: admission.subStatus, dueAt });
    } else if (admission.kind === 'end') {
      choice.ended.push({ id: candidate.id, subStatus: admission.subStatus });
    } else {
      available -= admission.amount;
      takeRoom(room, number);
      const claimed = claimedOf(deps, tenant.id, candidate, number, number.trunkId, admission.capMs);
      choice.started.push({ claimed, amount: admission.amount });
    }
  }
  return choice;
}

function claimedOf(
  deps: ClaimDeps,
  workspaceId: string,
  candidate: Candidate,
  number: DueNumber,
  trunkId: string,
  capMs: number,
): Claimed {
  return {
    workspaceId,
    callId: candidate.id,
    attempt: candidate.attempt + 1,
    nodeId: deps.nodeId,
    agentId: candidate.agentId,
    agentName: candidate.agentName,
    agentType: candidate.agentType,
    versionId: candidate.versionId,
    versionConfig: candidate.versionConfig as unknown as VersionConfig,
    callConfig: candidate.callConfig,
    numberId: number.id,
    numberDisplayName: number.displayName,
    trunkId,
    fromNumber: candidate.fromNumber,
    toNumber: candidate.toNumber,
    calleeName: candidate.calleeName,
    args: candidate.args,
    capMs,
  };
}

async function apply(tx: Tx, deps: ClaimDeps, workspaceId: string, now: Date, choice: Choice): Promise<void> {
  if (choice.started.length > 0) {
    const starts = choice.started.map(({ claimed, amount }) => ({
      id: claimed.callId,
      attempt: claimed.attempt,
      reserved: amount,
    }));
    await startAttempts(tx, workspaceId, deps.nodeId, now, starts);
  }
  for (const subStatus of new Set(choice.deferred.map((call) => call.subStatus))) {
    const calls = choice.deferred.filter((call) => call.subStatus === subStatus);
    await deferCalls(tx, workspaceId, now, subStatus, calls);
  }
  for (const call of choice.ended) {
    const status = call.subStatus === 'INSUFFICIENT_BALANCE' ? 'unable' : 'cancelled';
    await endQueued(tx, workspaceId, call.id, { status, subStatus: call.subStatus }, now);
  }
}
