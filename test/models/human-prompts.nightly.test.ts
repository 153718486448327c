import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { EarThreads } from '../../src/offline/words/ears.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { localWords } from '../../src/offline/words/recogniser.ts';
import type { SttProvider } from '../../src/providers/ports/recogniser.ts';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { wholeDecoder, type WholeWords } from '../helpers/audio/decode-whole.ts';
import { hearLine } from '../helpers/audio/hear-line.ts';
import { humanPrompts, isSentence } from '../helpers/audio/human-prompts.ts';
import { overG711 } from '../helpers/audio/spoken-line.ts';
import { wordErrorRate } from '../helpers/audio/word-errors.ts';

/** Of all prompts every one of this many, so that the test takes seconds; ALL_PROMPTS=1 hears them all. */
const EVERY = process.env['ALL_PROMPTS'] === '1' ? 1 : 8;

let ears: EarThreads;
let stt: SttProvider;
let decode: (pcm: Int16Array) => WholeWords;
beforeAll(async () => {
  const folder = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
  const model = earModels((id) => installedModel(folder, id))('en-US');
  if (model === null) throw new Error(`${folder} holds no recogniser: run callwright models get`);
  ears = new EarThreads();
  await ears.load(model);
  decode = wholeDecoder(model);
  stt = localWords(
    (port) => ears.connect(port, model),
    () => model,
  );
});
afterAll(() => ears?.close());

describe('sentences of a person, Asterisk’s prompts over G.711', () => {
  it('are heard as well as by the same decoder on whole recordings', async () => {
    const prompts = humanPrompts().filter(isSentence);
    const some = prompts
      .filter((_, at) => at % EVERY === 0)
      .map(({ text, pcm }) => ({ text, pcm: overG711(pcm) }));
    const vad = createVadProvider();
    const [calls, whole] = [[], []] as { said: string; heard: string }[][];
    for (const line of some) {
      calls?.push({ said: line.text, heard: (await hearLine(stt, vad, line)).text });
      whole?.push({ said: line.text, heard: decode(line.pcm).text });
    }
    const [ours, reference] = [wordErrorRate(calls ?? []), wordErrorRate(whole ?? [])];
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
    console.log(
      `${some.length} of ${prompts.length} prompts: ${percent(ours)} wrong, whole ${percent(reference)}`,
    );
    expect(some.length).toBeGreaterThan(20);
    expect(ours).toBeLessThanOrEqual(reference);
    expect(ours).toBeLessThanOrEqual(0.08);
  });
});
