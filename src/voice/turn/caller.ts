import { addWords, canReopen, commitTurn, reopenTurn } from './commit.ts';
import { isPreparedFor, reachEndpoint, takenText, untakenText, waitForFinalMs } from './endpoint.ts';
import { dropReply } from './closing.ts';
import { pausedFor, wordsAfter, wordsAtEnd } from './policies/adapt.ts';
import { isUnclearInterruption, losesSpeech, noteUnclear, recordUnclear } from './policies/hearing.ts';
import { interruptUnclearly } from './policies/unclear.ts';
import { isEnoughWords, isHarmless, isPickUp, isUndecided } from './policies/interruption.ts';
import { phrasesNow } from './policies/wording.ts';
import { joinText } from '../prompt/sentences.ts';
import { failure } from './reply.ts';
import { say } from './speaking.ts';
import {
  change,
  changeCaller,
  clearedCaller,
  isAudible,
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

/** An edge of the speech gate; `audioMs`: `since` in audio time, if known. */
interface Edge {
  readonly since: number;
  readonly at: number;
  readonly audioMs?: number;
}

export function onSpeechStarted(step: Step, { since, at, audioMs }: Edge): Step {
  const { caller, keypad } = step.state;
  if (caller.speaking) return step;
  const begins = caller.text === '' && keypad === null && !caller.unclear;
  const started = changeCaller(caller.text === '' ? step : pausedFor(step, since - caller.quietSince), {
    speaking: true,
    paused: false,
    sounded: true,
    segment: caller.segment + 1,
    segmentSince: since,
    segmentAudioMs: audioMs ?? null,
    firstSince: begins ? since : caller.firstSince,
    quietBefore: caller.text === '' ? null : caller.quietSince,
    // A turn of the recogniser spans segments; other partials belong to theirs.
    partial: caller.partialTurn === null ? '' : caller.partial,
    awaitingUntil: null,
    segmentFinal: false,
    segmentHeard: false,
    segmentHarmless: false,
    owedFinal: caller.awaitingUntil !== null,
    certain: false,
    judged: null,
    ignored: false,
    changedAt: at,
  });
  const { reply } = started.state;
  // A reply prepared at an eager end is kept: the recogniser decides whether this sound goes on with the turn.
  const isReply = reply?.phase === 'prepared' && reply.kind === 'brain';
  if (isReply) return reply.answers === null ? dropReply(started) : started;
  // Sound alone reopens a turn once; after that only words do.
  const { turn } = started.state;
  const again = turn !== null && turn.reopened === 0 && turn.keypad === null;
  if (again && canReopen(started)) return reopenTurn(started);
  return started;
}

export const onSpeechPaused = (step: Step, paused: boolean): Step =>
  step.state.caller.speaking ? changeCaller(step, { paused }) : step;

export function onSpeechStopped(step: Step, edge: Edge): Step {
  const { since, at } = edge;
  const { caller } = step.state;
  if (!caller.speaking) return step;
  if (caller.ignored) {
    const awaitingUntil = caller.partial === '' ? null : at + waitForFinalMs(caller);
    return changeCaller(step, { speaking: false, paused: false, ignored: false, awaitingUntil });
  }
  const isOpen = caller.partialTurn !== null && caller.partial !== '';
  const isCovered = !isOpen && coversSound(caller, edge);
  return changeCaller(step, {
    speaking: false,
    paused: false,
    quietSince: Math.max(since, caller.segmentSince),
    segmentFinal: caller.segmentFinal || isCovered,
    awaitingUntil: caller.segmentFinal || isCovered ? null : at + waitForFinalMs(caller),
  });
}

/** A recogniser with its own VAD may finish before our gate: a final that reaches past the last sound covers it. */
function coversSound({ lastFinal, finalAt, segment }: Caller, { since, audioMs }: Edge): boolean {
  if (lastFinal === null) return false;
  if (audioMs !== undefined && lastFinal.audioMs !== null) return lastFinal.audioMs >= audioMs;
  return lastFinal.segment === segment && finalAt !== null && finalAt >= since;
}

export function onPartial(step: Step, words: Recognised): Step {
  const { at } = words;
  const partial = untakenText(step.state.caller, words);
  const { caller, reply } = step.state;
  if (partial === '' || !caller.sounded) return step;
  const harmless = isHarmless(step.state, partial);
  const isFirst = isTalking(caller) && !caller.segmentHeard && !caller.owedFinal;
  const next = changeCaller(isFirst ? wordsAfter(step, at - caller.segmentSince) : step, {
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
  const overVoice = reply?.phase === 'suspended' || (reply?.phase === 'released' && isAudible(reply));
  if (!overVoice || harmless || isUndecided(next.state, partial)) return next;
  if (!isEnoughWords(next.state, partial)) return next;
  return takeFloor(next, caller.segmentSince, at);
}

/** When words without a final are taken as final; ignored sound does not hold them up. */
function finalDeadline(caller: Caller, at: number): number | null {
  if (isTalking(caller)) return null;
  const due = at + waitForFinalMs(caller);
  return caller.ignored ? due : (caller.awaitingUntil ?? due);
}

export function onFinal(step: Step, words: Recognised & { readonly certain?: boolean }): Step {
  if (normalised(words.text) === '') return onNothing(step, words.at);
  const text = untakenText(step.state.caller, words);
  if (text !== '') return reachEndpoint(takeFinal(step, text, words), words);
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
  const isOverVoice = reply.phase === 'suspended' || (reply.phase === 'released' && isAudible(reply));
  if (isOverVoice && !isEnoughWords(state, text)) {
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

/** A partial without a final is taken as final. */
export function finalTimedOut(step: Step, at: number): Step {
  return takePartial(step, at);
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
