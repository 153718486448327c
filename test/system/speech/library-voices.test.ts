import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InstalledModel } from '../../../src/offline/models/installed.ts';
import type { EngineEvent } from '../../../src/offline/speech/engines.ts';
import type { NaturalEngine } from '../../../src/offline/speech/natural-engine.ts';
import { libraryEngine } from '../../../src/offline/speech/library/engine.ts';
import { hasModel } from '../../../src/app/adapters.ts';
import { hasPackage } from '../../../src/shared/optional-package.ts';
import { ownVoices } from '../../../src/offline/speech/library/own-voices.ts';
import { tryLibraryVoices } from '../../../src/offline/speech/library/try-voices.ts';

/** Has the API of the package; models are too large for the tests. */
const STAND_IN = join(import.meta.dirname, '../../helpers/audio/library-voices-stand-in.cjs');

let [folder, models] = ['', ''];
const engines: NaturalEngine[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sherpa-voices-'));
  models = await mkdtemp(join(tmpdir(), 'models-'));
  await mkdir(join(folder, 'voices'));
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  await rm(folder, { recursive: true });
  await rm(models, { recursive: true });
});

/** One folder stands for every entry of the catalogue. */
const find = (id: string): InstalledModel => ({ id, folder, file: (name) => join(folder, name) });
const PIPER = {
  audio: { sample_rate: 22_050 },
  espeak: { voice: 'en-us' },
  num_speakers: 1,
  phoneme_id_map: { _: [0] },
};
async function install(net = 'weights'): Promise<void> {
  await writeFile(join(folder, 'en_US-joe-medium.onnx'), net);
  await writeFile(join(folder, 'en_US-joe-medium.onnx.json'), JSON.stringify(PIPER));
  // Alphabetical, as Kokoro's styles are numbered.
  for (const [name, style] of [
    ['hf_alpha', 'b'],
    ['hf_beta', 'a'],
    ['hm_omega', 'd'],
  ] as const) {
    await writeFile(join(folder, 'voices', `${name}.bin`), style);
  }
}

function engine(module = STAND_IN): { engine: NaturalEngine; faults: string[] } {
  const faults: string[] = [];
  const made = libraryEngine({
    find,
    files: { module, espeakCommand: 'espeak-ng' },
    modelsDir: models,
    onFault: (message) => faults.push(message),
  });
  engines.push(made);
  return { engine: made, faults };
}

interface Spoken {
  readonly end: EngineEvent['type'];
  readonly rate: number;
  readonly samples: number;
  readonly peak: number;
}
const speak = (made: NaturalEngine, voice: string, text: string): Promise<Spoken> =>
  new Promise((resolve) => {
    let [rate, samples, peak] = [0, 0, 0];
    made.run({ voice, text, speed: 1 }, (event) => {
      if (event.type !== 'samples') return resolve({ end: event.type, rate, samples, peak });
      rate = event.sampleRate;
      samples += event.pcm.length;
      for (const sample of event.pcm) peak = Math.max(peak, sample);
      return undefined;
    });
  });

describe('voices of sherpa-onnx', () => {
  it('speak a sentence at the rate of their model, each as its own speaker', async () => {
    await install();
    const { engine: made, faults } = engine();
    expect(made.isUsable('joe')).toBe(true);
    const joe = await speak(made, 'joe', 'Good morning.');
    expect(joe).toMatchObject({ end: 'done', rate: 22_050, samples: 2867 });
    const [alpha, omega] = [await speak(made, 'hf_alpha', 'नमस्ते'), await speak(made, 'hm_omega', 'नमस्ते')];
    expect([alpha.rate, omega.rate]).toEqual([24_000, 24_000]);
    expect(alpha.peak / 32_767).toBeCloseTo(0.2, 2);
    expect(omega.peak / 32_767).toBeCloseTo(0.4, 2);
    expect(faults).toEqual([]);
  });

  it("speak with the operator's own voices beside those of the catalogue", async () => {
    const folder = join(models, 'own-voices', 'mine');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'hi.onnx'), 'weights');
    await writeFile(
      join(folder, 'hi.onnx.json'),
      JSON.stringify({ ...PIPER, dataset: 'asha', language: { code: 'hi_IN', name_english: 'Hindi' } }),
    );
    const { engine: made, faults } = engine();
    const spoken = await speak(made, 'mine/asha', 'नमस्ते');
    expect(spoken).toMatchObject({ end: 'done', rate: 22_050 });
    expect(spoken.samples).toBeGreaterThan(1000);
    expect(faults).toEqual([]);
    expect(tryLibraryVoices(() => null, { module: STAND_IN, modelsDir: models })).toEqual([
      { voice: 'mine/asha', fault: null },
    ]);
    const key = ownVoices(models)[0]?.info.voiceKey ?? '';
    // The package itself is not installed here, so espeak-ng speaks for them in a call.
    expect(hasModel(models, key)).toBe(hasPackage('sherpa-onnx-node'));
    await rm(join(folder, 'hi.onnx.json'));
    expect(hasModel(models, key)).toBe(false);
  });

  it('leave a sentence to espeak-ng where the machine is too slow for them, and say so', async () => {
    await install('slow weights');
    const { engine: made, faults } = engine();
    expect(await speak(made, 'joe', 'Good morning.')).toMatchObject({ end: 'missing', samples: 0 });
    expect(faults).toEqual([
      expect.stringMatching(/^this machine is too slow for the voice: a second of speech takes/),
    ]);
    expect(tryLibraryVoices(find, { module: STAND_IN })).toContainEqual({
      voice: 'joe',
      fault: expect.stringMatching(/^this machine is too slow/) as string,
    });
  });

  it('are not used without the package, which the check of the machine names', async () => {
    await install();
    expect(engine('sherpa-onnx-absent').engine.isUsable('joe')).toBe(false);
    expect(tryLibraryVoices(find, { module: 'sherpa-onnx-absent' })).toContainEqual({
      voice: 'joe',
      fault: 'the package sherpa-onnx-absent is not installed: npm install --no-save sherpa-onnx-absent',
    });
  });
});
