import { initialState, step, type TurnState } from '../turn/machine.ts';
import type { TurnEffect, TurnEvent } from '../turn/types.ts';
import { decisionOf, effectsOf } from './decision.ts';
import type { EventLog, LogEntry } from './event-log.ts';

/** One event of a log, run through the turn machine again. */
export interface ReplayedEvent {
  readonly event: TurnEvent;
  readonly before: TurnState;
  readonly state: TurnState;
  readonly effects: readonly TurnEffect[];
  /** What the call decided, and what the replay decides. */
  readonly call: string;
  readonly replay: string;
}

/** An event on which the replay decides otherwise than the call did. */
export interface Difference {
  /** Since the first event. */
  readonly ms: number;
  readonly event: TurnEvent['type'];
  /** The effects of the call and those of the replay; equal lists differ in their content. */
  readonly call: readonly string[];
  readonly replay: readonly string[];
}

/** Runs the events of a log through the turn machine, one by one. */
export function* replay({ settings, entries }: EventLog): Generator<ReplayedEvent, void> {
  let before = initialState(settings);
  for (const { event, decision } of entries) {
    const { state, effects } = step(before, event);
    yield { event, before, state, effects, call: decision, replay: decisionOf(effects) };
    before = state;
  }
}

/** The difference of a replayed event; null: the replay decides the same. */
export function differenceOf(
  { event, call, replay: replayed }: ReplayedEvent,
  startedAt: number,
): Difference | null {
  if (call === replayed) return null;
  return { ms: event.at - startedAt, event: event.type, call: effectsOf(call), replay: effectsOf(replayed) };
}

/** The first difference between a call and its replay; null: the replay decides the same. */
export function firstDifference(log: EventLog): Difference | null {
  const startedAt = log.entries[0]?.event.at ?? 0;
  for (const replayed of replay(log)) {
    const difference = differenceOf(replayed, startedAt);
    if (difference !== null) return difference;
  }
  return null;
}

/** The entries with the decisions that the replay makes. */
export const decidedAnew = (log: EventLog): LogEntry[] =>
  [...replay(log)].map(({ event, replay: decision }) => ({ event, decision }));
