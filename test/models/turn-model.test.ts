import { afterAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { turnFiles } from '../../src/offline/models/onnx-runtime.ts';
import { createOfflineTts } from '../../src/offline/speech/tts.ts';
import { smartTurn } from '../../src/providers/turn/smart-turn.ts';
import { LINE_RATE, overG711, speakLine } from '../helpers/audio/spoken-line.ts';

const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
const files = turnFiles((id) => installedModel(MODELS_DIR, id), null);
const tts = createOfflineTts({ modelsDir: MODELS_DIR });
const model = files === null ? null : smartTurn({ ...files, deadlineMs: 60_000 });
afterAll(() => Promise.all([tts.close(), model?.close()]));

const SENTENCES = [
  'I would like to book an appointment for my daughter on Thursday afternoon.',
  'Could you tell me how much a check up costs without insurance?',
  'We moved last month, so my new address is on Main Street.',
  'I have had a bad tooth ache since yesterday evening.',
];

/** The probability that the turn is over. */
async function judged(pcm: Int16Array): Promise<number> {
  if (model === null) throw new Error(`${MODELS_DIR} lacks smart-turn or its runtime: callwright models get`);
  // The model takes the audio with it.
  const ask = () => model.finished({ pcm: pcm.slice(), sampleRate: LINE_RATE, text: '' });
  await expect.poll(ask, { timeout: 60_000 }).not.toBeNull();
  const found = await ask();
  if (found === null) throw new Error('the turn model does not answer');
  return found;
}

describe('the turn model of the English pack, with real weights', () => {
  it('takes whole sentences more often for ends of turns than sentences that were cut', async () => {
    const [whole, cut]: [number[], number[]] = [[], []];
    for (const sentence of SENTENCES) {
      const { pcm } = await speakLine(tts, sentence, { voiceKey: 'hibari:heart' });
      const line = overG711(pcm);
      whole.push(await judged(line));
      cut.push(await judged(line.subarray(0, Math.round(line.length * 0.45))));
    }
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, one) => sum + one, 0) / values.length;
    console.log(`whole ${mean(whole).toFixed(2)}, cut ${mean(cut).toFixed(2)}`);
    expect(mean(whole)).toBeGreaterThan(mean(cut) + 0.2);
  });
});
