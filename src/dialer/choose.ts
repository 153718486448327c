import { splitCall } from '../domain/agents/version-choice.ts';
import type { CallLevelConfig } from '../domain/agents/call-config.ts';
import { isReadByCallee } from '../domain/calls/call-window.ts';
import type { Rate } from '../domain/credits/price.ts';
import { destinationsOf, mayDial } from '../domain/workspaces/destinations.ts';
import type { DestinationLimit, WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { Candidate, WaitingHead } from '../store/claims.ts';
import type { Lane, TurnNumber } from '../store/lanes.ts';
import { levelConfig } from '../store/level-config.ts';
import type { JsonObject } from '../store/schema.ts';
import { admit, callTimeOf, openingAfter, whyStopped } from './gate.ts';
import type { NumberTurns } from './number-turns.ts';
import { crowdedOf, freeOf, takeRoom, type Room } from './room.ts';

/** Everything a turn knows when it chooses. Epoch ms. */
export interface ChoiceInput {
  readonly now: number;
  readonly rate: Rate;
  readonly tenant: { readonly credits: number; readonly lockedCredits: number; readonly unlimited: boolean };
  readonly limits: WorkspaceLimits;
  /** By campaign, in the order of their turn; null stands for individual calls. */
  readonly order: readonly (string | null)[];
  readonly lanes: ReadonlyMap<string, Lane>;
  readonly candidates: readonly Candidate[];
  readonly numbers: NumberTurns;
  readonly configs: ReadonlyMap<string, JsonObject>;
  /** Counted down for every call that is started. */
  readonly room: Room;
}

export interface Started {
  readonly candidate: Candidate;
  readonly number: TurnNumber;
  readonly trunkId: string;
  readonly versionId: string;
  readonly versionConfig: JsonObject;
  readonly callConfig: JsonObject | null;
  readonly capMs: number;
  readonly amount: number;
}
export interface Deferred {
  readonly id: string;
  readonly laneId: string | null;
  readonly subStatus: string;
  readonly dueAt: Date;
}
export interface Choice {
  readonly started: Started[];
  readonly deferred: Deferred[];
  readonly ended: { readonly id: string; readonly subStatus: string }[];
  /** Campaigns that wait as a whole until money that is locked may have come back. */
  readonly held: Map<string, number>;
  /** Campaigns whose workspace cannot pay for another call. */
  readonly broke: Set<string>;
}

/** The version a call goes to: a campaign's call gets its share of a running test at its first attempt. */
export function versionOf(
  lane: Lane | undefined,
  call: Pick<Candidate, 'id' | 'attempt' | 'versionId'>,
): string {
  if (lane === undefined || call.attempt > 0) return call.versionId;
  if (!lane.isAbLive) return lane.activeVersionId;
  return (
    splitCall(
      lane.versions.filter((version) => version.call_traffic > 0),
      call.id,
    )?.id ?? lane.activeVersionId
  );
}

/** One call of every campaign in turn, and of the individual ones, until room or candidates are used up. Pure. */
export function choose(input: ChoiceInput): Choice {
  const choice: Choice = { started: [], deferred: [], ended: [], held: new Map(), broke: new Set() };
  const chooser = new Chooser(input, choice);
  let queues = input.order
    .map((laneId) => input.candidates.filter((candidate) => candidate.laneId === laneId).reverse())
    .filter((queue) => queue.length > 0);
  while (queues.length > 0 && input.room.tenant > 0) {
    queues = queues.filter((queue) => {
      const candidate = queue.pop();
      return candidate !== undefined && chooser.consider(candidate) && queue.length > 0;
    });
  }
  return choice;
}

/**
 * Of a block of a campaign's due calls those that cannot start now for reasons of their own: a window read in the
 * callee's zone, another version's window, a crowded destination. Pure.
 */
export function postponed(input: ChoiceInput, laneId: string, heads: readonly WaitingHead[]): Deferred[] {
  const openings = new Openings(input);
  const crowds = new Crowds(input);
  return heads.flatMap((head): Deferred[] => {
    const opening = openings.of(input.lanes.get(laneId), head);
    if (opening === null) return [];
    if (opening > input.now) {
      return [{ id: head.id, laneId, subStatus: 'WINDOW_CLOSED', dueAt: new Date(opening) }];
    }
    const crowded = crowdedOf(input.room, destinationsOf(input.limits, head.toNumber));
    if (crowded === undefined) return [];
    return [{ id: head.id, laneId, subStatus: 'LIMIT_REACHED', dueAt: crowds.turnOf(crowded) }];
  });
}

class Chooser {
  readonly #input: ChoiceInput;
  readonly #choice: Choice;
  readonly #openings: Openings;
  readonly #crowds: Crowds;
  /** Whom this turn calls already. */
  readonly #callees = new Set<string>();
  #available: number;

  constructor(input: ChoiceInput, choice: Choice) {
    this.#input = input;
    this.#choice = choice;
    this.#openings = new Openings(input);
    this.#crowds = new Crowds(input);
    this.#available = input.tenant.credits - input.tenant.lockedCredits;
  }

  /** Starts, defers or ends a call. False: the others of its queue need not be looked at. */
  consider(candidate: Candidate): boolean {
    const { room, numbers, lanes, limits, now } = this.#input;
    const { id, laneId, toNumber } = candidate;
    const lane = laneId === null ? undefined : lanes.get(laneId);
    const number = numbers.next(candidate, (n) => freeOf(room, n, laneId) > 0);
    // An individual call waits for its own number; a campaign without a free one has none for its other calls.
    if (number === null || number.trunkId === null) return laneId === null;
    const versionId = versionOf(lane, candidate);
    const config = this.#input.configs.get(versionId);
    const destinations = destinationsOf(limits, toNumber);
    const crowded = crowdedOf(room, destinations);
    const admission = admit({
      now,
      doNotCall: candidate.doNotCall,
      stopped: whyStopped(candidate.origin, now),
      agentArchived: candidate.agentArchived,
      mayDial: config !== undefined && mayDial(limits, toNumber),
      opening: this.#openings.of(lane, candidate),
      tooOftenUntil: this.#tooOftenUntil(candidate),
      crowdedUntil: () => (crowded === undefined ? null : this.#crowds.turnOf(crowded).getTime()),
      maxCallSeconds: config === undefined ? undefined : callConfigOf(config)?.max_call_length,
      unlimited: this.#input.tenant.unlimited,
      credits: this.#input.tenant.credits,
      available: this.#available,
      rate: this.#input.rate,
    });
    if (admission.kind !== 'start' && laneId !== null && admission.subStatus === 'INSUFFICIENT_BALANCE') {
      // What holds for one call of a campaign holds for a million: the campaign waits, not each of its rows.
      if (admission.kind === 'end') this.#choice.broke.add(laneId);
      else this.#choice.held.set(laneId, admission.until);
      return false;
    }
    if (admission.kind === 'defer') {
      const { subStatus, until } = admission;
      this.#choice.deferred.push({ id, laneId, subStatus, dueAt: new Date(until) });
      return true;
    }
    if (admission.kind === 'end' || config === undefined) {
      this.#choice.ended.push({ id, subStatus: admission.kind === 'end' ? admission.subStatus : 'FAILED' });
      return true;
    }
    this.#available -= admission.amount;
    this.#callees.add(toNumber);
    takeRoom(room, number, laneId, destinations);
    numbers.use(number, laneId);
    this.#choice.started.push({
      candidate,
      number,
      trunkId: number.trunkId,
      versionId,
      versionConfig: candidate.voiceId === null ? config : { ...config, voice_id: candidate.voiceId },
      callConfig: levelConfig(candidate.callConfig, lane?.callConfig ?? null),
      capMs: admission.capMs,
      amount: admission.amount,
    });
    return true;
  }

  /** When the callee may be called again; null: now. */
  #tooOftenUntil({ toNumber, frequentSince }: Candidate): number | null {
    const limit = this.#input.limits.calleeFrequency;
    if (limit === null) return null;
    if (frequentSince !== null) return frequentSince.getTime() + limit.hours * HOUR_MS;
    return this.#callees.has(toNumber) ? this.#input.now + TWICE_MS : null;
  }
}

