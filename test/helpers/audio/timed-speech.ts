import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TtsMark } from '@callwright/turns';

/** A text as an engine of this machine speaks it, with the true ends of its words. */
export interface TimedSpeech {
  readonly text: string;
  readonly pcm: Int16Array;
  readonly rate: number;
  readonly ends: readonly TtsMark[];
}

export interface SpeakRequest {
  readonly engine: 'flite' | 'espeak';
  readonly voice: string;
  readonly texts: readonly string[];
}

/** Speaks texts, of flite in ASCII; rejects when the engine fails. */
export async function timedSpeech(request: SpeakRequest): Promise<readonly TimedSpeech[]> {
  const child = fork(join(import.meta.dirname, 'timed-speech.process.ts'), { serialization: 'advanced' });
  child.send(request);
  const [answer] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => Promise.reject(new Error(`ended with ${code ?? signal}`))),
  ]);
  return answer as readonly TimedSpeech[];
}
