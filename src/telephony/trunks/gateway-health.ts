/**
 * Health of one address of a trunk. OPTIONS decide alone when it is good again, so that no call tests it. Pure: the
 * caller keeps the time.
 */
export interface GatewayHealth {
  /** `unknown` until the first probe ends. Calls use addresses that are suspect or down only when no other is left. */
  readonly state: 'unknown' | KnownHealth;
  /** Probes without an answer since the last answered one. */
  readonly failures: number;
}

export type KnownHealth = 'healthy' | 'suspect' | 'down';

/** The best of several addresses; null: none is probed yet. */
export const bestOf = (healths: readonly GatewayHealth[]): KnownHealth | null =>
  (['healthy', 'suspect', 'down'] as const).find((known) => healths.some(({ state }) => state === known)) ??
  null;

export type HealthEvent =
  /** An OPTIONS got a response other than 408 and 503. */
  | 'answered'
  /** An OPTIONS got none in time, or one of those. */
  | 'unanswered'
  /** A call got no response in 1.5 s, or the network did not take it. */
  | 'silent';

export const newGateway: GatewayHealth = { state: 'unknown', failures: 0 };

/** Unanswered probes after which an address counts as down. */
const DOWN_AFTER = 3;
/** Pauses between the probes of an address that is not healthy. */
const SUSPECT_MS = [2_000, 4_000, 8_000] as const;

export function stepHealth({ state, failures }: GatewayHealth, event: HealthEvent): GatewayHealth {
  if (event === 'answered') return { state: 'healthy', failures: 0 };
  if (event === 'silent') return { state: state === 'down' ? 'down' : 'suspect', failures };
  return { state: failures + 1 >= DOWN_AFTER ? 'down' : 'suspect', failures: failures + 1 };
}

export const mayCall = ({ state }: GatewayHealth): boolean => state === 'healthy' || state === 'unknown';

/** Pause until the next probe; `intervalMs` between those of a healthy address. */
export function probePauseMs({ state, failures }: GatewayHealth, intervalMs: number): number {
  if (state === 'healthy' || state === 'unknown') return intervalMs;
  return Math.min(intervalMs, SUSPECT_MS[Math.max(0, failures - 1)] ?? 8_000);
}
