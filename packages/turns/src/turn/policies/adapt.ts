import { interruptionOf, type Interruption } from '../../interruption-rules.ts';
import { learned } from '../committed-turn.ts';
import { change, type Step } from '../state.ts';
import type { TurnSettings } from '../types.ts';

/** Waits adapted to this caller, ms. */
export interface AdaptedWaits {
  readonly completeMs: number;
  readonly questionMs: number;
  readonly defaultMs: number;
  readonly minSpeechMs: number;
  /** From the caller's first sound to the recogniser's first words; null: words come at the end of the speech. */
  readonly wordsAfterMs: number | null;
}

export const initialWaits = ({ endpointing, interruption }: TurnSettings): AdaptedWaits => ({
  completeMs: endpointing.completeMs,
  questionMs: endpointing.questionMs ?? endpointing.completeMs,
  defaultMs: endpointing.defaultMs,
  minSpeechMs: interruption.minSpeechMs,
  wordsAfterMs: null,
});

/** Bounds of the adapted waits, ms. */
const DEFAULT_RANGE = { min: 500, max: 1200 } as const;
const MAX_COMPLETE_MS = 780;
/** Callers pause this long inside a sentence at most; the wait after whole words is longer than their pause by the margin. */
const LONGEST_PAUSE_MS = 700;
const PAUSE_MARGIN_MS = 80;
const MAX_SPEECH_MS = 500;
/** Above the length of a sound that was no interruption. */
const LONGER_MS = 60;

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** The caller continued within a second of a commit, after this pause: lengthens the waits. */
export function cutIn(step: Step, pauseMs: number): Step {
  const { adapted } = step.state;
  const defaultMs = Math.max(adapted.defaultMs, Math.min(adapted.defaultMs + 125, DEFAULT_RANGE.max));
  const completeMs = Math.max(adapted.completeMs, Math.min(adapted.completeMs + 50, MAX_COMPLETE_MS));
  return wentOn(change(step, { adapted: { ...adapted, defaultMs, completeMs } }), pauseMs);
}

/**
 * The caller continued after words that looked whole: for the rest of the call, the wait after whole words and questions is
 * longer than that pause.
 */
export function wentOn(step: Step, pauseMs: number): Step {
  const { adapted } = step.state;
  const learned = pauseMs > 0 && pauseMs <= LONGEST_PAUSE_MS ? pauseMs + PAUSE_MARGIN_MS : 0;
  const completeMs = Math.max(adapted.completeMs, learned);
  return change(step, { adapted: { ...adapted, completeMs, questionMs: completeMs } });
}

/** A pause inside a turn came close to the wait: lengthens the wait. */
export function pausedFor(step: Step, pauseMs: number): Step {
  const { adapted } = step.state;
  if (pauseMs < adapted.defaultMs * 0.8 || pauseMs > DEFAULT_RANGE.max) return step;
  const max = Math.max(adapted.defaultMs, Math.min(adapted.defaultMs + 50, DEFAULT_RANGE.max));
  const defaultMs = clamp(pauseMs + 150, adapted.defaultMs, max);
  return change(step, { adapted: { ...adapted, defaultMs } });
}

/** A long turn without a cut-in: shortens the wait, down to 500 ms or the configured wait if that is less. */
export function fluentTurn(step: Step): Step {
  const { adapted, turn, settings } = step.state;
  if (turn === null || !turn.fluent) return step;
  const min = Math.min(DEFAULT_RANGE.min, settings.endpointing.defaultMs);
  const defaultMs = Math.max(min, adapted.defaultMs - 25);
  return change(step, { turn: learned(turn), adapted: { ...adapted, defaultMs } });
}

/** A false alarm: raises the sound needed to stop the agent above its length. A confirmed interruption lowers it a little. */
export function falseInterruption(step: Step): Step {
  const { adapted, caller } = step.state;
  const soundMs = caller.quietSince - caller.segment.since;
  const minSpeechMs = clamp(
    Math.max(adapted.minSpeechMs + 50, soundMs + LONGER_MS),
    adapted.minSpeechMs,
    Math.max(MAX_SPEECH_MS, adapted.minSpeechMs),
  );
  return change(step, { adapted: { ...adapted, minSpeechMs } });
}

/** The first words of a sound: learns how soon the recogniser has them. */
export function wordsAfter(step: Step, ms: number): Step {
  const { adapted } = step.state;
  const { wordsAfterMs } = adapted;
  const learned = wordsAfterMs === null ? ms : Math.round((wordsAfterMs * 3 + ms) / 4);
  return change(step, { adapted: { ...adapted, wordsAfterMs: learned } });
}

/** A sound had its words only at its end: the recogniser does not send them during speech any more. */
export function wordsAtEnd(step: Step, soundMs: number): Step {
  const { adapted } = step.state;
  if (adapted.wordsAfterMs === null || soundMs < 2 * adapted.wordsAfterMs) return step;
  return change(step, { adapted: { ...adapted, wordsAfterMs: null } });
}

/** Another rule for interruptions; what was learned of the caller's sounds stays. */
export function changeInterruption(step: Step, rule: Interruption): Step {
  const { settings, adapted } = step.state;
  const changed = interruptionOf(rule, settings);
  const learnedMs = adapted.minSpeechMs - settings.interruption.minSpeechMs;
  return change(step, {
    settings: { ...settings, ...changed },
    adapted: { ...adapted, minSpeechMs: changed.interruption.minSpeechMs + learnedMs },
  });
}

export function trueInterruption(step: Step): Step {
  const { adapted, settings } = step.state;
  const minSpeechMs = Math.max(settings.interruption.minSpeechMs, adapted.minSpeechMs - 25);
  return change(step, { adapted: { ...adapted, minSpeechMs } });
}
