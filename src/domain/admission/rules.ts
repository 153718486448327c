import { lockFor, pulsePrice, toMicroCredits, type Rate } from '../credits/price.ts';
import type { CapName, Caps } from '../workspaces/limits.ts';
import type { Usage } from '../../store/tenants/usage.ts';
import type { Wallet } from '../../store/tenants/money.ts';

/** Everything that costs credits or the operator's money, and what each kind uses of the limits. */
export const KINDS = {
  outbound: { starts: true, takesLine: true, isOutbound: true },
  inbound: { starts: true, takesLine: true, isOutbound: false },
  webcall: { starts: true, takesLine: true, isOutbound: false },
  /** The second leg of a warm transfer. */
  transfer: { starts: true, takesLine: false, isOutbound: true },
  /** A cold transfer. */
  refer: { starts: true, takesLine: false, isOutbound: true },
  chat: { starts: false, takesLine: false, isOutbound: false },
  /** A turn of an agent test or of a case of a test run. */
  test: { starts: false, takesLine: false, isOutbound: false },
  /** Texts of a knowledge base that a model embeds. */
  embedding: { starts: false, takesLine: false, isOutbound: false },
  /** The question of a search by meaning. */
  search: { starts: false, takesLine: false, isOutbound: false },
  /** An ended conversation that a model analyses. */
  analysis: { starts: false, takesLine: false, isOutbound: false },
  /** A sentence that a voice speaks for the dashboard. */
  preview: { starts: false, takesLine: false, isOutbound: false },
} as const satisfies Record<
  string,
  { readonly starts: boolean; readonly takesLine: boolean; readonly isOutbound: boolean }
>;
export type AdmissionKind = keyof typeof KINDS;

/** The worst price: of talk, which a low balance shortens, or a sum that is locked as a whole. */
export type Price =
  | { readonly talkMs: number; readonly rate: Rate }
  /** Micro-credits. */
  | { readonly amount: number }
  /** Turns of a model, of which a low balance or cap leaves fewer: micro-credits each, and how many at most. */
  | { readonly each: number; readonly most: number };

export interface AdmissionRequest {
  readonly kind: AdmissionKind;
  readonly price: Price;
  /** A page with the public key, an inbound caller or a customer of a chat caused it. */
  readonly byStranger: boolean;
}

/** What a locked workspace has, may and did. */
export interface Standing {
  readonly wallet: Pick<Wallet, 'credits' | 'lockedCredits' | 'strangerLocked' | 'unlimited'>;
  readonly caps: Caps;
  readonly usage: Pick<Usage, 'starts' | 'strangerStarts' | 'spent' | 'strangerSpent' | 'turns'>;
  /** Calls that may start under its concurrency. */
  readonly lines: number;
  /** Outbound calls are paused until the owner lifts it. */
  readonly isPaused: boolean;
}

export type RefusalReason = CapName | 'lines' | 'balance' | 'outbound_paused';

export type Decision =
  | {
      readonly admitted: true;
      /** Micro-credits to lock. */
      readonly amount: number;
      /** Talk that they cover, in ms; infinite for what is no talk. */
      readonly capMs: number;
      /** Turns of a model that may be taken. */
      readonly turns: number;
    }
  | { readonly admitted: false; readonly reason: RefusalReason };

/** What the caps still allow to one kind. */
export interface Headroom {
  /** Calls that may start now. */
  readonly starts: number;
  /** Micro-credits that may still be locked today. */
  readonly credits: number;
  /** Turns of a model that may still be held today. */
  readonly turns: number;
}

const below = (cap: number | null, used: number): number =>
  cap === null ? Number.POSITIVE_INFINITY : Math.max(0, cap - used);
const creditsBelow = (cap: number | null, used: number): number =>
  cap === null ? Number.POSITIVE_INFINITY : toMicroCredits(cap) - used;

