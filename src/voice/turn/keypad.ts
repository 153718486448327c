import type { DtmfDigit } from '../ports.ts';
import { change, isFloorFree, type Keypad, type Step, type TurnState } from './state.ts';
import { takeFloor } from './stop.ts';

/** Pause after the last key, and the most keys, of one answer. */
const PAUSE_MS = 1_500;
const MOST_DIGITS = 32;

/** A key of the caller: it interrupts like speech, at once, and collects into an answer. */
export function onDigit(step: Step, digit: DtmfDigit, at: number): Step {
  const floor = takeFloor(step, at, at);
  const { keypad, expected } = floor.state;
  const before: Keypad = keypad ?? { digits: '', complete: false, firstAt: at, lastAt: at };
  const isHash = digit === '#';
  const digits = isHash && before.digits !== '' ? before.digits : before.digits + digit;
  const kinds = expected?.kinds ?? [];
  const oneKey =
    kinds.some((kind) => kind === 'yes_no' || kind === 'choice') &&
    !kinds.some((kind) => kind === 'digits' || kind === 'number');
  const complete = isHash || digits.length >= MOST_DIGITS || (oneKey && digits.length === 1);
  return change(floor, {
    keypad: { ...before, digits: digits.slice(0, MOST_DIGITS), complete, lastAt: at },
    idle: { since: at, warned: false },
  });
}

/** When the keys pressed so far become a turn. */
export function keypadDue(state: TurnState): number | null {
  if (state.keypad === null || !isFloorFree(state)) return null;
  return state.keypad.complete ? 0 : state.keypad.lastAt + PAUSE_MS;
}
