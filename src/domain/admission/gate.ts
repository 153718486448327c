import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import { callsFree } from '../../store/scheduler/call-limit.ts';
import { changeHeld, lockWallet, type Wallet } from '../../store/tenants/money.ts';
import type { CapNotices } from '../workspaces/cap-notices.ts';
import { workspaceLimits, type Caps } from '../workspaces/limits.ts';
import { outboundPause } from './anomaly.ts';
import { decide, hasCaps, KINDS, type AdmissionRequest, type RefusalReason, type Standing } from './rules.ts';
import { noteStarts, usageAt } from './usage.ts';

export interface GateDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly notices?: CapNotices;
}

/** An admitted request that nothing holds yet. */
export interface Admissible {
  readonly admitted: true;
  readonly request: AdmissionRequest;
  readonly caps: Caps;
  /** Micro-credits to lock. */
  readonly amount: number;
  /** Talk that they cover, in ms; infinite for what is no talk. */
  readonly capMs: number;
  /** Turns of a model that may be taken. */
  readonly turns: number;
}
export type Judgement = Admissible | { readonly admitted: false; readonly reason: RefusalReason | 'gone' };

const NO_USAGE: Standing['usage'] = { starts: 0, strangerStarts: 0, spent: 0, strangerSpent: 0, turns: 0 };

/**
 * The one gate of everything that costs. Locks the workspace until commit and judges a request by its balance, its caps and its
 * lines; writes nothing but the notice of a reached cap. The caller enters what it takes (`enter`) in the same transaction.
 * Lock order: node, call, workspace, trunk.
 */
export async function judge(
  tx: Tx,
  deps: GateDeps,
  workspaceId: string,
  request: AdmissionRequest,
): Promise<Judgement> {
  const wallet = await lockWallet(tx, workspaceId);
  if (wallet === null) return { admitted: false, reason: 'gone' };
  const standing = await standingOf(tx, workspaceId, wallet, request, deps.clock.now());
  const decision = decide(standing, request);
  if (decision.admitted) return { ...decision, request, caps: standing.caps };
  const { reason } = decision;
  if (isCap(reason)) deps.notices?.note(deps.db, workspaceId, reason);
  return decision;
}

/** Enters what was admitted: counts its start, and locks its credits and turns until the settlement. */
export async function enter(
  tx: Tx,
  { clock }: Pick<GateDeps, 'clock'>,
  workspaceId: string,
  { request, caps, amount, turns }: Admissible,
): Promise<void> {
  const now = clock.now();
  const { byStranger } = request;
  if (KINDS[request.kind].starts)
    await noteStarts(tx, workspaceId, caps, { calls: 1, strangers: byStranger ? 1 : 0 }, now);
  await changeHeld(tx, workspaceId, { amount, byStranger, turns, at: new Date(now) });
}

async function standingOf(
  tx: Tx,
  workspaceId: string,
  wallet: Wallet,
  request: AdmissionRequest,
  now: number,
): Promise<Standing> {
  const { caps } = workspaceLimits(wallet.settings);
  const { takesLine } = KINDS[request.kind];
  return {
    wallet,
    caps,
    usage: hasCaps(caps) ? await usageAt(tx, workspaceId, now) : NO_USAGE,
    lines: takesLine ? await callsFree(tx, workspaceId) : Number.POSITIVE_INFINITY,
    isPaused: outboundPause(wallet.settings) !== null,
  };
}

const isCap = (
  reason: RefusalReason,
): reason is Exclude<RefusalReason, 'lines' | 'balance' | 'outbound_paused'> =>
  reason !== 'lines' && reason !== 'balance' && reason !== 'outbound_paused';
