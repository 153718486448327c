import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VENDORS } from '../../src/vendors/list.ts';

const root = resolve(import.meta.dirname, '../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('vendors/'),
);

/** `openai-compatible` names a protocol of self-hosted servers, which an agent's own model uses, too. */
const names = VENDORS.map(({ name }) => name).filter((name) => name !== 'openai-compatible');
const NAMED = new RegExp(String.raw`(?:\b|fake)(?:${names.join('|')})(?![-_ ]compatible)`, 'i');

/** Files that name a vendor in code, and why. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['cli/models.ts', 'shows the folder of SHERPA_MODEL_DIR'],
  ['cli/vendors.ts', 'prints settings that choose three of the stand-ins'],
  ['offline/models/catalogue.ts', 'models, their addresses and packages'],
  ['offline/models/pinned-files.ts', 'files of its models'],
  ['offline/models/small-recognisers.ts', 'its models of further languages'],
  ['offline/sherpa/decoder-thread.ts', 'the engine in this process, whose folder SHERPA_MODEL_DIR names'],
  ['offline/sherpa/model.ts', 'the same'],
  ['offline/sherpa/recogniser.ts', 'the same'],
  ['offline/sherpa/sherpa.thread.ts', 'the same'],
  ['offline/sherpa/utterances.ts', 'the same'],
  ['offline/speech/library/model.ts', 'what its package loads'],
  ['offline/speech/library/own-folder.ts', 'reads the metadata that it adds to nets'],
  ['offline/speech/library/own-voices.ts', 'tells which package a voice needs'],
  ['offline/speech/library/voices.ts', 'the package that speaks'],
  ['offline/words/library.ts', 'the functions of the library'],
  ['offline/words/models.ts', 'models of the catalogue'],
  ['providers/voices.ts', 'tells which package a voice needs'],
]);

/** Comments may name a vendor as an example, and so may examples of API fields. */
const isProse = (line: string): boolean => /^\s*(?:\/\/|\/?\*)|\bexample: /.test(line);

const namingFiles = (lines: (file: string) => readonly string[]): string[] =>
  files.filter((file) => lines(file).some((line) => NAMED.test(line) && !isProse(line))).toSorted();

describe('names of vendors', () => {
  it('stand in the code of src/vendors alone, besides a few named places', () => {
    const found = namingFiles((file) => readFileSync(join(root, file), 'utf8').split('\n'));
    expect(found).toEqual([...PLACES.keys()].toSorted());
  });

  it('are found in code, and not in comments or examples', () => {
    const isNamed = (line: string): boolean => namingFiles(() => [line]).length > 0;
    expect(["case 'deepgram':", 'new ElevenlabsVoice()', 'fakeOpenai,'].map(isNamed)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['// Google answers 400.', "example: 'deepgram',", "vendor === 'openai-compatible'"].map(isNamed),
    ).toEqual([false, false, false]);
  });
});
