import {
  callWindow,
  isReadByCallee,
  nextClosing,
  nextOpening,
  type CallWindow,
} from '../domain/calls/call-window.ts';
import { affordableMs, lockFor, pulsePrice, type Rate } from '../domain/credits/price.ts';
import type { CallLevelConfig, CallTime } from '../domain/agents/call-config.ts';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { CampaignState, JsonObject } from '../store/schema.ts';

export type Admission =
  | { readonly kind: 'start'; readonly capMs: number; readonly amount: number }
  | { readonly kind: 'defer'; readonly subStatus: string; readonly until: number }
  /** Ends without being dialled. */
  | {
      readonly kind: 'end';
      readonly subStatus:
        | 'DND_SKIPPED'
        | 'USER_TERMINATED'
        | 'CAMPAIGN_TIME_EXCEEDED'
        | 'INSUFFICIENT_BALANCE'
        | 'NOT_ABLE_TO_CALL';
    };

/** How soon a call that only waits for other calls' money to come free is looked at again. */
const BALANCE_RECHECK_MS = 15_000;
/** The same for a callback of a campaign that is held. */
const CAMPAIGN_RECHECK_MS = 60_000;
const DEFAULT_MAX_CALL_SECONDS = 240;

/**
 * Whether a due call may start now: do-not-call list, its campaign, its agent, destination, calling window, how often and how many
 * are called there, money. Pure.
 */
export function admit(input: {
  readonly now: number;
  readonly doNotCall: boolean;
  /** Its campaign ends or holds it, see `whyStopped`. */
  readonly stopped: Admission | null;
  readonly agentArchived: boolean;
  /** The workspace may dial this destination. */
  readonly mayDial: boolean;
  /** When the call's window is open next, `now` where it is; null: never. */
  readonly opening: number | null;
  /** The callee was called as often as it may be; null: it was not. */
  readonly tooOftenUntil: number | null;
  /** The destination has its number of calls; null: it has room. */
  readonly crowdedUntil: () => number | null;
  readonly maxCallSeconds: number | undefined;
  readonly unlimited: boolean;
  /** Micro-credits: the balance, and what of it is not locked. */
  readonly credits: number;
  readonly available: number;
  readonly rate: Rate;
}): Admission {
  if (input.doNotCall) return { kind: 'end', subStatus: 'DND_SKIPPED' };
  if (input.stopped !== null) return input.stopped;
  if (input.agentArchived) return { kind: 'end', subStatus: 'USER_TERMINATED' };
  const { now, opening } = input;
  if (opening === null || !input.mayDial) return { kind: 'end', subStatus: 'NOT_ABLE_TO_CALL' };
  if (opening > now) return { kind: 'defer', subStatus: 'WINDOW_CLOSED', until: opening };
  const until = input.tooOftenUntil ?? input.crowdedUntil();
  if (until !== null) return { kind: 'defer', subStatus: 'LIMIT_REACHED', until };
  const maxCallMs = (input.maxCallSeconds ?? DEFAULT_MAX_CALL_SECONDS) * 1000;
  if (input.unlimited) return { kind: 'start', capMs: maxCallMs, amount: 0 };
  const lock = lockFor(maxCallMs, input.available, input.rate);
  if (lock !== null) return { kind: 'start', ...lock };
  // Live calls hold money that may come back; without them nothing will change by itself.
  return input.credits >= pulsePrice(input.rate) && affordableMs(input.credits, input.rate) > 0
    ? { kind: 'defer', subStatus: 'INSUFFICIENT_BALANCE', until: now + BALANCE_RECHECK_MS }
    : { kind: 'end', subStatus: 'INSUFFICIENT_BALANCE' };
}

/**
 * What the campaign in whose call a callback was asked for makes of it: it ends with the campaign's termination and
 * end time, waits while that is held, and goes on when it is complete. Null: nothing.
 */
export function whyStopped(
  origin: { readonly state: CampaignState; readonly endAt: number | null } | null,
  now: number,
): Admission | null {
  if (origin === null) return null;
  if (origin.state === 'terminated') return { kind: 'end', subStatus: 'USER_TERMINATED' };
  if (origin.endAt !== null && origin.endAt <= now) {
    return { kind: 'end', subStatus: 'CAMPAIGN_TIME_EXCEEDED' };
  }
  const isHeld = origin.state === 'paused' || origin.state === 'insufficient_balance';
  return isHeld ? { kind: 'defer', subStatus: 'QUEUED', until: now + CAMPAIGN_RECHECK_MS } : null;
}

/**
 * The first instant at or after `at` in the call's window: the call's own `call_time` over its agent's. Null when it
 * never opens for this callee.
 */
export function openingAfter(
  versionConfig: JsonObject,
  callConfig: JsonObject | null,
  toNumber: string,
  at: number,
): number | null {
  return nextOpening(windowOf(versionConfig, callConfig, toNumber), at);
}

/** The first instant at or after `at` outside the same window. Null when it does not close. */
export function closingAfter(
  versionConfig: JsonObject,
  callConfig: JsonObject | null,
  toNumber: string,
  at: number,
): number | null {
  return nextClosing(windowOf(versionConfig, callConfig, toNumber), at);
}

function windowOf(versionConfig: JsonObject, callConfig: JsonObject | null, toNumber: string): CallWindow {
  const own = (callConfig as CallLevelConfig | null)?.call_time;
  return callWindow(callTimeOf(versionConfig), own, toNumber);
}

export const callTimeOf = (versionConfig: JsonObject): Partial<CallTime> | undefined =>
  (versionConfig as Partial<VersionConfig>).call_config?.call_time;

/**
 * When a campaign as a whole may dial next: in the earliest window of any version of its agent, with the campaign's
 * own settings laid over it. `at` where a row has to be looked at to tell: windows read in the callee's zone, or one
 * that never opens.
 */
export function laneOpening(
  lane: {
    readonly callConfig: JsonObject | null;
    readonly versions: readonly { readonly call_time: JsonObject | null }[];
  },
  at: number,
): number {
  const own = (lane.callConfig as CallLevelConfig | null)?.call_time;
  const openings = lane.versions.map(({ call_time: agent }) =>
    isReadByCallee(agent, own) ? at : (nextOpening(callWindow(agent, own, ''), at) ?? at),
  );
  return openings.length === 0 ? at : Math.min(...openings);
}
