import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import type { EarModel } from '../../src/offline/words/ear-api.ts';
import { EarThreads } from '../../src/offline/words/ears.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { localWords } from '../../src/offline/words/recogniser.ts';
import { checkBySpeech } from '../../src/providers/stt/check-speech.ts';
import type { SttProvider } from '../../src/providers/ports/recogniser.ts';
import { callerLines, withNoise, type CallerLine } from '../helpers/audio/caller-lines.ts';
import { hearLine } from '../helpers/audio/hear-line.ts';
import { wordErrorRate } from '../helpers/audio/word-errors.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';

/** At night all forty. */
const LINES = callerLines().filter((_, at) => IS_NIGHTLY || at % 2 === 0);

let ears: EarThreads;
let stt: SttProvider;
beforeAll(async () => {
  const folder = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
  const model: EarModel | null = earModels((id) => installedModel(folder, id))('en-US');
  if (model === null) throw new Error(`${folder} holds no recogniser: run callwright models get`);
  ears = new EarThreads();
  await ears.load(model);
  stt = localWords(
    (port) => ears.connect(port, model),
    () => model,
  );
});
afterAll(() => ears?.close());

async function errorRate(lines: readonly CallerLine[]): Promise<number> {
  const vad = createVadProvider();
  const pairs = [];
  for (const line of lines) pairs.push({ said: line.text, heard: (await hearLine(stt, vad, line)).text });
  const rate = wordErrorRate(pairs);
  console.log(`${(rate * 100).toFixed(1)} % of the words are wrong`);
  return rate;
}

describe('the English recogniser of this machine, with real weights', () => {
  it(`writes at most 5 % of the words of ${LINES.length} caller lines by ten voices wrong`, async () => {
    expect(await errorRate(LINES)).toBeLessThanOrEqual(0.05);
  });

  it.runIf(IS_NIGHTLY)('writes at most 11 % wrong with white noise at 15 dB', async () => {
    expect(await errorRate(LINES.map((line) => withNoise(line, 15)))).toBeLessThanOrEqual(0.11);
  });

  it('hears the sentence of the check', async () => {
    const answer = await checkBySpeech({ ...stt, close: () => Promise.resolve() });
    expect(answer).toMatchObject({ heard: expect.stringMatching(/like to book a table/) });
  });

  it('says how many calls it hears', () => {
    expect(ears.calls).toBeGreaterThanOrEqual(1);
  });
});
