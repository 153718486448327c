import type { Static } from 'typebox';
import type { ToolCall } from '../calls/conversation-schemas.ts';
/** ISO 8601 in UTC. */
export const iso = (at: Date): string => at.toISOString();
export const isoOrNull = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;
export const seconds = (ms: number): number => ms / 1000;
export const secondsOrNull = (ms: number | null): number | null => (ms === null ? null : seconds(ms));

/** A stored tool log, which the service alone writes. */
export const toToolCalls = (log: readonly object[]): Static<typeof ToolCall>[] =>
  log as Static<typeof ToolCall>[];
