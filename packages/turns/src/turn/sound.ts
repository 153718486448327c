import { dropReply } from './closing.ts';
import { canReopen, reopenTurn } from './commit.ts';
import { waitForFinalMs } from './endpoint.ts';
import { pausedFor, wordsAfter } from './policies/adapt.ts';
import { beginSegment, isSounding, over, owedUntil, paused, speakingSince } from './segment.ts';
import { type Caller, NO_END, NO_PARTIAL, quietUntil } from './caller-state.ts';
import { changeCaller, type Step } from './state.ts';
import type { Recognised } from './types.ts';

/** An edge of the speech gate; `audioMs`: `since` in audio time, if known. */
export interface Edge {
  readonly since: number;
  readonly at: number;
  readonly audioMs?: number;
}

export function onSpeechStarted(step: Step, { since, at, audioMs }: Edge): Step {
  const { caller, keypad } = step.state;
  if (isSounding(caller.sound)) return step;
  const begins = caller.text === '' && keypad === null && !caller.unclear;
  // The recogniser has words of this sound already.
  const isOwed = owedUntil(caller.sound) !== null;
  const isSame = caller.sound.phase === 'soft' && isOwed;
  const started = changeCaller(caller.text === '' ? step : pausedFor(step, since - caller.quietSince), {
    sound: speakingSince(at),
    segment: beginSegment(
      caller.segment,
      { since, audioMs: audioMs ?? null },
      isSame ? 'heard' : isOwed ? 'owed' : 'none',
      caller.far || (isSame && caller.segment.isHarmless),
    ),
    firstSince: begins ? since : caller.firstSince,
    earlier: quietUntil(caller.earlier, caller.text === '' ? null : caller.quietSince),
    // A turn of the recogniser spans segments; other partials belong to theirs.
    partial: caller.partial.turn === null && !isSame ? NO_PARTIAL : caller.partial,
    end: NO_END,
  });
  return claimFloor(started);
}

/** The caller continues or begins to speak: drops the reply to the words so far, or reopens the turn. */
function claimFloor(started: Step): Step {
  const { reply } = started.state;
  // Keep a reply prepared at an eager end: the recogniser decides whether this sound continues the turn.
  if (reply?.playing.phase === 'prepared' && reply.kind === 'brain')
    return reply.playing.answers === 'turn' || reply.playing.answers === 'sound'
      ? dropReply(started)
      : started;
  // Sound alone reopens a turn once; after that only words do.
  const { turn } = started.state;
  const again = turn !== null && turn.reopened === 0 && turn.keypad === null;
  if (again && canReopen(started)) return reopenTurn(started);
  return started;
}

export const onSpeechPaused = (step: Step, isPaused: boolean): Step =>
  changeCaller(step, { sound: paused(step.state.caller.sound, isPaused) });

export function onSpeechStopped(step: Step, edge: Edge): Step {
  const { since, at } = edge;
  const { caller } = step.state;
  const { sound, partial, segment } = caller;
  if (!isSounding(sound)) return step;
  const dueAt = at + waitForFinalMs(caller);
  if (sound.phase !== 'speaking')
    return changeCaller(step, { sound: over(partial.text === '' ? null : dueAt) });
  const isOpen = partial.turn !== null && partial.text !== '';
  const isCovered = !isOpen && coversSound(caller, edge);
  return changeCaller(step, {
    sound: over(sound.isFinal || isCovered ? null : dueAt),
    quietSince: Math.max(since, segment.since),
  });
}

/** A recogniser with its own VAD may finish before the gate: a final covers the sound if its audio reaches past it. */
function coversSound({ lastFinal, finalAt, segment }: Caller, { since, audioMs }: Edge): boolean {
  if (lastFinal === null) return false;
  if (audioMs !== undefined && lastFinal.audioMs !== null) return lastFinal.audioMs >= audioMs;
  return lastFinal.segment === segment.number && finalAt !== null && finalAt >= since;
}

/** Words in the audio after those of the last final are new speech; a recogniser without times begins a turn for it. */
function isNewSpeech({ lastFinal }: Caller, { turn, audioMs, wordsEndMs }: Recognised): boolean {
  if (wordsEndMs !== undefined && audioMs !== undefined && lastFinal?.audioMs !== null) {
    return lastFinal === null || wordsEndMs > lastFinal.audioMs;
  }
  return turn !== undefined && turn !== lastFinal?.turn;
}

/** Longest delay of words after their sound. */
const LATEST_WORDS_MS = 1_000;

/** When the last word ended, in event time. */
function endOf({ at, audioMs, wordsEndMs }: Recognised): number {
  if (audioMs === undefined || wordsEndMs === undefined) return at;
  return at - Math.min(LATEST_WORDS_MS, Math.max(0, audioMs - wordsEndMs));
}

/**
 * Starts a segment for speech that is too soft or too new for the gate; its words date it. Null: the words belong to a known
 * segment, or to speech before the last final.
 */
export function softSpeech(step: Step, words: Recognised): Step | null {
  const { caller, keypad } = step.state;
  if (caller.sound.phase === 'soft') return changeCaller(step, { quietSince: endOf(words) });
  if (caller.sound.phase !== 'none' || !isNewSpeech(caller, words)) return null;
  const since = endOf(words);
  const begins = caller.text === '' && keypad === null && !caller.unclear;
  const started = changeCaller(wordsAfter(step, words.at - since), {
    sound: { phase: 'soft', owedUntil: owedUntil(caller.sound) },
    segment: beginSegment(caller.segment, { since, audioMs: null }, 'none', caller.far),
    firstSince: begins ? since : caller.firstSince,
    quietSince: since,
    end: NO_END,
  });
  return claimFloor(started);
}
