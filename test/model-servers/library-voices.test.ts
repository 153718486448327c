import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { ttsModel } from '../../src/offline/speech/library/model.ts';
import { espeakDataOf, type TtsPackage } from '../../src/offline/speech/library/library-voices.ts';
import { ownVoices } from '../../src/offline/speech/library/own-voices.ts';
import { VOICE_PACKAGE, libraryNet } from '../../src/offline/speech/library/voices.ts';
import { createOfflineTts, type OfflineTts } from '../../src/offline/speech/tts.ts';
import { EarThreads } from '../../src/offline/words/ears.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { localWords } from '../../src/offline/words/recogniser.ts';
import type { SttProvider } from '../../src/providers/ports/recogniser.ts';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { hearLine } from '../helpers/audio/hear-line.ts';
import { CLINIC_SENTENCES, overG711, speakLine } from '../helpers/audio/spoken-line.ts';
import { wordErrorRate } from '../helpers/audio/word-errors.ts';

const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'callwright', 'sherpa-onnx');

/** The package in the user's cache, installed once. */
function voiceModule(): string {
  const folder = join(CACHE, 'node_modules', VOICE_PACKAGE);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    execFileSync('npm', [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--prefix',
      CACHE,
      `${VOICE_PACKAGE}@1.13.8`,
    ]);
  }
  return folder;
}

let tts: OfflineTts;
let ears: EarThreads;
let stt: SttProvider;
beforeAll(async () => {
  for (const id of ['piper-en-us-joe', 'kokoro-v1', 'vosk-small-en-us']) {
    if (installedModel(MODELS_DIR, id) === null)
      throw new Error(`${MODELS_DIR} holds no ${id}: run bin/callwright models get ${id}`);
  }
  tts = createOfflineTts({ modelsDir: MODELS_DIR, voiceModule: voiceModule() });
  const model = earModels((id) => installedModel(MODELS_DIR, id))('en-US');
  if (model === null) throw new Error(`${MODELS_DIR} holds no recogniser of English`);
  ears = new EarThreads();
  await ears.load(model);
  stt = localWords(
    (port) => ears.connect(port, model),
    () => model,
  );
});
afterAll(() => Promise.all([tts?.close(), ears?.close()]));

describe('voices of sherpa-onnx with real weights', () => {
  it('joe of Piper is understood by the recogniser of this machine', async () => {
    const pairs = [];
    for (const said of CLINIC_SENTENCES) {
      const { pcm } = await speakLine(tts, said, { voiceKey: 'library:joe' });
      const { text } = await hearLine(stt, createVadProvider(), { text: said, pcm: overG711(pcm) });
      pairs.push({ said, heard: text });
    }
    const rate = wordErrorRate(pairs);
    console.log(`wrong words of joe: ${(rate * 100).toFixed(1)} %`);
    expect(rate).toBeLessThanOrEqual(0.12);
  });

  it("the operator's folder of Piper is understood, and one of Kokoro with metadata speaks", async () => {
    const models = mkdtempSync(join(tmpdir(), 'models-'));
    const own = join(models, 'own-voices');
    mkdirSync(join(own, 'packed'), { recursive: true });
    symlinkSync(join(MODELS_DIR, 'piper-en-us-joe'), join(own, 'joe'));
    const style = join(MODELS_DIR, 'kokoro-v1', 'voices', 'af_bella.bin');
    ttsModel(style).prepare(join(own, 'packed'), espeakDataOf('espeak-ng'));
    const voice = createOfflineTts({ modelsDir: models, voiceModule: voiceModule() });
    try {
      const found = ownVoices(models);
      expect(found.map(({ engineName }) => engineName)).toContain('joe/joe');
      expect(found.filter(({ engineName }) => engineName.startsWith('packed/'))).toHaveLength(20);
      const key = found.find(({ engineName }) => engineName === 'joe/joe')?.info.voiceKey ?? '';
      const pairs = [];
      for (const said of CLINIC_SENTENCES) {
        const { pcm } = await speakLine(voice, said, { voiceKey: key });
        const { text } = await hearLine(stt, createVadProvider(), { text: said, pcm: overG711(pcm) });
        pairs.push({ said, heard: text });
      }
      const rate = wordErrorRate(pairs);
      console.log(`wrong words of joe in the operator's folder: ${(rate * 100).toFixed(1)} %`);
      expect(rate).toBeLessThanOrEqual(0.2);
      const packed = ttsModel(found.find(({ engineName }) => engineName.startsWith('packed/'))?.net ?? '');
      const { OfflineTts } = createRequire(import.meta.url)(voiceModule()) as TtsPackage;
      const net = new OfflineTts(packed.prepare(own, espeakDataOf('espeak-ng')));
      const sound = net.generate({
        text: 'Good morning, how can I help you?',
        sid: packed.speaker,
        speed: 1,
        enableExternalBuffer: false,
      });
      const seconds = sound.samples.length / sound.sampleRate;
      expect(seconds).toBeGreaterThan(1);
      expect(seconds).toBeLessThan(5);
    } finally {
      await voice.close();
      rmSync(models, { recursive: true });
    }
  });

  it('two voices of Kokoro speak Hindi, each another sound, in a natural time', () => {
    const text = 'नमस्ते, कॉल उठाने के लिए धन्यवाद। मैं आपकी क्या मदद कर सकती हूँ?';
    const { OfflineTts } = createRequire(import.meta.url)(voiceModule()) as TtsPackage;
    const [alpha, omega] = ['hf_alpha', 'hm_omega'].map((name) => {
      const net = libraryNet((id) => installedModel(MODELS_DIR, id), name);
      if (net === null) throw new Error('kokoro-v1 is not installed');
      return ttsModel(net);
    });
    if (alpha === undefined || omega === undefined) throw new Error('a voice is missing');
    expect(alpha.key).toBe(omega.key);
    const folder = mkdtempSync(join(tmpdir(), 'kokoro-'));
    const net = new OfflineTts(alpha.prepare(folder, espeakDataOf('espeak-ng')));
    rmSync(folder, { recursive: true });
    const sounds = [alpha, omega].map(({ speaker }) => {
      const startedAt = performance.now();
      const sound = net.generate({ text, sid: speaker, speed: 1, enableExternalBuffer: false });
      const seconds = sound.samples.length / sound.sampleRate;
      console.log(`${seconds.toFixed(1)} s of speech in ${Math.round(performance.now() - startedAt)} ms`);
      expect(seconds).toBeGreaterThan(2.5);
      expect(seconds).toBeLessThan(9);
      return sound.samples;
    });
    expect(sounds[0]).not.toEqual(sounds[1]);
  });
});
