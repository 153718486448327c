import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../../shared/child-environment.ts';
import { scratchFolder } from '../../shared/scratch.ts';
import { createResampler, resample } from '@callwright/audio';
import { espeakArguments, fliteArguments } from '../speech/engines.ts';
import { wavStream } from '../speech/wav-stream.ts';

const SENTENCE =
  'Hello, thank you for calling. I would like to make an appointment for tomorrow morning at nine, please.';
const LIMIT = { timeout: 5000, maxBuffer: 4 * 1024 * 1024 } as const;

/**
 * Some seconds of synthetic telephone speech at 8 kHz that set a decoder's cepstral mean before its first caller. Null
 * where no synthesiser is installed. Blocks the thread: for recogniser threads only.
 */
export function primingSpeech(commands: { fliteCommand: string; espeakCommand: string }): Int16Array | null {
  const wav = fromFlite(commands.fliteCommand) ?? fromEspeak(commands.espeakCommand);
  if (wav === null) return null;
  const piece = wavStream()(wav);
  return piece.type === 'samples' ? narrowed(piece.pcm, piece.sampleRate) : null;
}

function fromFlite(command: string): Buffer | null {
  const directory = scratchFolder('prime');
  try {
    const [text, wav] = [join(directory, 'text'), join(directory, 'wav')];
    writeFileSync(text, SENTENCE);
    const run = spawnSync(command, fliteArguments('rms', 1, text, wav), {
      ...LIMIT,
      env: childEnvironment(),
      stdio: 'ignore',
    });
    return run.status === 0 ? readFileSync(wav) : null;
  } catch {
    return null;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function fromEspeak(command: string): Buffer | null {
  const run = spawnSync(command, espeakArguments('en-us', 1), {
    ...LIMIT,
    env: childEnvironment(),
    input: SENTENCE,
  });
  return run.status === 0 ? run.stdout : null;
}

/**
 * Upsamples 8 kHz audio for a model trained on 16 kHz speech by inserting zeros, which mirrors the band below 4 kHz above
 * it. The mirror image adds energy where s, f and th have theirs and raised recognition of the phrase set from 86 to
 * 90 %. 16 kHz audio is returned unchanged, except where a wideband call upsampled it from a telephone's 8 kHz.
 */
export function widened(pcm: Int16Array, sampleRate: number): Int16Array {
  if (sampleRate === 16_000) return isNarrowband(pcm) ? widened(everySecond(pcm), 8_000) : pcm;
  const out = new Int16Array(pcm.length * 2);
  // Zero insertion halves the level; the model is insensitive to it.
  for (let i = 0; i < pcm.length; i++) out[i * 2] = pcm[i]!;
  return out;
}

const everySecond = (pcm: Int16Array): Int16Array =>
  Int16Array.from({ length: pcm.length >> 1 }, (_, i) => pcm[2 * i]!);

/** Power that 16 kHz audio has above 4 kHz, as a share of the whole, below which it came from 8 kHz. */
const NARROW_SHARE = 1e-4;

/** True when the samples between every second one are what upsampling puts there. */
function isNarrowband(pcm: Int16Array): boolean {
  const upsampled = resample(createResampler(8_000, 16_000), everySecond(pcm), true);
  let [all, above] = [0, 0];
  for (let i = 1; i < upsampled.length; i += 2) {
    all += pcm[i]! ** 2;
    above += (pcm[i]! - upsampled[i]!) ** 2;
  }
  return above < all * NARROW_SHARE;
}

/** Resamples a recording to the telephone's 8 kHz. */
export const narrowed = (pcm: Int16Array, sampleRate: number): Int16Array =>
  resample(createResampler(sampleRate, 8000), pcm, true);
