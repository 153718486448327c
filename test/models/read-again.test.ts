import { describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { callerLines } from '../helpers/audio/caller-lines.ts';
import { readAgain } from '../helpers/audio/read-again.ts';
import { wordErrorRate } from '../helpers/audio/word-errors.ts';

const RATE = 8_000;

describe('the net that reads utterances again', () => {
  it('reads speech of 10 to 20 s as a whole', async () => {
    const folder = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
    const files = earModels((id) => installedModel(folder, id))('en-US')?.reader ?? null;
    if (files === null) throw new Error(`${folder} lacks the net that reads utterances again`);
    const read = await readAgain(files);
    for (const seconds of [10, 14]) {
      const parts: number[] = [];
      const said: string[] = [];
      for (const { text, pcm } of callerLines()) {
        if (parts.length >= seconds * RATE) break;
        parts.push(...pcm);
        said.push(text);
      }
      const text = said.join(' ');
      expect(wordErrorRate([{ said: text, heard: await read(Int16Array.from(parts), '') }])).toBeLessThan(
        0.2,
      );
    }
  });
});
