import { change, type Step } from '../state.ts';

/** How far the waits move for one caller, ms. */
const DEFAULT_RANGE = { least: 500, most: 1200 } as const;
const COMPLETE_MOST_MS = 600;
const SPEECH_MOST_MS = 500;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The caller went on within a second of our commit: we cut in, so wait longer from now on. */
export function cutIn(step: Step): Step {
  const { adapted } = step.state;
  const defaultMs = Math.max(adapted.defaultMs, Math.min(adapted.defaultMs + 125, DEFAULT_RANGE.most));
  const completeMs = Math.max(adapted.completeMs, Math.min(adapted.completeMs + 50, COMPLETE_MOST_MS));
  return change(step, { adapted: { ...adapted, defaultMs, completeMs } });
}

/** A pause inside a turn that came close to the wait: leave some room. */
export function pausedFor(step: Step, pauseMs: number): Step {
  const { adapted } = step.state;
  if (pauseMs < adapted.defaultMs * 0.8 || pauseMs > DEFAULT_RANGE.most) return step;
  const most = Math.max(adapted.defaultMs, Math.min(adapted.defaultMs + 50, DEFAULT_RANGE.most));
  const defaultMs = within(pauseMs + 150, adapted.defaultMs, most);
  return change(step, { adapted: { ...adapted, defaultMs } });
}

/** A long turn was answered without a cut-in: wait a little less, never below what was configured to be less. */
export function fluentTurn(step: Step): Step {
  const { adapted, turn, settings } = step.state;
  if (turn === null || !turn.fluent) return step;
  const least = Math.min(DEFAULT_RANGE.least, settings.endpointing.defaultMs);
  const defaultMs = Math.max(least, adapted.defaultMs - 25);
  return change(step, { turn: { ...turn, fluent: false }, adapted: { ...adapted, defaultMs } });
}

/** Sound that was no interruption stopped us: ask for more of it. Every true one takes half of that back. */
export function falseInterruption(step: Step): Step {
  const { adapted } = step.state;
  const minSpeechMs = within(
    adapted.minSpeechMs + 50,
    adapted.minSpeechMs,
    Math.max(SPEECH_MOST_MS, adapted.minSpeechMs),
  );
  return change(step, { adapted: { ...adapted, minSpeechMs } });
}

export function trueInterruption(step: Step): Step {
  const { adapted, settings } = step.state;
  const minSpeechMs = Math.max(settings.interruption.minSpeechMs, adapted.minSpeechMs - 25);
  return change(step, { adapted: { ...adapted, minSpeechMs } });
}
