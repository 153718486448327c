import { addWords, canReopen, commitTurn, reopenTurn } from './commit.ts';
import { dropReply } from './closing.ts';
import { pausedFor } from './policies/adapt.ts';
import { isEnoughWords, isHarmless, isPickUp } from './policies/interruption.ts';
import { failure } from './reply.ts';
import { say } from './speaking.ts';
import {
  change,
  changeCaller,
  clearedCaller,
  isAudible,
  isFloorFree,
  isTalking,
  type Step,
  type TurnState,
} from './state.ts';
import { resume, takeFloor } from './stop.ts';
import { recordWords } from './transcript.ts';
import { normalised } from './words.ts';

/** A recogniser that is silent this long after the caller is will not answer. */
const FINAL_TIMEOUT_MS = 1_500;
/** Shorter sound without words is a cough. */
const NOISE_MS = 300;
/** Words of the last turn that come late, without new sound, amend the record for so long. */
const LATE_WORDS_MS = 3_000;
/** Sound without any words for so long is not the caller. */
const NOT_SPEECH_MS = 20_000;
const MOST_MISSED = 2;
const LONGEST_FINAL_CHARS = 2_000;

export function onSpeechStarted(step: Step, since: number, at: number): Step {
  const { caller, keypad } = step.state;
  if (caller.speaking) return step;
  const begins = caller.text === '' && keypad === null;
  const started = changeCaller(caller.text === '' ? step : pausedFor(step, since - caller.quietSince), {
    speaking: true,
    sounded: true,
    segment: caller.segment + 1,
    segmentSince: since,
    firstSince: begins ? since : caller.firstSince,
    quietBefore: caller.text === '' ? null : caller.quietSince,
    partial: '',
    awaitingUntil: null,
    segmentFinal: false,
    segmentHeard: false,
    segmentHarmless: false,
    owedFinal: caller.awaitingUntil !== null,
    ignored: false,
    changedAt: at,
  });
  if (started.state.reply?.phase === 'prepared') return dropReply(started);
  // Sound alone takes a commit back once; after that it must come with words.
  const { turn } = started.state;
  const again = turn !== null && turn.reopened === 0 && turn.keypad === null;
  if (again && canReopen(started)) return reopenTurn(started);
  return started;
}

export function onSpeechStopped(step: Step, since: number, at: number): Step {
  const { caller } = step.state;
  if (!caller.speaking) return step;
  if (caller.ignored) return changeCaller(step, { speaking: false, ignored: false });
  // A recogniser with an ear of its own may be done before our gate is: a final later than the last sound has it all.
  const { lastFinal, finalAt } = caller;
  const isCovered = lastFinal?.segment === caller.segment && finalAt !== null && finalAt >= since;
  return changeCaller(step, {
    speaking: false,
    quietSince: Math.max(since, caller.segmentSince),
    segmentFinal: caller.segmentFinal || isCovered,
    awaitingUntil: caller.segmentFinal || isCovered ? null : at + FINAL_TIMEOUT_MS,
  });
}

export function onPartial(step: Step, raw: string, at: number): Step {
  const partial = raw.trim().slice(0, LONGEST_FINAL_CHARS);
  const { caller, reply } = step.state;
  if (partial === '' || !caller.sounded) return step;
  const harmless = isHarmless(step.state, partial);
  const next = changeCaller(step, {
    partial,
    segmentFinal: false,
    segmentHeard: true,
    segmentHarmless: harmless,
    changedAt: at,
    awaitingUntil: caller.speaking ? null : (caller.awaitingUntil ?? at + FINAL_TIMEOUT_MS),
  });
  const overVoice = reply?.phase === 'suspended' || (reply?.phase === 'released' && isAudible(reply));
  if (!overVoice || harmless || !isEnoughWords(next.state, partial)) return next;
  return takeFloor(next, caller.segmentSince, at);
}

export function onFinal(step: Step, raw: string, at: number): Step {
  const text = raw.trim().slice(0, LONGEST_FINAL_CHARS);
  if (normalised(text) === '') return onNothing(step, at);
  const { caller } = step.state;
  const repeated =
    caller.lastFinal?.segment === caller.segment && normalised(caller.lastFinal.text) === normalised(text);
  const taken = changeCaller(step, {
    partial: '',
    awaitingUntil: null,
    segmentFinal: !caller.owedFinal,
    owedFinal: false,
    segmentHeard: true,
    changedAt: at,
    lastFinal: { segment: caller.segment, text },
  });
  if (repeated) return taken;
  return isFloorFree(taken.state) ? wordsInQuiet(taken, text, at) : wordsOverReply(taken, text, at);
}

function wordsInQuiet(step: Step, text: string, at: number): Step {
  const { caller } = step.state;
  // Words without sound: too soft for the gate, so their end is when they became known.
  const placed =
    caller.sounded || caller.text !== '' ? step : changeCaller(step, { firstSince: at, quietSince: at });
  return addWords(placed, text, at);
}

