import type { HibariFiles } from './files.ts';
import { HibariVoice } from './voice.ts';
import { VOICE_RATE } from './waveform.ts';

export interface VoiceCost {
  /** Share of a core while the voice speaks. */
  readonly share: number;
  /** Time until the first clause of a message is spoken, ms. */
  readonly firstMs: number;
}

const CLAUSE = 'Good morning, thank you for calling,';
const SENTENCE = 'Your appointment is on Tuesday the fourteenth at half past nine, with Doctor Lee.';

/** Loads a voice on this thread and measures it. `net`: its file. Rejects with the reason why it cannot be used. */
export async function measureVoice(files: HibariFiles, net: string): Promise<VoiceCost> {
  const voice = await HibariVoice.load(files);
  const speak = async (text: string): Promise<number> => {
    let samples = 0;
    for await (const piece of voice.speak({ text, net, speed: 1 })) samples += piece.length;
    return samples;
  };
  try {
    // The first runs compile.
    await speak(SENTENCE);
    const startedAt = performance.now();
    await speak(CLAUSE);
    const firstMs = performance.now() - startedAt;
    const before = process.threadCpuUsage();
    const samples = (await speak(SENTENCE)) + (await speak(SENTENCE));
    const { user, system } = process.threadCpuUsage(before);
    return { share: (user + system) / 1000 / ((samples * 1000) / VOICE_RATE), firstMs };
  } finally {
    await voice.release();
  }
}
