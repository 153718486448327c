import type { VersionConfig } from '../store/json/agent-version.ts';
import type { CallLevelConfig } from '../store/json/call-config.ts';
import { splitCall } from '../domain/agents/version-choice.ts';
import { callTimeOf, isReadByCallee, openingAfter } from '../domain/call-windows/call-window.ts';
import { type Rate, affordableMs, lockFor, pulsePrice } from '../domain/credits/price.ts';
import { destinationsOf, mayDial } from '../domain/workspaces/destinations.ts';
import type { DestinationLimit, WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { Candidate, WaitingHead } from '../store/scheduler/claims.ts';
import type { BatchNumber } from '../store/scheduler/batch-numbers.ts';
import type { DueCampaign } from '../store/scheduler/batch.ts';
import { levelConfig } from '../shared/call-config-levels.ts';
import { whyStopped, type Hold } from '../domain/calls/campaign-hold.ts';
import type { NumberRotation } from './rotation.ts';
import { fullDestination, capacityFor, takeCapacity, type Capacity } from './trunks.ts';

/** The facts of a batch that its choice depends on. Times are epoch ms. */
export interface ChoiceInput {
  readonly now: number;
  readonly rate: Rate;
  readonly tenant: {
    readonly credits: number;
    readonly lockedCredits: number;
    readonly unlimited: boolean;
    /** `credits` is what credits_per_day leaves of the balance. */
    readonly isCapped?: boolean;
  };
  readonly limits: WorkspaceLimits;
  /** The queues in round-robin order: campaign ids, and null for the individual calls. */
  readonly order: readonly (string | null)[];
  readonly campaigns: ReadonlyMap<string, DueCampaign>;
  readonly candidates: readonly Candidate[];
  readonly numbers: NumberRotation;
  readonly configs: ReadonlyMap<string, VersionConfig>;
  /** Decremented for each started call. */
  readonly capacity: Capacity;
  /** Absent: no engine of this process is limited. */
  readonly engines?: Engines;
}

/** The engines of this process that carry a limited number of calls, and the versions that are known to need one. */
interface Engines {
  readonly free: number;
  needs(versionId: string): boolean;
}

export interface Started {
  readonly candidate: Candidate;
  readonly number: BatchNumber;
  readonly trunkId: string;
  readonly versionId: string;
  readonly versionConfig: VersionConfig;
  readonly callConfig: CallLevelConfig | null;
  readonly capMs: number;
  readonly amount: number;
}
export interface Deferred {
  readonly id: string;
  readonly campaignId: string | null;
  readonly subStatus: string;
  readonly dueAt: Date;
}
export interface Choice {
  readonly started: Started[];
  readonly deferred: Deferred[];
  readonly ended: { readonly id: string; readonly subStatus: string }[];
  /** Campaigns held until this time because all money is locked; live calls may return some of it. */
  readonly held: Map<string, number>;
  /** Campaigns whose workspace cannot pay for another call, and has no live call that could return money. */
  readonly unfunded: Set<string>;
}

/** The version a call uses. A running A/B test assigns a campaign's call its version at the first attempt. */
export function versionOf(
  campaign: DueCampaign | undefined,
  call: Pick<Candidate, 'id' | 'attempt' | 'versionId'>,
): string {
  if (campaign === undefined || call.attempt > 0) return call.versionId;
  if (!campaign.isAbLive) return campaign.activeVersionId;
  return (
    splitCall(
      campaign.versions.filter((version) => version.callTraffic > 0),
      call.id,
    )?.id ?? campaign.activeVersionId
  );
}

/** Chooses round-robin, one call of each queue at a time, until the capacity or the candidates are exhausted. Pure. */
export function choose(input: ChoiceInput): Choice {
  const choice: Choice = { started: [], deferred: [], ended: [], held: new Map(), unfunded: new Set() };
  const chooser = new Chooser(input, choice);
  let queues = input.order
    .map((campaignId) =>
      input.candidates.filter((candidate) => candidate.campaignId === campaignId).reverse(),
    )
    .filter((queue) => queue.length > 0);
  while (queues.length > 0 && input.capacity.workspace > 0) {
    queues = queues.filter((queue) => {
      const candidate = queue.pop();
      return candidate !== undefined && chooser.consider(candidate) && queue.length > 0;
    });
  }
  return choice;
}

/**
 * Which of a campaign's due calls must be deferred for a reason of their own: a window in the callee's time zone, the
 * window of another version, an exhausted destination limit. Pure.
 */
export function deferralsOf(
  input: ChoiceInput,
  campaignId: string,
  heads: readonly WaitingHead[],
): Deferred[] {
  const openings = new Openings(input);
  const full = new FullDestinations(input);
  return heads.flatMap((head): Deferred[] => {
    const opening = openings.of(input.campaigns.get(campaignId), head);
    if (opening === null) return [];
    if (opening > input.now) {
      return [{ id: head.id, campaignId, subStatus: 'WINDOW_CLOSED', dueAt: new Date(opening) }];
    }
    const limit = fullDestination(input.capacity, destinationsOf(input.limits, head.toNumber));
    if (limit === undefined) return [];
    return [{ id: head.id, campaignId, subStatus: 'LIMIT_REACHED', dueAt: full.retryAt(limit) }];
  });
}

class Chooser {
  readonly #input: ChoiceInput;
  readonly #choice: Choice;
  readonly #openings: Openings;
  readonly #full: FullDestinations;
  /** Callees already chosen in this batch. */
  readonly #callees = new Set<string>();
  #available: number;
  /** Engines that the batch has not used. */
  #engines: number;

  constructor(input: ChoiceInput, choice: Choice) {
    this.#input = input;
    this.#choice = choice;
    this.#openings = new Openings(input);
    this.#full = new FullDestinations(input);
    this.#available = input.tenant.credits - input.tenant.lockedCredits;
    this.#engines = input.engines?.free ?? 0;
  }

  /** Starts, defers or ends a call. False: no other call of its queue can start either. */
  consider(candidate: Candidate): boolean {
    const { capacity, numbers, campaigns, limits, now } = this.#input;
    const { id, campaignId, toNumber } = candidate;
    const campaign = campaignId === null ? undefined : campaigns.get(campaignId);
    const number = numbers.next(candidate, (n) => capacityFor(capacity, n, campaignId) > 0);
    // Without capacity on its number an individual call waits, while others have other numbers. A campaign without a
    // free number cannot start any of its calls.
    if (number === null || number.trunkId === null) return campaignId === null;
    const versionId = versionOf(campaign, candidate);
    const needsEngine = this.#input.engines?.needs(versionId) === true;
    // The call waits for the end of another one.
    if (needsEngine && this.#engines <= 0) return campaignId === null;
    const config = this.#input.configs.get(versionId);
    const destinations = destinationsOf(limits, toNumber);
    const fullLimit = fullDestination(capacity, destinations);
    const admission = admit({
      now,
      doNotCall: candidate.doNotCall,
      stopped: whyStopped(candidate.origin, now),
      agentArchived: candidate.agentArchived,
      mayDial: config !== undefined && mayDial(limits, toNumber),
      opening: this.#openings.of(campaign, candidate),
      tooOftenUntil: this.#tooOftenUntil(candidate),
      destinationFullUntil: () => (fullLimit === undefined ? null : this.#full.retryAt(fullLimit).getTime()),
      maxCallSeconds: config === undefined ? undefined : callConfigOf(config)?.maxCallLength,
      unlimited: this.#input.tenant.unlimited,
      credits: this.#input.tenant.credits,
      available: this.#available,
      rate: this.#input.rate,
    });
    if (admission.kind !== 'start' && campaignId !== null && admission.subStatus === 'INSUFFICIENT_BALANCE') {
      // The balance blocks all calls of the campaign, so its one row is held and not each of a million call rows.
      if (admission.kind === 'end') this.#choice.unfunded.add(campaignId);
      else this.#choice.held.set(campaignId, admission.until);
      return false;
    }
    if (admission.kind === 'defer') {
      const { until } = admission;
      const isCap = admission.subStatus === 'INSUFFICIENT_BALANCE' && this.#input.tenant.isCapped === true;
      const subStatus = isCap ? 'LIMIT_REACHED' : admission.subStatus;
      this.#choice.deferred.push({ id, campaignId, subStatus, dueAt: new Date(until) });
      return true;
    }
    if (admission.kind === 'end' || config === undefined) {
      this.#choice.ended.push({ id, subStatus: admission.kind === 'end' ? admission.subStatus : 'FAILED' });
      return true;
    }
    this.#available -= admission.amount;
    if (needsEngine) this.#engines -= 1;
    this.#callees.add(toNumber);
    takeCapacity(capacity, number, campaignId, destinations);
    numbers.use(number, campaignId);
    this.#choice.started.push({
      candidate,
      number,
      trunkId: number.trunkId,
      versionId,
      versionConfig: candidate.voiceId === null ? config : { ...config, voiceId: candidate.voiceId },
      callConfig: levelConfig(candidate.callConfig, campaign?.callConfig ?? null),
      capMs: admission.capMs,
      amount: admission.amount,
    });
    return true;
  }

  /** When the callee frequency limit permits the call; null: now. */
  #tooOftenUntil({ toNumber, frequentSince }: Candidate): number | null {
    const limit = this.#input.limits.calleeFrequency;
    if (limit === null) return null;
    if (frequentSince !== null) return frequentSince.getTime() + limit.hours * HOUR_MS;
    return this.#callees.has(toNumber) ? this.#input.now + SAME_CALLEE_MS : null;
  }
}

