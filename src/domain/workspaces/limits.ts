import { DEFAULT_NUMBER_REST } from '../../shared/workspace-defaults.ts';
import { declaredLimits, declaredSettings } from '../../store/json/workspace-settings.ts';
import type { JsonObject } from '../../store/schema.ts';
import { closedList } from './home-destinations.ts';

/**
 * The maximum number of concurrent calls to numbers with the prefix `to`, or to the country `to` (ISO 3166 alpha-2).
 */
export interface DestinationLimit {
  readonly to: string;
  readonly concurrent: number;
}

/** The dial limits of a workspace besides its concurrency: `limits` of its settings. */
export interface WorkspaceLimits {
  /** Lists of countries and prefixes: only a number that matches every list may be dialled. */
  readonly allowed: readonly (readonly string[])[];
  /** Countries and prefixes that are never dialled; takes precedence over `allowed`. */
  readonly denied: readonly string[];
  readonly destinations: readonly DestinationLimit[];
  /** At most `attempts` to one number within `hours`; null: unlimited. */
  readonly calleeFrequency: { readonly attempts: number; readonly hours: number } | null;
  readonly numberRest: NumberRest | null;
  /** Countries and prefixes that the installation may call (ALLOWED_COUNTRIES); empty means all. */
  readonly installation: readonly string[];
  /** The operator opened premium, shared-cost and satellite ranges for the workspace. */
  readonly allowPremium: boolean;
  readonly caps: Caps;
  /** Hosts outside the trunks that a SIP address of a transfer may name, in lower case. */
  readonly transferHosts: readonly string[];
}

/** Caps of what a workspace starts and spends; null: no cap. */
export interface Caps {
  /** Calls and transfers started in any 60 s, in both directions and from pages. */
  readonly callsPerMinute: number | null;
  /** Credits charged and locked in a day of UTC. Without effect on unlimited workspaces, which are not charged. */
  readonly creditsPerDay: number | null;
  /** The part of both that strangers may use: inbound callers, pages with the public key, customers of chats. */
  readonly strangerCallsPerMinute: number | null;
  readonly strangerCreditsPerDay: number | null;
  /** Replies of a model in chats, agent tests and test runs, with the analyses of these, in a day of UTC. */
  readonly modelTurnsPerDay: number | null;
}

/** A cap by its name in the limits of the provision file. */
export type CapName =
  | 'calls_per_minute'
  | 'credits_per_day'
  | 'stranger_calls_per_minute'
  | 'stranger_credits_per_day'
  | 'model_turns_per_day';

/** A storage quota by its name in the limits of the provision file. */
export type StorageLimit = 'recordings_mb' | 'call_records_mb' | 'chats_mb' | 'tests_mb';

/** When the number rotation skips a caller number whose answer rate is far below the others'. */
export interface NumberRest {
  /** The number of last attempts that count; a number with fewer than half of them is not skipped. */
  readonly attempts: number;
  /** A number rests below this share of the mean answer rate in its rotation. */
  readonly share: number;
  readonly minutes: number;
}

/**
 * The limits that hold for a workspace, by its settings, which were validated when they were stored; absent limits do not apply.
 * A child has those of its parent (`settings.parent`) and narrows them. `installation` are the destinations of
 * ALLOWED_COUNTRIES.
 */
export function workspaceLimits(settings: JsonObject, installation: readonly string[] = []): WorkspaceLimits {
  const { parent, ...own } = settings as JsonObject & { readonly parent?: JsonObject };
  const limits = ownLimits(own, installation);
  return parent === undefined ? limits : narrowed(ownLimits(parent, installation), limits, own);
}

function ownLimits(settings: JsonObject, installation: readonly string[]): WorkspaceLimits {
  const limits = declaredLimits(settings);
  const { allowedDestinations: declared = [] } = limits;
  const allowed = declared.length === 0 ? closedList(settings) : declared;
  return {
    allowed: allowed === null ? [] : [allowed],
    denied: limits.deniedDestinations ?? [],
    installation,
    allowPremium: declaredSettings(settings).allowPremium === true,
    destinations: Object.entries(limits.destinationCalls ?? {}).map(([to, concurrent]) => ({
      to,
      concurrent,
    })),
    calleeFrequency: limits.calleeFrequency ?? null,
    numberRest: limits.numberRest === false ? null : { ...DEFAULT_NUMBER_REST, ...limits.numberRest },
    caps: {
      callsPerMinute: limits.callsPerMinute ?? null,
      creditsPerDay: limits.creditsPerDay ?? null,
      strangerCallsPerMinute: limits.strangerCallsPerMinute ?? null,
      strangerCreditsPerDay: limits.strangerCreditsPerDay ?? null,
      modelTurnsPerDay: limits.modelTurnsPerDay ?? null,
    },
    transferHosts: (limits.transferHosts ?? []).map((host) => host.toLowerCase()),
  };
}

/** What a child may under the limits of its parent: nothing that the parent may not. */
function narrowed(parent: WorkspaceLimits, child: WorkspaceLimits, own: JsonObject): WorkspaceLimits {
  const declared = declaredLimits(own);
  return {
    allowed: [...parent.allowed, ...child.allowed],
    denied: [...parent.denied, ...child.denied],
    installation: child.installation,
    allowPremium: parent.allowPremium && declaredSettings(own).allowPremium !== false,
    destinations: fewestOf([...parent.destinations, ...child.destinations]),
    calleeFrequency: rarest(parent.calleeFrequency, child.calleeFrequency),
    numberRest: declared.numberRest === undefined ? parent.numberRest : child.numberRest,
    caps: {
      callsPerMinute: least(parent.caps.callsPerMinute, child.caps.callsPerMinute),
      creditsPerDay: least(parent.caps.creditsPerDay, child.caps.creditsPerDay),
      strangerCallsPerMinute: least(parent.caps.strangerCallsPerMinute, child.caps.strangerCallsPerMinute),
      strangerCreditsPerDay: least(parent.caps.strangerCreditsPerDay, child.caps.strangerCreditsPerDay),
      modelTurnsPerDay: least(parent.caps.modelTurnsPerDay, child.caps.modelTurnsPerDay),
    },
    transferHosts:
      declared.transferHosts === undefined
        ? parent.transferHosts
        : child.transferHosts.filter((host) => parent.transferHosts.includes(host)),
  };
}

const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** One limit for each destination, the lowest. */
function fewestOf(limits: readonly DestinationLimit[]): DestinationLimit[] {
  const fewest = new Map<string, number>();
  for (const { to, concurrent } of limits) fewest.set(to, Math.min(concurrent, fewest.get(to) ?? Infinity));
  return Array.from(fewest, ([to, concurrent]) => ({ to, concurrent }));
}

/** The frequency with fewer attempts an hour. */
function rarest(
  a: WorkspaceLimits['calleeFrequency'],
  b: WorkspaceLimits['calleeFrequency'],
): WorkspaceLimits['calleeFrequency'] {
  if (a === null || b === null) return a ?? b;
  return b.attempts / b.hours < a.attempts / a.hours ? b : a;
}

/** Whether the workspace, and its parent, may use the flow for large lists. */
export const hasLargeCampaigns = (settings: JsonObject): boolean =>
  [settings, parentOf(settings)].every((each) => declaredSettings(each).largeCampaigns !== false);

/** The rules of the circuit breaker as stored: the workspace's own, or its parent's. */
export const breakerSettings = (settings: JsonObject) =>
  declaredSettings(settings).circuitBreaker ?? declaredSettings(parentOf(settings)).circuitBreaker;

const parentOf = ({ parent }: JsonObject): JsonObject => (parent ?? {}) as JsonObject;