function wordsOverReply(step: Step, text: string, at: number): Step {
  const { state } = step;
  const { caller, reply, turn } = state;
  if (reply === null) return step;
  if (!caller.sounded && turn !== null && at - turn.committedAt <= LATE_WORDS_MS) {
    if (canReopen(step)) return isHarmless(state, text) ? step : addWords(reopenTurn(step), text, at);
    return recordWords(step, text, at, at);
  }
  if (isHarmless(state, text)) return harmlessWords(step, text, at);
  const said = wordsInQuiet(step, text, at);
  if (reply.phase === 'released' && isAudible(reply) && !isEnoughWords(state, text)) return said;
  return takeFloor(said, caller.segmentSince, at);
}

/** A backchannel over the agent's voice: nothing stops, and what had stopped goes on. */
function harmlessWords(step: Step, text: string, at: number): Step {
  const { caller, reply } = step.state;
  if (isPickUp(step.state, text)) {
    const noted = changeCaller(recordWords(step, text, caller.segmentSince, at), { segmentHarmless: true });
    return reply?.phase === 'suspended' && !isTalking(caller) ? resume(noted, at) : noted;
  }
  const early = { text, since: caller.segmentSince, at };
  const noted = changeCaller(step, { segmentHarmless: true, early });
  return reply?.phase === 'suspended' && !isTalking(caller) ? resume(noted, at) : noted;
}

/** The recogniser heard no words in the last sound. */
export function onNothing(step: Step, at: number): Step {
  const { caller, reply, keypad } = step.state;
  const cleared = changeCaller(step, { partial: '', awaitingUntil: null, owedFinal: false });
  if (caller.speaking) return cleared;
  if (reply?.phase === 'suspended') return resume(cleared, at);
  if (!isFloorFree(step.state)) return cleared;
  if (caller.text !== '')
    return changeCaller(cleared, { quietSince: caller.quietBefore ?? caller.quietSince });
  if (keypad !== null || caller.awaitingUntil === null) return cleared;
  const soundMs = caller.quietSince - caller.segmentSince;
  const forgotten = change(cleared, { caller: clearedCaller(cleared.state.caller) });
  return soundMs < NOISE_MS ? forgotten : notCaught(forgotten, at);
}

/** Longer sound without words: asks again, at most twice in a row, then listens on. */
function notCaught(step: Step, at: number): Step {
  const missed = step.state.missed + 1;
  const counted = change(step, { missed });
  if (missed <= MOST_MISSED) {
    return say(counted, step.state.settings.phrases.didNotCatch, at, { kind: 'phrase' });
  }
  return missed <= 2 * MOST_MISSED ? change(counted, { idle: { since: at, warned: false } }) : counted;
}

/** The recogniser broke: what it owed is lost, and one that stays broken is a failure of ours. */
export function onSttFailed(step: Step, retryable: boolean, at: number): Step {
  const waiting = step.state.caller.awaitingUntil !== null;
  const settled = waiting ? finalTimedOut(step, at) : step;
  const { call, reply } = settled.state;
  // What was waited for may have been the end of the goodbye.
  if (retryable || reply !== null || call.phase !== 'talking') return settled;
  return failure(settled, at);
}

/** When sound that ended waits no longer for its words. */
export const finalTimeoutDue = ({ caller }: TurnState): number | null =>
  caller.speaking ? null : caller.awaitingUntil;

/** Words that never became final count as they stand. */
export function finalTimedOut(step: Step, at: number): Step {
  const { partial } = step.state.caller;
  return partial === '' ? onNothing(step, at) : onFinal(step, partial, at);
}

/** The stop for sound brought no words so far: the agent goes on, unless what is known says otherwise. */
export function resumeTimedOut(step: Step, at: number): Step {
  const { partial, segmentHarmless } = step.state.caller;
  if (partial !== '' && !segmentHarmless) return onFinal(step, partial, at);
  return resume(step, at);
}

export function notSpeechDue({ caller }: TurnState): number | null {
  return isTalking(caller) ? Math.max(caller.segmentSince, caller.changedAt) + NOT_SPEECH_MS : null;
}

/** Endless sound is the line, not the caller: from now on it keeps nothing waiting. */
export const notSpeech = (step: Step, at: number): Step =>
  change(changeCaller(step, { ignored: true, quietSince: at }), { idle: { since: at, warned: false } });

/** The words have ended although the sound has not. */
export function stuckWords(step: Step, at: number): Step {
  const { caller } = step.state;
  const settled = caller.partial === '' ? step : onFinal(step, caller.partial, at);
  const quiet = changeCaller(settled, { ignored: true, quietSince: caller.changedAt });
  if (!isFloorFree(quiet.state) || quiet.state.caller.text === '') return quiet;
  return commitTurn(quiet, at);
}