/** What the caps leave to calls and chats that a stranger began, or to all others. Locked credits count as spent. Pure. */
export function headroom({ wallet, caps, usage }: Standing, byStranger: boolean): Headroom {
  const { unlimited, lockedCredits, strangerLocked } = wallet;
  const all = {
    starts: below(caps.callsPerMinute, usage.starts),
    credits: unlimited
      ? Number.POSITIVE_INFINITY
      : creditsBelow(caps.creditsPerDay, usage.spent + lockedCredits),
    turns: below(caps.modelTurnsPerDay, usage.turns),
  };
  if (!byStranger) return all;
  return {
    ...all,
    starts: Math.min(all.starts, below(caps.strangerCallsPerMinute, usage.strangerStarts)),
    credits: unlimited
      ? Number.POSITIVE_INFINITY
      : Math.min(all.credits, creditsBelow(caps.strangerCreditsPerDay, usage.strangerSpent + strangerLocked)),
  };
}

/** The least that must be affordable. */
function leastOf(price: Price): number {
  if ('amount' in price) return price.amount;
  return 'each' in price ? price.each : pulsePrice(price.rate);
}

/**
 * The cap that leaves nothing for the request; null: none. The workspace's own caps go before those for strangers, which are
 * a part of them. Pure.
 */
export function reachedCap(standing: Standing, request: AdmissionRequest): CapName | null {
  const { starts } = KINDS[request.kind];
  const { byStranger, price } = request;
  const least = leastOf(price);
  const own = headroom(standing, false);
  if (own.credits < least) return 'credits_per_day';
  if (starts && own.starts < 1) return 'calls_per_minute';
  if ('each' in price && own.turns < 1) return 'model_turns_per_day';
  const left = headroom(standing, byStranger);
  if (left.credits < least) return 'stranger_credits_per_day';
  return starts && left.starts < 1 ? 'stranger_calls_per_minute' : null;
}

/** Admits a request with what it locks, or names the limit that refuses it. Pure. */
export function decide(standing: Standing, request: AdmissionRequest): Decision {
  const { takesLine, isOutbound } = KINDS[request.kind];
  if (isOutbound && standing.isPaused) return { admitted: false, reason: 'outbound_paused' };
  if (takesLine && standing.lines < 1) return { admitted: false, reason: 'lines' };
  const reached = reachedCap(standing, request);
  if (reached !== null) return { admitted: false, reason: reached };
  const { wallet } = standing;
  const left = headroom(standing, request.byStranger);
  const free = wallet.unlimited
    ? Number.POSITIVE_INFINITY
    : Math.min(wallet.credits - wallet.lockedCredits, left.credits);
  const lock = lockOf(request.price, free, left.turns, wallet.unlimited);
  return lock === null ? { admitted: false, reason: 'balance' } : { admitted: true, ...lock };
}

/** What to lock of `available` for a price; null: too little. An unlimited workspace locks nothing. */
function lockOf(
  price: Price,
  available: number,
  turnsLeft: number,
  isUnlimited: boolean,
): { readonly amount: number; readonly capMs: number; readonly turns: number } | null {
  if ('each' in price) {
    const affordable = price.each === 0 ? price.most : Math.floor(available / price.each);
    const turns = Math.min(price.most, turnsLeft, affordable);
    if (turns < 1) return null;
    return { amount: isUnlimited ? 0 : turns * price.each, capMs: Number.POSITIVE_INFINITY, turns };
  }
  if ('amount' in price) {
    if (price.amount > 0 && price.amount > available) return null;
    return { amount: isUnlimited ? 0 : price.amount, capMs: Number.POSITIVE_INFINITY, turns: 0 };
  }
  if (isUnlimited) return { amount: 0, capMs: price.talkMs, turns: 0 };
  const lock = lockFor(price.talkMs, available, price.rate);
  return lock === null ? null : { ...lock, turns: 0 };
}

/** Whether a cap needs the usage of the workspace to be read. */
export const hasCaps = (caps: Caps): boolean => Object.values(caps).some((cap) => cap !== null);
