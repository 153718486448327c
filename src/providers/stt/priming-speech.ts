import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { espeakArguments } from '../tts/espeak.ts';
import { fliteArguments } from '../tts/flite.ts';
import { wavStream } from '../tts/wav-stream.ts';
import { narrowed } from './telephone-band.ts';

const SENTENCE =
  'Hello, thank you for calling. I would like to make an appointment for tomorrow morning at nine, please.';
const LIMIT = { timeout: 5000, maxBuffer: 4 * 1024 * 1024 } as const;

/**
 * Some seconds of telephone speech at 8 kHz that set a decoder's cepstral mean before its first caller. Null
 * where no synthesiser is installed. Blocks: for recogniser threads only.
 */
export function primingSpeech(commands: { fliteCommand: string; espeakCommand: string }): Int16Array | null {
  const wav = fromFlite(commands.fliteCommand) ?? fromEspeak(commands.espeakCommand);
  if (wav === null) return null;
  const piece = wavStream()(wav);
  return piece.type === 'samples' ? narrowed(piece.pcm, piece.sampleRate) : null;
}

function fromFlite(command: string): Buffer | null {
  const directory = mkdtempSync(join(tmpdir(), 'callwright-prime-'));
  try {
    const [text, wav] = [join(directory, 'text'), join(directory, 'wav')];
    writeFileSync(text, SENTENCE);
    const run = spawnSync(command, fliteArguments('rms', 1, text, wav), { ...LIMIT, stdio: 'ignore' });
    return run.status === 0 ? readFileSync(wav) : null;
  } catch {
    return null;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function fromEspeak(command: string): Buffer | null {
  const run = spawnSync(command, espeakArguments('en-us', 1), { ...LIMIT, input: SENTENCE });
  return run.status === 0 ? run.stdout : null;
}