const HOUR_MS = 3_600_000;
/**
 * Defers a second call to one callee past this batch: the frequency limit counts stored attempts, which do not include
 * the batch's own.
 */
const SAME_CALLEE_MS = 1_000;

const callConfigOf = (config: Partial<VersionConfig>) => config.callConfig;

/** When windows open; cached for all calls that share a version and their campaign's settings. */
class Openings {
  readonly #input: ChoiceInput;
  readonly #known = new Map<string, number | null>();

  constructor(input: ChoiceInput) {
    this.#input = input;
  }

  of(
    campaign: DueCampaign | undefined,
    call: Pick<Candidate, 'id' | 'attempt' | 'versionId' | 'callConfig' | 'toNumber'>,
  ): number | null {
    const { configs, now } = this.#input;
    const versionId = versionOf(campaign, call);
    const config = configs.get(versionId) ?? {};
    const callConfig = levelConfig(call.callConfig, campaign?.callConfig ?? null);
    const callTime = callConfig?.callTime;
    if (call.callConfig !== null || isReadByCallee(callTimeOf(config), callTime)) {
      return openingAfter(config, callConfig, call.toNumber, now);
    }
    const key = `${versionId} ${campaign?.id ?? ''}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const opening = openingAfter(config, callConfig, call.toNumber, now);
    this.#known.set(key, opening);
    return opening;
  }
}

const FULL_FIRST_MS = 5_000;
/** About how long one live call uses the limit. */
const FULL_STEP_MS = 30_000;
const FULL_LAST_MS = 900_000;

/**
 * Defers calls to destinations at their limit, so that they do not block the others of their queue. Spreads them over
 * the time in which live calls end, so that no batch reads the same ones again and again.
 */
class FullDestinations {
  readonly #now: number;
  readonly #waiting = new Map<string, number>();

  constructor(input: Pick<ChoiceInput, 'now'>) {
    this.#now = input.now;
  }

  retryAt(limit: DestinationLimit): Date {
    const before = this.#waiting.get(limit.to) ?? 0;
    this.#waiting.set(limit.to, before + 1);
    const rounds = Math.floor(before / Math.max(1, limit.concurrent));
    return new Date(this.#now + Math.min(FULL_LAST_MS, FULL_FIRST_MS + rounds * FULL_STEP_MS));
  }
}

export type Admission =
  | { readonly kind: 'start'; readonly capMs: number; readonly amount: number }
  | Hold<
      | 'DND_SKIPPED'
      | 'USER_TERMINATED'
      | 'CAMPAIGN_TIME_EXCEEDED'
      | 'INSUFFICIENT_BALANCE'
      | 'NOT_ABLE_TO_CALL'
    >;

/** How soon a call is retried that only needs money which other live calls have locked. */
const BALANCE_RECHECK_MS = 15_000;
const DEFAULT_MAX_CALL_SECONDS = 240;

/**
 * Decides whether a due call may start now. Checks in this order: do-not-call lists, its campaign, agent, destination,
 * calling window, callee frequency, destination limit, money. Pure.
 */
export function admit(input: {
  readonly now: number;
  readonly doNotCall: boolean;
  /** What its campaign's state decides, see `whyStopped`; null: nothing. */
  readonly stopped: Hold | null;
  readonly agentArchived: boolean;
  /** The workspace may dial this destination. */
  readonly mayDial: boolean;
  /** When the call's window opens next, `now` if it is open; null: never. */
  readonly opening: number | null;
  /** When the callee frequency limit lets the call start; null: it does now. */
  readonly tooOftenUntil: number | null;
  /** When to retry because a destination limit is exhausted; null: none is. */
  readonly destinationFullUntil: () => number | null;
  readonly maxCallSeconds: number | undefined;
  readonly unlimited: boolean;
  /** Micro-credits: the balance and its unlocked part. */
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
  const until = input.tooOftenUntil ?? input.destinationFullUntil();
  if (until !== null) return { kind: 'defer', subStatus: 'LIMIT_REACHED', until };
  const maxCallMs = (input.maxCallSeconds ?? DEFAULT_MAX_CALL_SECONDS) * 1000;
  if (input.unlimited) return { kind: 'start', capMs: maxCallMs, amount: 0 };
  const lock = lockFor(maxCallMs, input.available, input.rate);
  if (lock !== null) return { kind: 'start', ...lock };
  // Live calls return unused locked money, so the call can wait for it. Without any, the balance stays too low.
  return input.credits >= pulsePrice(input.rate) && affordableMs(input.credits, input.rate) > 0
    ? { kind: 'defer', subStatus: 'INSUFFICIENT_BALANCE', until: now + BALANCE_RECHECK_MS }
    : { kind: 'end', subStatus: 'INSUFFICIENT_BALANCE' };
}
