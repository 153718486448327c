import { endCall, sayAndEnd } from '../closing.ts';
import { askToCheckIn, sayCheckIn } from '../check-in.ts';
import { generate } from '../reply.ts';
import { say } from '../speaking.ts';
import { owedUntil } from '../segment.ts';
import { isTalking } from '../caller-state.ts';
import { change, type Step, type TurnState } from '../state.ts';
import type { TurnSettings } from '../types.ts';
import { phrasesNow } from './wording.ts';

/** Time reserved for the goodbye, by its length. */
const GOODBYE_MS = { base: 1_000, perChar: 75, min: 3_000, max: 6_000 } as const;
/** The goodbye may begin this much earlier, so that it follows a whole sentence; on a short call by a share of it. */
const EARLIER = { ms: 6_000, share: 0.1 } as const;
/** Without this much time before it, there is no goodbye. */
const MIN_TALK_MS = 4_000;

/** Both are silent, and no reply, key or tool is pending. */
function isIdle(state: TurnState): boolean {
  const { reply, caller, keypad, tools } = state;
  if (state.attended !== 'person' || state.startBy !== null) return false;
  if (reply !== null || keypad !== null || tools.pending.some((call) => !call.quiet) || tools.fresh)
    return false;
  return !isTalking(caller) && owedUntil(caller.sound) === null && caller.text === '' && !caller.unclear;
}

export function idleWarningDue(state: TurnState): number | null {
  const { settings, idle } = state;
  if (!isIdle(state) || idle.warned || settings.idleWarningMs <= 0) return null;
  return idle.since + settings.idleWarningMs;
}

/** Counted from the start of the silence; the check-in does not restart it. */
export const idleEndDue = (state: TurnState): number | null =>
  isIdle(state) ? state.idle.since + state.settings.idleEndMs : null;

/**
 * Asks a silent caller whether they are there, in the brain's words if it can word check-ins, else with a phrase. A brain
 * that waits for the silence gives a reply to it, which ends the silence.
 */
export function checkIn(step: Step, at: number): Step {
  if (step.state.onSilence) {
    const history = [...step.state.history, { role: 'silence' } as const];
    return generate(change(step, { history, idle: { since: at, warned: false } }), at, {
      speculative: false,
    });
  }
  const noted = change(step, { idle: { since: step.state.idle.since, warned: true } });
  return step.state.settings.checksIn === true ? askToCheckIn(noted, at) : sayCheckIn(noted, at);
}

/** Says goodbye to a silent caller; an answer cancels the end. */
export const endIdle = (step: Step, at: number): Step =>
  say(step, phrasesNow(step.state).idleGoodbye, at, {
    kind: 'phrase',
    ending: { reason: 'USER_BECAME_IDLE', cancellable: true, closeBy: null },
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
export const maxLengthDue = ({ call, settings }: TurnState): number | null =>
  call.phase === 'talking' ? call.answeredAt + settings.maxCallMs : null;

export const endAtMaxLength = (step: Step, at: number): Step => endCall(step, 'MAX_CALL_DURATION', true, at);

/**
 * When the goodbye is due: at its last possible start if someone is speaking, else somewhat earlier. The end of a sentence
 * in that time is where it begins.
 */
export function goodbyeDue({ call, reply, caller, settings }: TurnState): number | null {
  if (call.phase !== 'talking' || call.goodbyeAt === null) return null;
  const isPlaying =
    reply?.playing.phase === 'released' && reply.utterances.some((u) => u.status === 'playing');
  if (isPlaying || isTalking(caller)) return call.goodbyeAt;
  return call.goodbyeAt - Math.min(EARLIER.ms, settings.maxCallMs * EARLIER.share);
}

/** Says goodbye, unless a goodbye is already under way. */
export function sayGoodbye(step: Step, at: number): Step {
  const { call, reply } = step.state;
  if (call.phase !== 'talking') return step;
  const noted = change(step, {
    call: { phase: 'talking', answeredAt: call.answeredAt, goodbyeAt: null },
  });
  if (reply !== null && reply.playing.phase !== 'prepared' && reply.ending !== null) return noted;
  return sayAndEnd(noted, phrasesNow(step.state).maxLengthGoodbye, 'MAX_CALL_DURATION', at);
}
