import { addWords, canReopen, commitTurn, reopenTurn } from './commit.ts';
import { isPreparedFor, reachEndpoint, takenText, untakenText, waitForFinalMs } from './endpoint.ts';
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
import { onSpeechStarted, softSpeech, type Edge } from './sound.ts';
import { say } from './speaking.ts';
import {
  change,
  changeCaller,
  clearedCaller,
  isFloorFree,
  isTalking,
  type Caller,
  type Step,
  type TurnState,
} from './state.ts';
import { resume, takeFloor } from './stop.ts';
import { recordWords } from './transcript.ts';
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
  if (!caller.sounded) return step;
  const harmless = isHarmless(heard.state, partial);
  const isFirst = isTalking(caller) && !caller.segmentHeard && !caller.owedFinal;
  const next = changeCaller(isFirst ? wordsAfter(heard, at - caller.segmentSince) : heard, {
    partial,
    partialTurn: words.turn ?? null,
    segmentFinal: false,
    segmentHeard: true,
    // Words that are still owed for the sound before say nothing of this one.
    segmentHarmless: harmless && !caller.owedFinal,
    changedAt: at,
    awaitingUntil: finalDeadline(caller, at),
  });
  if (reply?.phase === 'prepared' && reply.answers !== null) {
    return isPreparedFor(reply, [caller.text, partial]) ? next : dropReply(next);
  }
  return harmless ? next : interruptWith(next, partial, at);
}

/** Words over the agent's voice stop it once they are enough. */
function interruptWith(step: Step, partial: string, at: number): Step {
  const { state } = step;
  if (!isOverVoice(state) || isUndecided(state, partial) || !isEnoughWords(state, partial)) return step;
  if (isGuess(state, partial)) return step;
  return takeFloor(step, state.caller.segmentSince, at);
}

/** The gate begins to hear speech, whose first words may be known already. */
export function onSpeech(step: Step, edge: Edge): Step {
  const started = onSpeechStarted(step, edge);
  const { partial } = started.state.caller;
  if (!step.state.caller.soft || partial === '' || isHarmless(started.state, partial)) return started;
  return interruptWith(started, partial, edge.at);
}

/** Talk over the agent is much softer than the caller's, or as loud as theirs after all. */
export function onTalkerFar(step: Step, far: boolean, at: number): Step {
  const judged = changeCaller(step, { far, segmentHarmless: far });
  const { partial } = judged.state.caller;
  if (far || partial === '') return judged;
  return isHarmless(judged.state, partial)
    ? changeCaller(judged, { segmentHarmless: true })
    : interruptWith(judged, partial, at);
}

/** When words without a final are taken as final; ignored sound does not hold them up. */
function finalDeadline(caller: Caller, at: number): number | null {
  if (isTalking(caller)) return null;
  const due = at + waitForFinalMs(caller);
  return caller.ignored || caller.soft ? due : (caller.awaitingUntil ?? due);
}

export function onFinal(step: Step, words: Recognised & { readonly certain?: boolean }): Step {
  if (normalised(words.text) === '') return onNothing(step, words.at);
  const text = untakenText(step.state.caller, words);
  if (text !== '') return reachEndpoint(takeFinal(softSpeech(step, words) ?? step, text, words), words);
  // Its words were taken before the recogniser ended their turn.
  const known = { partial: '', awaitingUntil: null, segmentFinal: true, owedFinal: false };
  return reachEndpoint(changeCaller(step, known), words);
}

function takeFinal(step: Step, text: string, words: Omit<Recognised, 'text'>): Step {
  const { at, audioMs, turn } = words;
  const { caller } = step.state;
  const { lastFinal, segmentAudioMs } = caller;
  const repeated =
    turn === undefined &&
    lastFinal?.turn === null &&
    lastFinal.segment === caller.segment &&
    normalised(lastFinal.text) === normalised(text);
  const isTimed = audioMs !== undefined && segmentAudioMs !== null;
  const isFirst = !caller.speaking && caller.sounded && !caller.segmentHeard && !caller.owedFinal;
  const known = isFirst ? wordsAtEnd(step, caller.quietSince - caller.segmentSince) : step;
  const taken = changeCaller(known, {
    partial: '',
    partialTurn: null,
    awaitingUntil: null,
    segmentFinal: isTimed ? audioMs > segmentAudioMs : !caller.owedFinal,
    owedFinal: false,
    segmentHeard: true,
    changedAt: at,
    lastFinal: { segment: caller.segment, text, turn: turn ?? null, audioMs: audioMs ?? null },
    taken: turn === undefined ? caller.taken : takenWith(caller, turn, text),
  });
  if (repeated) return taken;
  return isFloorFree(taken.state) ? wordsInQuiet(taken, text, at) : wordsOverReply(taken, text, at);
}

const takenWith = (caller: Caller, turn: string | undefined, text: string): Caller['taken'] => ({
  turn: turn ?? null,
  segment: caller.segment,
  text: joinText([takenText(caller, turn), text]),
});

/** Takes the words so far as final, because the recogniser does not end them: it may end them later. */
function takePartial(step: Step, at: number): Step {
  const { caller } = step.state;
  const { partial, partialTurn } = caller;
  if (normalised(partial) === '') return onNothing(step, at);
  if (partialTurn !== null) return takeFinal(step, partial, { at, turn: partialTurn });
  return takeFinal(changeCaller(step, { taken: takenWith(caller, undefined, partial) }), partial, { at });
}

