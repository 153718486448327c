import { createOfflineTts } from '../../src/offline/speech/tts.ts';
import { callerLines } from '../../test/helpers/audio/caller-lines.ts';
import { synthesise } from '../../test/helpers/audio/speech.ts';
import { FITTED_SENTENCES } from './sentences.ts';
import type { Recording } from './turns.ts';

/** The natural voice: smart-turn takes flite and espeak-ng for people who never finish. */
const FITTED_VOICE = 'hibari:heart';
const SPEEDS = [1, 1.15, 0.9];

/** Each sentence at three speeds. */
export async function fittedRecordings(modelsDir: string): Promise<Recording[]> {
  const tts = createOfflineTts({ modelsDir, cacheBytes: 1 });
  const recordings: Recording[] = [];
  for (const text of FITTED_SENTENCES) {
    for (const speed of SPEEDS) {
      const pcm = await synthesise(tts, { voiceKey: FITTED_VOICE, language: 'en-US', text, speed });
      recordings.push({ voice: FITTED_VOICE, pcm });
    }
  }
  await tts.close();
  return recordings;
}

/** A caller who asks for a moment has not finished: no detector is measured on it. */
const ASKS_FOR_TIME = /^hold on/u;

/** Forty lines by ten voices that no weight was fitted on, without the one that asks for a moment. */
export const heldOutRecordings = (): Recording[] =>
  callerLines()
    .filter(({ text }) => !ASKS_FOR_TIME.test(text))
    .map(({ pcm }) => ({ voice: 'caller lines', pcm }));