const HOUR_MS = 3_600_000;
/** A second call of one turn to a callee that may be called only so often is looked at again in the next. */
const TWICE_MS = 1_000;

const callConfigOf = (config: JsonObject): { readonly max_call_length?: number } | undefined =>
  config['call_config'] as { max_call_length?: number } | undefined;

/** When calls may ring, worked out once for all that share a version and their campaign's settings. */
class Openings {
  readonly #input: ChoiceInput;
  readonly #known = new Map<string, number | null>();

  constructor(input: ChoiceInput) {
    this.#input = input;
  }

  of(
    lane: Lane | undefined,
    call: Pick<Candidate, 'id' | 'attempt' | 'versionId' | 'callConfig' | 'toNumber'>,
  ): number | null {
    const { configs, now } = this.#input;
    const versionId = versionOf(lane, call);
    const config = configs.get(versionId) ?? {};
    const callConfig = levelConfig(call.callConfig, lane?.callConfig ?? null);
    const callTime = (callConfig as CallLevelConfig | null)?.call_time;
    if (call.callConfig !== null || isReadByCallee(callTimeOf(config), callTime)) {
      return openingAfter(config, callConfig, call.toNumber, now);
    }
    const key = `${versionId} ${lane?.id ?? ''}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const opening = openingAfter(config, callConfig, call.toNumber, now);
    this.#known.set(key, opening);
    return opening;
  }
}

const CROWD_FIRST_MS = 5_000;
/** About how long one call keeps its place. */
const CROWD_STEP_MS = 30_000;
const CROWD_LAST_MS = 900_000;

/**
 * Calls to a destination at its limit stand aside for the others of their queue, spread over the time in which places
 * come free, so that the same ones are not looked at over and over.
 */
class Crowds {
  readonly #now: number;
  readonly #waiting = new Map<string, number>();

  constructor(input: Pick<ChoiceInput, 'now'>) {
    this.#now = input.now;
  }

  turnOf(limit: DestinationLimit): Date {
    const before = this.#waiting.get(limit.to) ?? 0;
    this.#waiting.set(limit.to, before + 1);
    const rounds = Math.floor(before / Math.max(1, limit.concurrent));
    return new Date(this.#now + Math.min(CROWD_LAST_MS, CROWD_FIRST_MS + rounds * CROWD_STEP_MS));
  }
}
