import { wordEnds } from '@callwright/turns';
import type { TtsSession } from '../../providers/ports/voice.ts';
import { weightOf } from '../../session/word-places.ts';
import { spread } from '../draw.ts';
import type { ModelClock } from './delayed-model.ts';

/** One sample a millisecond: the player counts time, and nobody listens. */
export const SAMPLE_RATE = 1_000;
/** Of a letter at the usual pace. */
const WEIGHT_MS = 58;

/** How long a text sounds. */
export const soundMs = (text: string, speed = 1): number =>
  Math.max(1, Math.round((weightOf(text) * WEIGHT_MS) / speed));

/** A voice without sound: it takes the time that its words take. */
export function virtualVoice({ seed, timing, now, at }: Omit<ModelClock, 'stop'>, speed: number): TtsSession {
  let sentences = 0;
  return {
    begin() {
      let isCancelled = false;
      return {
        say(text, onEvent) {
          sentences += 1;
          const delay = Math.round(spread(timing.voice, seed, 'voice', sentences));
          at(now() + delay, () => {
            if (isCancelled) return;
            const totalMs = soundMs(text, speed);
            const marks = [...wordEnds(text)].map((textEnd) => ({
              textEnd,
              audioMs: Math.round((totalMs * textEnd) / text.length),
            }));
            onEvent({ type: 'marks', marks });
            onEvent({ type: 'audio', pcm: new Int16Array(totalMs) });
            onEvent({ type: 'done' });
          });
        },
        end: () => undefined,
        cancel() {
          isCancelled = true;
        },
      };
    },
    close: () => undefined,
  };
}
