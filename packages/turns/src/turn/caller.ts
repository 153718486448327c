import { addWords, canReopen, commitTurn, reopenTurn } from './commit.ts';
import {
  isForOpenWords,
  isPreparedFor,
  reachEndpoint,
  takenText,
  untakenText,
  waitForFinalMs,
} from './endpoint.ts';
import { dropReply } from './closing.ts';
import { wordsAfter, wordsAtEnd } from './policies/adapt.ts';
import { isUnclearInterruption, losesSpeech, noteUnclear, recordUnclear } from './policies/hearing.ts';
import { interruptUnclearly } from './policies/unclear.ts';
import {
  isEnoughWords,
  isGuess,
  isHarmless,
  isOverVoice,
  isPickUp,
  isUndecided,
} from './policies/interruption.ts';
import { phrasesNow } from './policies/wording.ts';
import { joinText } from '../sentences.ts';
import { failure } from './reply.ts';
import {
  ended,
  finalIn,
  harmless,
  IGNORED,
  isOwed,
  isSounding,
  owedUntil,
  owesNothing,
  partialIn,
  SILENCE,
  withFinal,
  withoutOwed,
  withPartial,
} from './segment.ts';
import { onSpeechStarted, softSpeech, type Edge } from './sound.ts';
import { say } from './speaking.ts';
import { type Caller, clearedCaller, isTalking, NO_PARTIAL } from './caller-state.ts';
import { change, changeCaller, isFloorFree, type Step, type TurnState } from './state.ts';
import { resume, takeFloor } from './stop.ts';
import { recordWords } from './transcript.ts';
import type { EndSound } from './policies/end-vote.ts';
import type { Recognised } from './types.ts';
import { normalised } from './words.ts';

/** Shorter sound without words is ignored as noise. */
const NOISE_MS = 300;
/** A final without new sound within this of the commit is added to the record of the last turn. */
const LATE_WORDS_MS = 3_000;
/** Sound without words for this long is line noise. */
const NOT_SPEECH_MS = 20_000;
const MAX_MISSED = 2;

export function onPartial(step: Step, words: Recognised): Step {
  const { at } = words;
  const partial = untakenText(step.state.caller, words);
  if (partial === '') return step;
  const heard = softSpeech(step, words) ?? step;
  const { caller, reply } = heard.state;
  if (caller.sound.phase === 'none') return step;
  const isBackchannel = isHarmless(heard.state, partial);
  const isFirst = isTalking(caller) && caller.segment.words === 'none';
  const next = changeCaller(isFirst ? wordsAfter(heard, at - caller.segment.since) : heard, {
    partial: { text: partial, turn: words.turn ?? null },
    sound: withPartial(caller.sound, at, waitForFinalMs(caller)),
    segment: partialIn(caller.segment, isBackchannel),
  });
  if (reply !== null && isForOpenWords(reply)) {
    return isPreparedFor(reply, [caller.text, partial], heard.state) ? next : dropReply(next);
  }
  return isBackchannel ? next : interruptWith(next, partial, at);
}

/** Words over the agent's voice stop it once they are enough. */
function interruptWith(step: Step, partial: string, at: number): Step {
  const { state } = step;
  if (!isOverVoice(state) || isUndecided(state, partial) || !isEnoughWords(state, partial)) return step;
  if (isGuess(state, partial)) return step;
  return takeFloor(step, state.caller.segment.since, at);
}

/** The gate begins to hear speech, whose first words may be known already. */
export function onSpeech(step: Step, edge: Edge): Step {
  const started = onSpeechStarted(step, edge);
  const partial = started.state.caller.partial.text;
  if (step.state.caller.sound.phase !== 'soft' || partial === '' || isHarmless(started.state, partial))
    return started;
  return interruptWith(started, partial, edge.at);
}

/** Talk over the agent is much softer than the caller's, or as loud as theirs after all. */
export function onTalkerFar(step: Step, far: boolean, at: number): Step {
  const segment = harmless(step.state.caller.segment, far);
  const judged = changeCaller(step, { far, segment });
  const partial = judged.state.caller.partial.text;
  if (far || partial === '') return judged;
  return isHarmless(judged.state, partial)
    ? changeCaller(judged, { segment: harmless(segment, true) })
    : interruptWith(judged, partial, at);
}

export function onFinal(step: Step, words: Recognised & { readonly certain?: boolean }): Step {
  if (normalised(words.text) === '') return onNothing(step, words.at);
  const text = untakenText(step.state.caller, words);
  if (text !== '') return reachEndpoint(takeFinal(softSpeech(step, words) ?? step, text, words), words);
  // Its words were taken before the recogniser ended their turn.
  const { caller } = step.state;
  const known = changeCaller(step, {
    partial: { text: '', turn: caller.partial.turn },
    sound: ended(caller.sound),
    segment: owesNothing(caller.segment),
  });
  return reachEndpoint(known, words);
}

