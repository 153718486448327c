import type { JsonObject } from '../../store/schema.ts';

/** How many calls at once may go to numbers that begin with `prefix`, or to those of a country (ISO 3166, 2 letters). */
export interface DestinationLimit {
  readonly to: string;
  readonly concurrent: number;
}

/** What a workspace may dial beyond its number of calls at once: `limits` of its settings. */
export interface WorkspaceLimits {
  /** Countries and prefixes that may be dialled; empty: all. */
  readonly allowed: readonly string[];
  /** Countries and prefixes that are never dialled, also where an allowed one covers them. */
  readonly denied: readonly string[];
  readonly destinations: readonly DestinationLimit[];
  /** At most `attempts` to one number within `hours`; null: no such limit. */
  readonly calleeFrequency: { readonly attempts: number; readonly hours: number } | null;
  readonly numberRest: NumberRest | null;
}

/** When a caller number whose calls are answered far less often than its fellows' is left alone for a while. */
export interface NumberRest {
  /** The last attempts looked at; a number with fewer than half of them is not judged. */
  readonly attempts: number;
  /** Tired below this share of the mean answer rate of the numbers it takes turns with. */
  readonly share: number;
  readonly minutes: number;
}

export const DEFAULT_NUMBER_REST: NumberRest = { attempts: 40, share: 0.5, minutes: 30 };

/** The limits in a workspace's settings. They were checked when they were stored; what is absent limits nothing. */
export function workspaceLimits(settings: JsonObject): WorkspaceLimits {
  const limits = (settings['limits'] ?? {}) as StoredLimits;
  return {
    allowed: limits.allowed_destinations ?? [],
    denied: limits.denied_destinations ?? [],
    destinations: Object.entries(limits.destination_calls ?? {}).map(([to, concurrent]) => ({
      to,
      concurrent,
    })),
    calleeFrequency: limits.callee_frequency ?? null,
    numberRest: limits.number_rest === false ? null : { ...DEFAULT_NUMBER_REST, ...limits.number_rest },
  };
}

/** As a provision file declares them and the settings keep them. */
export interface StoredLimits {
  allowed_destinations?: string[];
  denied_destinations?: string[];
  destination_calls?: Record<string, number>;
  callee_frequency?: { attempts: number; hours: number };
  number_rest?: false | Partial<NumberRest>;
}
