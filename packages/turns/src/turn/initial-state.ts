import { QUIET } from './caller-state.ts';
import { initialWaits } from './policies/adapt.ts';
import type { TurnState } from './state.ts';
import type { TurnSettings } from './types.ts';

/** The state of a call that has not been answered yet. */
export function initialState(settings: TurnSettings): TurnState {
  return {
    settings,
    wakeAt: null,
    call: { phase: 'waiting' },
    startBy: null,
    held: false,
    attended: 'person',
    reply: null,
    stopping: null,
    voice: 'full',
    caller: QUIET,
    keypad: null,
    turn: null,
    history: [],
    memory: null,
    expected: null,
    onSilence: false,
    idle: { since: 0, warned: false },
    tools: { pending: [], filler: null, results: [], done: [], fresh: false, rounds: 0 },
    adapted: initialWaits(settings),
    failures: 0,
    missed: 0,
    lastFiller: null,
    hiddenKeys: { entries: 0, lastAt: null },
    turns: 0,
    nextReplyId: 0,
    nextUtteranceId: 0,
  };
}