function takeFinal(step: Step, text: string, words: Omit<Recognised, 'text'>): Step {
  const { at, audioMs, turn } = words;
  const { caller } = step.state;
  const { lastFinal, segment, sound } = caller;
  const repeated =
    turn === undefined &&
    lastFinal?.turn === null &&
    lastFinal.segment === segment.number &&
    normalised(lastFinal.text) === normalised(text);
  const isTimed = audioMs !== undefined && segment.audioMs !== null;
  const isOfSegment = isTimed ? audioMs > segment.audioMs : !isOwed(segment);
  const isFirst = !isSounding(sound) && sound.phase !== 'none' && segment.words === 'none';
  const known = isFirst ? wordsAtEnd(step, caller.quietSince - caller.segment.since) : step;
  const taken = changeCaller(known, {
    partial: NO_PARTIAL,
    sound: withFinal(sound, isOfSegment, at),
    segment: finalIn(segment),
    lastFinal: { segment: segment.number, text, turn: turn ?? null, audioMs: audioMs ?? null },
    taken: turn === undefined ? caller.taken : takenWith(caller, turn, text),
  });
  if (repeated) return taken;
  return isFloorFree(taken.state)
    ? wordsInQuiet(taken, text, at)
    : wordsOverReply(taken, text, isOfSegment, at);
}

const takenWith = (caller: Caller, turn: string | undefined, text: string): Caller['taken'] => ({
  turn: turn ?? null,
  segment: caller.segment.number,
  text: joinText([takenText(caller, turn), text]),
});

/** Takes the words so far as final, because the recogniser does not end them: it may end them later. */
function takePartial(step: Step, at: number): Step {
  const { caller } = step.state;
  const { text, turn } = caller.partial;
  if (normalised(text) === '') return onNothing(step, at);
  if (turn !== null) return takeFinal(step, text, { at, turn });
  return takeFinal(changeCaller(step, { taken: takenWith(caller, undefined, text) }), text, { at });
}

function wordsInQuiet(step: Step, text: string, at: number): Step {
  const { caller } = step.state;
  // Words without sound were too soft for the gate: date them by their recognition.
  const placed =
    caller.sound.phase !== 'none' || caller.text !== ''
      ? step
      : changeCaller(step, { firstSince: at, quietSince: at });
  return addWords(recordUnclear(placed), text, at);
}

/** `isOfSegment`: the words are those of the current segment, not of the one before. */
function wordsOverReply(step: Step, text: string, isOfSegment: boolean, at: number): Step {
  const { state } = step;
  const { caller, reply, turn } = state;
  if (reply === null) return step;
  if (caller.sound.phase === 'none' && turn !== null && at - turn.committedAt <= LATE_WORDS_MS) {
    if (canReopen(step)) return isHarmless(state, text) ? step : addWords(reopenTurn(step), text, at);
    return recordWords(step, text, at, at);
  }
  if (isHarmless(state, text)) return harmlessWords(step, text, isOfSegment, at);
  const said = wordsInQuiet(step, text, at);
  if (isBeforeGreeting(state)) return said;
  if (isOverVoice(state) && !isEnoughWords(state, text)) {
    return reply.playing.phase === 'suspended' && !isTalking(caller) ? resume(said, at) : said;
  }
  return takeFloor(said, caller.segment.since, at);
}

/** The words were spoken before the first message began but recognised during it: it is not interrupted. */
const isBeforeGreeting = ({ reply, caller }: TurnState): boolean =>
  reply?.kind === 'greeting' &&
  reply.playing.phase !== 'prepared' &&
  !isTalking(caller) &&
  caller.segment.since < reply.playing.releasedAt;

/** A backchannel over the agent's speech: the agent keeps speaking, or resumes if the sound had stopped it. */
function harmlessWords(step: Step, text: string, isOfSegment: boolean, at: number): Step {
  const { caller, reply } = step.state;
  // The previous segment's final says nothing about this segment.
  const segment = isOfSegment ? harmless(caller.segment, true) : caller.segment;
  if (isPickUp(step.state, text)) {
    const noted = changeCaller(recordWords(step, text, caller.segment.since, at), { segment });
    return reply?.playing.phase === 'suspended' && !isTalking(caller) ? resume(noted, at) : noted;
  }
  const early = { text, since: caller.segment.since, at };
  const noted = changeCaller(step, { segment, early });
  return reply?.playing.phase === 'suspended' && !isTalking(caller) ? resume(noted, at) : noted;
}

