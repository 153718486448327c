import type { DtmfDigit } from '../ports.ts';
import { change, isFloorFree, type Keypad, type Step, type TurnState } from './state.ts';
import { takeFloor } from './stop.ts';
import { waitingForKeys } from './tools.ts';
import type { KeyRules } from './types.ts';

/** Pause after the last key that ends an answer. */
const PAUSE_MS = 1_500;
/** The same while a tool waits for keys: the caller may have to look a number up. */
const WAITED_PAUSE_MS = 3_000;
/** Keys this soon after sensitive ones belong to them: the caller presses one more than the field takes. */
const HIDDEN_AFTER_MS = 3_000;
const MAX_DIGITS = 32;
const END = '#';

/** A key interrupts like confirmed speech and is appended to the answer. */
export function onDigit(step: Step, digit: DtmfDigit, at: number): Step {
  const keys = rulesOf(step.state);
  if (keys?.enabled === false) return step;
  const floor = takeFloor(step, at, at);
  const idle = { since: at, warned: false };
  if (digit === keys?.reset) return change(floor, { keypad: null, idle });
  const hides = hidesKeys(step.state, at);
  const { hiddenKeys } = step.state;
  const before: Keypad = floor.state.keypad ?? {
    digits: '',
    complete: false,
    firstAt: at,
    lastAt: at,
    hidden: null,
  };
  const hidden = before.hidden ?? (hides ? hiddenKeys.entries + 1 : null);
  const max = keys?.digits ?? MAX_DIGITS;
  const isEnd = digit === (keys?.end ?? END);
  const digits = isEnd && before.digits !== '' ? before.digits : before.digits + digit;
  const complete = isEnd || digits.length >= max || (keys?.digits == null && isOneKey(floor, digits));
  const keypad = { ...before, digits: digits.slice(0, max), complete, lastAt: at, hidden };
  const pressed = change(floor, { keypad, idle });
  if (hidden === null) return pressed;
  return change(
    pressed,
    { hiddenKeys: { entries: hidden, lastAt: at } },
    { type: 'hidden_keys', entry: hidden, digits: keypad.digits },
  );
}

/** Whether the call waits for sensitive keys, or has an unfinished entry of them. */
export const expectsHiddenKeys = (state: TurnState): boolean =>
  waitingForKeys(state)?.keys?.sensitive === true ||
  state.expected?.sensitive === true ||
  state.keypad?.hidden != null;

/** Whether a key pressed now is sensitive: it is expected to be, or follows such keys at once. */
export function hidesKeys(state: TurnState, at: number): boolean {
  const { lastAt } = state.hiddenKeys;
  return expectsHiddenKeys(state) || (lastAt !== null && at - lastAt <= HIDDEN_AFTER_MS);
}

/** The rules of the tool that waits for keys, else the agent's. */
function rulesOf(state: TurnState): KeyRules | undefined {
  const keys = waitingForKeys(state)?.keys;
  return keys == null
    ? state.settings.keys
    : { enabled: true, digits: keys.digits, pauseMs: WAITED_PAUSE_MS, end: keys.end, reset: null };
}

/** A single key answers a yes/no or choice question. */
function isOneKey(step: Step, digits: string): boolean {
  if (step.state.expected?.sensitive === true) return false;
  const kinds = step.state.expected?.kinds ?? [];
  const chooses = kinds.some((kind) => kind === 'yes_no' || kind === 'choice');
  return digits.length === 1 && chooses && !kinds.some((kind) => kind === 'digits' || kind === 'number');
}

/** When the keys so far become a turn. */
export function keypadDue(state: TurnState): number | null {
  if (state.keypad === null || !isFloorFree(state)) return null;
  const pauseMs = rulesOf(state)?.pauseMs ?? PAUSE_MS;
  return state.keypad.complete ? 0 : state.keypad.lastAt + pauseMs;
}
