import type { DtmfDigit } from '../ports.ts';
import { change, isFloorFree, type Keypad, type Step, type TurnState } from './state.ts';
import { takeFloor } from './stop.ts';
import { waitingForKeys } from './tools.ts';
import type { KeyRules } from './types.ts';

/** Pause after the last key, and the most keys, of one answer. */
const PAUSE_MS = 1_500;
/** Somebody who was asked for keys may have to look them up. */
const WAITED_PAUSE_MS = 3_000;
const MOST_DIGITS = 32;
const END = '#';

/** A key of the caller: it interrupts like speech, at once, and collects into an answer. */
export function onDigit(step: Step, digit: DtmfDigit, at: number): Step {
  const keys = rulesOf(step.state);
  if (keys?.enabled === false) return step;
  const floor = takeFloor(step, at, at);
  const idle = { since: at, warned: false };
  if (digit === keys?.reset) return change(floor, { keypad: null, idle });
  const before: Keypad = floor.state.keypad ?? { digits: '', complete: false, firstAt: at, lastAt: at };
  const most = keys?.digits ?? MOST_DIGITS;
  const isEnd = digit === (keys?.end ?? END);
  const digits = isEnd && before.digits !== '' ? before.digits : before.digits + digit;
  const complete = isEnd || digits.length >= most || (keys?.digits == null && isOneKey(floor, digits));
  return change(floor, {
    keypad: { ...before, digits: digits.slice(0, most), complete, lastAt: at },
    idle,
  });
}

/** A tool that waits for keys has rules of its own. */
function rulesOf(state: TurnState): KeyRules | undefined {
  const keys = waitingForKeys(state)?.keys;
  return keys == null
    ? state.settings.keys
    : { enabled: true, digits: keys.digits, pauseMs: WAITED_PAUSE_MS, end: keys.end, reset: null };
}

/** One key is the whole answer to a question that only asks to choose. */
function isOneKey(step: Step, digits: string): boolean {
  const kinds = step.state.expected?.kinds ?? [];
  const chooses = kinds.some((kind) => kind === 'yes_no' || kind === 'choice');
  return digits.length === 1 && chooses && !kinds.some((kind) => kind === 'digits' || kind === 'number');
}

/** When the keys pressed so far become a turn. */
export function keypadDue(state: TurnState): number | null {
  if (state.keypad === null || !isFloorFree(state)) return null;
  const pauseMs = rulesOf(state)?.pauseMs ?? PAUSE_MS;
  return state.keypad.complete ? 0 : state.keypad.lastAt + pauseMs;
}
