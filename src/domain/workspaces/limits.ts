import type { JsonObject } from '../../store/schema.ts';

/**
 * The maximum number of concurrent calls to numbers with the prefix `to`, or to the country `to` (ISO 3166 alpha-2).
 */
export interface DestinationLimit {
  readonly to: string;
  readonly concurrent: number;
}

/** The dial limits of a workspace besides its concurrency: `limits` of its settings. */
export interface WorkspaceLimits {
  /** Countries and prefixes that may be dialled; empty means all. */
  readonly allowed: readonly string[];
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
  /** Outbound attempts in any 60 s. */
  readonly callsPerMinute: number | null;
  /** Credits charged and locked in a day of UTC. Without effect on unlimited workspaces, which are not charged. */
  readonly creditsPerDay: number | null;
}

/** When the number rotation skips a caller number whose answer rate is far below the others'. */
export interface NumberRest {
  /** The number of last attempts that count; a number with fewer than half of them is not skipped. */
  readonly attempts: number;
  /** A number rests below this share of the mean answer rate in its rotation. */
  readonly share: number;
  readonly minutes: number;
}

export const DEFAULT_NUMBER_REST: NumberRest = { attempts: 40, share: 0.5, minutes: 30 };

/**
 * Parses the limits of the settings, which were validated when they were stored; absent limits do not apply.
 * `installation` are the destinations of ALLOWED_COUNTRIES.
 */
export function workspaceLimits(settings: JsonObject, installation: readonly string[] = []): WorkspaceLimits {
  const limits = (settings['limits'] ?? {}) as StoredLimits;
  return {
    allowed: limits.allowed_destinations ?? [],
    denied: limits.denied_destinations ?? [],
    installation,
    allowPremium: settings['allow_premium_numbers'] === true,
    destinations: Object.entries(limits.destination_calls ?? {}).map(([to, concurrent]) => ({
      to,
      concurrent,
    })),
    calleeFrequency: limits.callee_frequency ?? null,
    numberRest: limits.number_rest === false ? null : { ...DEFAULT_NUMBER_REST, ...limits.number_rest },
    caps: {
      callsPerMinute: limits.calls_per_minute ?? null,
      creditsPerDay: limits.credits_per_day ?? null,
    },
    transferHosts: (limits.transfer_hosts ?? []).map((host) => host.toLowerCase()),
  };
}

/** The format of the provision file and of the settings. */
export interface StoredLimits {
  allowed_destinations?: string[];
  denied_destinations?: string[];
  destination_calls?: Record<string, number>;
  callee_frequency?: { attempts: number; hours: number };
  number_rest?: false | Partial<NumberRest>;
  transfer_hosts?: string[];
  calls_per_minute?: number;
  credits_per_day?: number;
}
