import { setImmediate } from 'node:timers/promises';
import { readOggOpus } from './ogg-opus.ts';

export const NOTE_RATE = 16_000;
/** A longer note is not listened to. */
const LONGEST_MS = 60_000;
/** Packets decoded before other work of the thread gets its turn. */
const AT_ONCE = 100;

/** The samples of a voice note at 16 kHz; a word that says why there are none. */
export type DecodedNote = Int16Array | 'unreadable' | 'too long';

/** Decodes a voice note: one Opus stream in an Ogg file. */
export async function decodeNote(file: Buffer): Promise<DecodedNote> {
  const note = readOggOpus(file);
  if (note === null || note.packets.length === 0) return 'unreadable';
  const { OpusDecoder } = await import('opus-decoder');
  const decoder = new OpusDecoder({
    channels: note.channels,
    preSkip: note.preSkip,
    sampleRate: NOTE_RATE,
  });
  try {
    await decoder.ready;
    const parts: Int16Array[] = [];
    let samples = 0;
    for (let from = 0; from < note.packets.length; from += AT_ONCE) {
      const { channelData, samplesDecoded } = decoder.decodeFrames(note.packets.slice(from, from + AT_ONCE));
      samples += samplesDecoded;
      if (samples > (LONGEST_MS * NOTE_RATE) / 1_000) return 'too long';
      parts.push(mixed(channelData, samplesDecoded));
      await setImmediate();
    }
    return samples === 0 ? 'unreadable' : joined(parts, samples);
  } catch {
    return 'unreadable';
  } finally {
    decoder.free();
  }
}

function mixed(channels: readonly Float32Array[], samples: number): Int16Array {
  const pcm = new Int16Array(samples);
  for (let at = 0; at < samples; at += 1) {
    let sum = 0;
    for (const channel of channels) sum += channel[at] ?? 0;
    const level = channels.length === 0 ? 0 : sum / channels.length;
    pcm[at] = Math.max(-32_768, Math.min(32_767, Math.round(level * 32_767)));
  }
  return pcm;
}

function joined(parts: readonly Int16Array[], samples: number): Int16Array {
  const whole = new Int16Array(samples);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
