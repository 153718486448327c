import { expectedOfLine } from '@callwright/language';
import type { DtmfDigit } from '@callwright/audio';
import { joinText } from '../sentences.ts';
import { languageNow } from './policies/wording.ts';
import { isAudible } from './reply-state.ts';
import { change, isFloorFree, type Keypad, type Step, type TurnState } from './state.ts';
import { takeFloor } from './stop.ts';
import { waitingForKeys } from './tools.ts';
import type { KeyRules } from './types.ts';

/** Pause after the last key that ends an answer. */
const PAUSE_MS = 1_500;
/** The same while a tool waits for keys: the caller may be looking up a number. */
const WAITED_PAUSE_MS = 3_000;
/** Keys this soon after sensitive ones belong to them: the caller presses one more than the field takes. */
const HIDDEN_AFTER_MS = 3_000;
const MAX_DIGITS = 32;
const END = '#';

/**
 * A key is appended to the answer. It interrupts like confirmed speech where keys are expected; elsewhere the first one may
 * be a slip, so the agent keeps speaking and only a second one interrupts.
 */
export function onDigit(step: Step, digit: DtmfDigit, at: number): Step {
  const keys = rulesOf(step.state);
  if (keys?.enabled === false) return step;
  const interrupts = step.state.keypad !== null || expectsKeys(step.state);
  const floor = interrupts ? takeFloor(step, at, at) : step;
  const idle = { since: at, warned: false };
  if (digit === keys?.reset) return change(floor, { keypad: null, idle });
  const hides = hidesKeys(step.state, at);
  const { hiddenKeys } = step.state;
  const before = floor.state.keypad;
  const pressed = before?.digits ?? '';
  const hidden = before?.hidden ?? (hides ? hiddenKeys.entries + 1 : null);
  const max = keys?.digits ?? MAX_DIGITS;
  const isEnd = digit === (keys?.end ?? END);
  const digits = isEnd && pressed !== '' ? pressed : pressed + digit;
  // An owner who names a key that ends entries gets whole entries: more keys may follow the first.
  const mayFollow = keys?.digits != null || keys?.end != null;
  const complete = isEnd || digits.length >= max || (!mayFollow && isOneKey(floor.state, digits));
  const keypad: Keypad = {
    digits: digits.slice(0, max),
    complete,
    firstAt: before?.firstAt ?? at,
    lastAt: at,
    hidden,
  };
  const noted = change(floor, { keypad, idle });
  if (hidden === null) return noted;
  return change(
    noted,
    { hiddenKeys: { entries: hidden, lastAt: at } },
    { type: 'hidden_keys', entry: hidden, digits: keypad.digits },
  );
}

const KEY_ANSWERS: ReadonlySet<string> = new Set(['yes_no', 'choice', 'digits', 'number', 'date', 'time']);

/** Whether keys are an answer now: a tool, the agent's rules or its own words ask for them, or the caller has the floor. */
function expectsKeys(state: TurnState): boolean {
  const { reply, settings, expected } = state;
  if (!isAudible(reply) || reply?.playing.phase === 'prepared' || waitingForKeys(state) !== null) return true;
  if (settings.keys !== undefined || settings.hears !== undefined || expected?.sensitive === true)
    return true;
  if (expected?.kinds.some((kind) => KEY_ANSWERS.has(kind)) === true) return true;
  const line = joinText(reply?.utterances.map(({ text }) => text) ?? []);
  const asked = expectedOfLine(line, languageNow(state))?.kinds ?? [];
  return asked.some((kind) => KEY_ANSWERS.has(kind));
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

const DIGITS: readonly DtmfDigit[] = ['1', '2', '3'];

/** A key with the same effect on the entry as `digit` that does not reveal it. */
export function maskedKey(state: TurnState, digit: DtmfDigit): DtmfDigit {
  const rules = rulesOf(state);
  const control = [rules?.end ?? END, rules?.reset];
  return control.includes(digit) ? digit : (DIGITS.find((key) => !control.includes(key)) ?? digit);
}

/** The rules of the tool that waits for keys, else the agent's. */
function rulesOf(state: TurnState): KeyRules | undefined {
  const keys = waitingForKeys(state)?.keys;
  return keys == null
    ? state.settings.keys
    : { enabled: true, digits: keys.digits, pauseMs: WAITED_PAUSE_MS, end: keys.end, reset: null };
}

/** A single key answers a yes/no or choice question. */
function isOneKey({ expected }: TurnState, digits: string): boolean {
  if (expected?.sensitive === true) return false;
  const kinds = expected?.kinds ?? [];
  const chooses = kinds.some((kind) => kind === 'yes_no' || kind === 'choice');
  return digits.length === 1 && chooses && !kinds.some((kind) => kind === 'digits' || kind === 'number');
}

/** When the keys so far become a turn. */
export function keypadDue(state: TurnState): number | null {
  if (state.keypad === null || !isFloorFree(state)) return null;
  const { digits, complete, lastAt } = state.keypad;
  const rules = rulesOf(state);
  const pauseMs = rules?.pauseMs ?? PAUSE_MS;
  const isWhole = rules?.digits == null && isOneKey(state, digits);
  return complete ? 0 : lastAt + (isWhole ? Math.min(pauseMs, PAUSE_MS) : pauseMs);
}
