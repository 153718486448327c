import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseWav } from '@callwright/audio';
import type { CallerLine } from './caller-lines.ts';
import { plainWords } from './word-errors.ts';

/** Debian's packages asterisk-core-sounds-en and asterisk-core-sounds-en-wav, which `scripts/setup.sh --test-peers` installs. */
const TEXTS = '/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz';
const SOUNDS = '/usr/share/asterisk/sounds/en_US_f_Allison';
/** Shorter prompts are parts of sentences. */
const FEWEST_WORDS = 4;

export interface HumanPrompt extends CallerLine {
  /** Of its file. */
  readonly name: string;
}

/** Prompts that a person speaks, at 8 kHz, with their texts. Throws when the packages are not installed. */
export function humanPrompts(): HumanPrompt[] {
  if (!existsSync(TEXTS) || !existsSync(SOUNDS))
    throw new Error('the prompts of Asterisk are not installed: scripts/setup.sh --test-peers');
  const lines = gunzipSync(readFileSync(TEXTS)).toString('utf8').split('\n');
  return lines.flatMap((line) => {
    const [, name = '', text = ''] = /^([\w/-]+): (.+)$/.exec(line) ?? [];
    const file = join(SOUNDS, `${name}.wav`);
    if (name === '' || !existsSync(file)) return [];
    const wav = parseWav(readFileSync(file));
    if (!wav.ok || wav.sampleRate !== 8000) throw new Error(`${file} is no recording at 8 kHz`);
    return [{ name, text, pcm: wav.pcm }];
  });
}

/** Whether the text of a prompt is what is heard: brackets describe a sound, and digits stand for words. */
export const isSentence = ({ text }: HumanPrompt): boolean =>
  plainWords(text).length >= FEWEST_WORDS && !/[[\]()<>0-9]/.test(text);