function wordsInQuiet(step: Step, text: string, at: number): Step {
  const { caller } = step.state;
  // Words without sound were too soft for the gate: they end when they are recognised.
  const placed =
    caller.sounded || caller.text !== '' ? step : changeCaller(step, { firstSince: at, quietSince: at });
  return addWords(recordUnclear(placed), text, at);
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
  if (isBeforeGreeting(state)) return said;
  if (isOverVoice(state) && !isEnoughWords(state, text)) {
    return reply.phase === 'suspended' && !isTalking(caller) ? resume(said, at) : said;
  }
  return takeFloor(said, caller.segmentSince, at);
}

/** Words that were spoken before the first message began, and recognised after: they are answered after it. */
const isBeforeGreeting = ({ reply, caller }: TurnState): boolean =>
  reply?.kind === 'greeting' &&
  reply.releasedAt !== null &&
  !isTalking(caller) &&
  caller.segmentSince < reply.releasedAt;

/** A backchannel over the agent's speech: the agent goes on, or resumes when the sound had stopped it. */
function harmlessWords(step: Step, text: string, at: number): Step {
  const { caller, reply } = step.state;
  // A final of the sound before says nothing of this one.
  const segmentHarmless = caller.segmentFinal || caller.segmentHarmless;
  if (isPickUp(step.state, text)) {
    const noted = changeCaller(recordWords(step, text, caller.segmentSince, at), { segmentHarmless });
    return reply?.phase === 'suspended' && !isTalking(caller) ? resume(noted, at) : noted;
  }
  const early = { text, since: caller.segmentSince, at };
  const noted = changeCaller(step, { segmentHarmless, early });
  return reply?.phase === 'suspended' && !isTalking(caller) ? resume(noted, at) : noted;
}

/** The recogniser found no words in the last segment. */
export function onNothing(step: Step, at: number): Step {
  const { caller, reply, keypad } = step.state;
  const isEager = reply?.phase === 'prepared' && (reply.answers !== null || reply.hears === true);
  const cleared = changeCaller(isEager ? dropReply(step) : step, {
    partial: '',
    partialTurn: null,
    awaitingUntil: null,
    owedFinal: false,
  });
  if (caller.speaking) return cleared;
  if (isUnclearInterruption(step.state)) return interruptUnclearly(cleared, at);
  if (reply?.phase === 'suspended') return resume(cleared, at);
  if (!isFloorFree(step.state)) return cleared;
  // A hello that was not understood is no reason to ask again: the first message follows.
  if (step.state.startBy !== null) return cleared;
  if (caller.text !== '')
    return changeCaller(cleared, { quietSince: caller.quietBefore ?? caller.quietSince });
  if (keypad !== null || caller.awaitingUntil === null) return cleared;
  const soundMs = caller.quietSince - caller.segmentSince;
  if (losesSpeech(step.state) && (caller.unclear || soundMs >= NOISE_MS)) return noteUnclear(cleared);
  const forgotten = change(cleared, { caller: clearedCaller(cleared.state.caller) });
  return soundMs < NOISE_MS ? forgotten : notCaught(forgotten, at);
}

/** Speech without recognised words: asks to repeat, at most twice in a row, then only listens. */
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
  const waiting = step.state.caller.awaitingUntil !== null;
  const settled = waiting ? finalTimedOut(step, at) : step;
  const { call, reply } = settled.state;
  // Settling may have ended the call.
  if (retryable || reply !== null || call.phase !== 'talking') return settled;
  return failure(settled, at);
}

/** When the wait for a pending final ends. */
export const finalTimeoutDue = ({ caller }: TurnState): number | null =>
  isTalking(caller) ? null : caller.awaitingUntil;

/** A partial without a final is taken as final, a guess at a noise is forgotten. */
export function finalTimedOut(step: Step, at: number): Step {
  const { caller, reply } = step.state;
  if (!isGuess(step.state, caller.partial)) return takePartial(step, at);
  const isForGuess = reply?.phase === 'prepared' && reply.answers !== null;
  const forgotten = { partial: '', partialTurn: null, awaitingUntil: null, sounded: false, soft: false };
  return changeCaller(isForGuess ? dropReply(step) : step, forgotten);
}

/** The sound that stopped the agent had no words so far: the agent resumes, unless a partial interrupts. */
export function resumeTimedOut(step: Step, at: number): Step {
  const { partial, segmentHarmless } = step.state.caller;
  if (partial !== '' && !segmentHarmless) return takePartial(step, at);
  return isUnclearInterruption(step.state) ? interruptUnclearly(step, at) : resume(step, at);
}

export function notSpeechDue({ caller }: TurnState): number | null {
  return isTalking(caller) ? Math.max(caller.segmentSince, caller.changedAt) + NOT_SPEECH_MS : null;
}

/** Ignores endless sound: it no longer blocks timers. */
export const notSpeech = (step: Step, at: number): Step =>
  change(changeCaller(step, { ignored: true, quietSince: at }), { idle: { since: at, warned: false } });

/** The words ended although the sound goes on: commits the turn. */
export function stuckWords(step: Step, at: number): Step {
  const { caller } = step.state;
  const settled = caller.partial === '' ? step : takePartial(step, at);
  const quiet = changeCaller(settled, { ignored: true, quietSince: caller.changedAt });
  if (!isFloorFree(quiet.state) || quiet.state.caller.text === '') return quiet;
  return commitTurn(quiet, at);
}
