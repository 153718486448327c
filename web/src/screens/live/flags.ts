import type { Wall, WallCall } from './wall.ts';

/** Why a live call needs somebody. */
export type Flag = 'person' | 'missed' | 'silent' | 'long';

/** What the flags of a call depend on beside its stream. */
export interface FlaggedCall {
  readonly call_id: string;
  readonly agent_id: string;
  readonly answered_at: string | null;
}

/** The seconds after which the calls of each assistant are ended, by its id. */
export type Limits = ReadonlyMap<string, number>;

/** Milliseconds: a pause of both sides that a reader should see. */
const SILENT_MS = 8_000;
/** A call that has used so much of its time is long. */
const LONG_SHARE = 0.75;
/** The assistant asks again once by itself. */
const MISSED = 2;

/** Whether nobody has said anything for a while: the assistant may need help. */
const isSilent = ({ open, spokeAt }: WallCall, nowMs: number): boolean =>
  open === null && spokeAt !== null && nowMs - spokeAt >= SILENT_MS;

/** Whether the call will be ended before long; never while the limit of its assistant is not known. */
function isLong(
  { agent_id: agent, answered_at: since }: FlaggedCall,
  limits: Limits,
  nowMs: number,
): boolean {
  const most = limits.get(agent);
  return most !== undefined && since !== null && nowMs - Date.parse(since) >= LONG_SHARE * most * 1_000;
}

/** Why a call needs somebody, the strongest reason first. */
export function flagsOf(
  call: FlaggedCall,
  live: WallCall | undefined,
  limits: Limits,
  nowMs: number,
): readonly Flag[] {
  if (live?.isEnded === true) return [];
  const flags: Readonly<Record<Flag, boolean>> = {
    person: live?.isPersonWanted === true,
    missed: live !== undefined && live.missed >= MISSED,
    silent: live !== undefined && isSilent(live, nowMs),
    long: isLong(call, limits, nowMs),
  };
  return (Object.keys(flags) as Flag[]).filter((flag) => flags[flag]);
}

/** The calls that need somebody before the others, both in the order that they had. */
export function needyFirst<Call extends FlaggedCall>(
  calls: readonly Call[],
  wall: Wall,
  limits: Limits,
  nowMs: number,
): readonly Call[] {
  const isNeedy = (call: Call): boolean => flagsOf(call, wall.get(call.call_id), limits, nowMs).length > 0;
  const needy = new Set(calls.filter(isNeedy));
  return [...needy, ...calls.filter((call) => !needy.has(call))];
}
