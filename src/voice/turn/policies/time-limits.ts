import { endCall, sayAndEnd } from '../closing.ts';
import { say } from '../speaking.ts';
import { change, isTalking, type Step, type TurnState } from '../state.ts';
import type { TurnSettings } from '../types.ts';
import { phrasesNow } from './wording.ts';

/** Time reserved for the goodbye, by its length. */
const GOODBYE_MS = { base: 1_000, perChar: 75, min: 3_000, max: 6_000 } as const;
/** Without this much time before it, there is no goodbye. */
const MIN_TALK_MS = 4_000;

/** Both are silent, and no reply, key or tool is pending. */
function isIdle(state: TurnState): boolean {
  const { reply, caller, keypad, tools } = state;
  if (state.attended !== 'person' || state.startBy !== null) return false;
  if (reply !== null || keypad !== null || tools.pending.some((call) => !call.quiet) || tools.fresh)
    return false;
  return !isTalking(caller) && caller.awaitingUntil === null && caller.text === '' && !caller.unclear;
}

export function idleWarningDue(state: TurnState): number | null {
  const { settings, idle } = state;
  if (!isIdle(state) || idle.warned || settings.idleWarningMs <= 0) return null;
  return idle.since + settings.idleWarningMs;
}

/** Counted from the start of the silence; the check-in does not restart it. */
export const idleEndDue = (state: TurnState): number | null =>
  isIdle(state) ? state.idle.since + state.settings.idleEndMs : null;

export const checkIn = (step: Step, at: number): Step =>
  say(change(step, { idle: { ...step.state.idle, warned: true } }), phrasesNow(step.state).idleCheckIn, at, {
    kind: 'check_in',
  });

/** Says goodbye to a silent caller; an answer cancels the end. */
export const endIdle = (step: Step, at: number): Step =>
  say(step, phrasesNow(step.state).idleGoodbye, at, {
    kind: 'phrase',
    ending: { reason: 'USER_BECAME_IDLE', cancellable: true },
  });

/** When the goodbye before the cap starts; null: it does not fit. */
export function goodbyeAt(settings: TurnSettings, answeredAt: number): number | null {
  const text = settings.phrases.maxLengthGoodbye;
  const neededMs = GOODBYE_MS.base + text.length * GOODBYE_MS.perChar;
  const lead = Math.min(GOODBYE_MS.max, Math.max(GOODBYE_MS.min, neededMs));
  const start = settings.maxCallMs - lead;
  return text === '' || start < MIN_TALK_MS ? null : answeredAt + start;
}

/** The hard cap of the call. */
export const maxLengthDue = ({ call }: TurnState): number | null =>
  call.phase === 'talking' ? call.endsAt : null;

export const endAtMaxLength = (step: Step, at: number): Step => endCall(step, 'MAX_CALL_DURATION', true, at);

export const goodbyeDue = ({ call }: TurnState): number | null =>
  call.phase === 'talking' ? call.goodbyeAt : null;

/** Says goodbye, unless a goodbye is already under way. */
export function sayGoodbye(step: Step, at: number): Step {
  const { call, reply } = step.state;
  if (call.phase !== 'talking') return step;
  const noted = change(step, { call: { ...call, goodbyeAt: null } });
  if (reply !== null && reply.phase !== 'prepared' && reply.ending !== null) return noted;
  return sayAndEnd(noted, phrasesNow(step.state).maxLengthGoodbye, 'MAX_CALL_DURATION', at);
}
