import { callWindow, isOpen, nextOpening } from '../domain/calls/call-window.ts';
import { affordableMs, lockFor, pulsePrice, type Rate } from '../domain/credits/price.ts';
import type { CallLevelConfig } from '../domain/agents/call-config.ts';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { DueNumber, Tenant } from '../store/claims.ts';
import type { JsonObject } from '../store/schema.ts';

/** How many more calls may start, each shared limit counted down once for every call that uses it. Pure. */
export interface Room {
  tenant: number;
  readonly numbers: Map<string, number>;
  readonly trunks: Map<string, number>;
}

export interface RoomInput {
  readonly tenant: Tenant;
  readonly numbers: readonly DueNumber[];
  readonly live: ReadonlyMap<string | null, number>;
  readonly trunkLive: ReadonlyMap<string, number>;
  /** Calls that each trunk's pace lets start now; a trunk that is absent has no pace. */
  readonly paced: ReadonlyMap<string, number>;
  /** Calls this node can still carry, and the most to take in one turn. */
  readonly capacity: number;
}

/** The room of one tenant's turn. */
export function roomOf(input: RoomInput): Room {
  const { tenant, numbers, live, trunkLive, paced } = input;
  const total = [...live.values()].reduce((sum, count) => sum + count, 0);
  const room: Room = {
    tenant: Math.max(0, Math.min(tenant.callLimit - total, input.capacity)),
    numbers: new Map(),
    trunks: new Map(),
  };
  for (const number of numbers) {
    const limit = number.callLimit ?? Number.POSITIVE_INFINITY;
    room.numbers.set(number.id, Math.max(0, limit - (live.get(number.id) ?? 0)));
    // A number without a trunk has nowhere to dial through.
    if (number.trunkId === null) room.numbers.set(number.id, 0);
    else if (!room.trunks.has(number.trunkId)) {
      const max = number.trunkMaxCalls ?? Number.POSITIVE_INFINITY;
      const free = Math.min(
        max - (trunkLive.get(number.trunkId) ?? 0),
        paced.get(number.trunkId) ?? Number.POSITIVE_INFINITY,
      );
      room.trunks.set(number.trunkId, Math.max(0, free));
    }
  }
  return room;
}

/** Room for one number: the least of every limit it stands under. */
export function freeOf(room: Room, number: DueNumber): number {
  const trunk = number.trunkId === null ? 0 : (room.trunks.get(number.trunkId) ?? 0);
  return Math.min(room.tenant, room.numbers.get(number.id) ?? 0, trunk);
}

/** Counts one started call down. */
export function takeRoom(room: Room, number: DueNumber): void {
  room.tenant -= 1;
  room.numbers.set(number.id, (room.numbers.get(number.id) ?? 0) - 1);
  if (number.trunkId !== null) room.trunks.set(number.trunkId, (room.trunks.get(number.trunkId) ?? 0) - 1);
}

export type Admission =
  | { readonly kind: 'start'; readonly capMs: number; readonly amount: number }
  | { readonly kind: 'defer'; readonly subStatus: string; readonly until: number }
  /** Ends without being dialled. */
  | { readonly kind: 'end'; readonly subStatus: 'DND_SKIPPED' | 'USER_TERMINATED' | 'INSUFFICIENT_BALANCE' };

/** How soon a call that only waits for other calls' money to come free is looked at again. */
const BALANCE_RECHECK_MS = 15_000;
const DEFAULT_MAX_CALL_SECONDS = 240;

/** Whether a due call may start now: do-not-call list, its agent, calling window, money. Pure. */
export function admit(input: {
  readonly now: number;
  readonly doNotCall: boolean;
  readonly agentArchived: boolean;
  readonly versionConfig: JsonObject;
  readonly callConfig: JsonObject | null;
  readonly unlimited: boolean;
  /** Micro-credits: the balance, and what of it is not locked. */
  readonly credits: number;
  readonly available: number;
  readonly rate: Rate;
}): Admission {
  if (input.doNotCall) return { kind: 'end', subStatus: 'DND_SKIPPED' };
  if (input.agentArchived) return { kind: 'end', subStatus: 'USER_TERMINATED' };
  const opening = openingAfter(input.versionConfig, input.callConfig, input.now);
  if (opening > input.now) return { kind: 'defer', subStatus: 'WINDOW_CLOSED', until: opening };
  const maxCallMs = maxCallMsOf(input.versionConfig);
  if (input.unlimited) return { kind: 'start', capMs: maxCallMs, amount: 0 };
  const lock = lockFor(maxCallMs, input.available, input.rate);
  if (lock !== null) return { kind: 'start', ...lock };
  // Live calls hold money that may come back; without them nothing will change by itself.
  return input.credits >= pulsePrice(input.rate) && affordableMs(input.credits, input.rate) > 0
    ? { kind: 'defer', subStatus: 'INSUFFICIENT_BALANCE', until: input.now + BALANCE_RECHECK_MS }
    : { kind: 'end', subStatus: 'INSUFFICIENT_BALANCE' };
}

/** The first instant at or after `at` in the call's window: the call's own `call_time` over its agent's. */
export function openingAfter(versionConfig: JsonObject, callConfig: JsonObject | null, at: number): number {
  const agent = (versionConfig as Partial<VersionConfig>).call_config?.call_time;
  const window = callWindow(agent, (callConfig as CallLevelConfig | null)?.call_time);
  return isOpen(window, at) ? at : nextOpening(window, at);
}

function maxCallMsOf(versionConfig: JsonObject): number {
  const seconds = (versionConfig as Partial<VersionConfig>).call_config?.max_call_length;
  return (seconds ?? DEFAULT_MAX_CALL_SECONDS) * 1000;
}