/** The recogniser found no words in the last segment. */
export function onNothing(step: Step, at: number): Step {
  const { caller, reply, keypad } = step.state;
  const isEager = reply?.playing.phase === 'prepared' && reply.playing.answers !== 'turn';
  const cleared = changeCaller(isEager ? dropReply(step) : step, {
    partial: NO_PARTIAL,
    sound: withoutOwed(caller.sound),
    segment: owesNothing(caller.segment),
  });
  if (isSounding(caller.sound)) return cleared;
  if (isUnclearInterruption(step.state)) return interruptUnclearly(cleared, at);
  if (reply?.playing.phase === 'suspended') return resume(cleared, at);
  if (!isFloorFree(step.state)) return cleared;
  // A hello without words needs no repeat: the first message follows.
  if (step.state.startBy !== null) return cleared;
  if (caller.text !== '')
    return changeCaller(cleared, { quietSince: caller.earlier.quietSince ?? caller.quietSince });
  if (keypad !== null || owedUntil(caller.sound) === null) return cleared;
  const soundMs = caller.quietSince - caller.segment.since;
  if (losesSpeech(step.state) && (caller.unclear || soundMs >= NOISE_MS)) return noteUnclear(cleared);
  const forgotten = change(cleared, { caller: clearedCaller(cleared.state.caller) });
  return soundMs < NOISE_MS ? forgotten : notCaught(forgotten, at);
}

/** Speech without words: asks the caller to repeat, at most twice in a row, then only listens. */
function notCaught(step: Step, at: number): Step {
  const missed = step.state.missed + 1;
  const counted = change(step, { missed });
  if (missed <= MAX_MISSED) {
    return say(counted, phrasesNow(step.state).didNotCatch, at, { kind: 'phrase' });
  }
  return missed <= 2 * MAX_MISSED ? change(counted, { idle: { since: at, warned: false } }) : counted;
}

/** The recogniser failed: the pending final is lost; a permanent failure is apologised for. */
export function onSttFailed(step: Step, retryable: boolean, at: number): Step {
  const waiting = owedUntil(step.state.caller.sound) !== null;
  const settled = waiting ? finalTimedOut(step, at) : step;
  const { call, reply } = settled.state;
  // Settling may have ended the call.
  if (retryable || reply !== null || call.phase !== 'talking') return settled;
  return failure(settled, at);
}

/** When the wait for a pending final ends. */
export const finalTimeoutDue = ({ caller }: TurnState): number | null => owedUntil(caller.sound);

/** Takes a partial as final, or drops it if it is a guess at a noise. */
export function finalTimedOut(step: Step, at: number): Step {
  const { caller, reply } = step.state;
  if (!isGuess(step.state, caller.partial.text)) return takePartial(step, at);
  const isForGuess = reply !== null && isForOpenWords(reply);
  return changeCaller(isForGuess ? dropReply(step) : step, { partial: NO_PARTIAL, sound: SILENCE });
}

/** No words explain the sound that stopped the agent: resumes, unless a partial interrupts. */
export function resumeTimedOut(step: Step, at: number): Step {
  const { partial, segment } = step.state.caller;
  if (partial.text !== '' && !segment.isHarmless) return takePartial(step, at);
  return isUnclearInterruption(step.state) ? interruptUnclearly(step, at) : resume(step, at);
}

export function notSpeechDue({ caller }: TurnState): number | null {
  const { sound, segment } = caller;
  return sound.phase === 'speaking' ? Math.max(segment.since, sound.changedAt) + NOT_SPEECH_MS : null;
}

/** Ignores endless sound: it no longer blocks timers. */
export const notSpeech = (step: Step, at: number): Step =>
  change(changeCaller(step, { sound: IGNORED, quietSince: at }), { idle: { since: at, warned: false } });

/** The words ended but the sound continues: commits the turn. */
export function stuckWords(step: Step, at: number): Step {
  const { caller } = step.state;
  const settled = caller.partial.text === '' ? step : takePartial(step, at);
  const quietSince = caller.sound.phase === 'speaking' ? caller.sound.changedAt : at;
  const quiet = changeCaller(settled, { sound: IGNORED, quietSince });
  if (!isFloorFree(quiet.state) || quiet.state.caller.text === '') return quiet;
  return commitTurn(quiet, at);
}

/** A model judged the sound of the turn. */
export const onJudged = (step: Step, { probability, pitch }: EndSound): Step => {
  const { caller } = step.state;
  const end = { certain: caller.end.certain, judged: { probability, pitch } };
  return isTalking(caller) ? step : changeCaller(step, { end });
};
