import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { HibariVoice } from '../../src/offline/speech/hibari/voice.ts';
import { hibariFiles, netOf } from '../../src/offline/speech/hibari/files.ts';
import { createOfflineTts } from '../../src/offline/speech/tts.ts';
import { EarThreads } from '../../src/offline/words/ears.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { localWords } from '../../src/offline/words/recogniser.ts';
import type { SttProvider } from '../../src/providers/ports/recogniser.ts';
import type { TtsEvent } from '../../src/providers/ports/voice.ts';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { hearLine } from '../helpers/audio/hear-line.ts';
import { CLINIC_SENTENCES, LINE_RATE, overG711, speakLine } from '../helpers/audio/spoken-line.ts';
import { plainWords, wordErrorRate } from '../helpers/audio/word-errors.ts';

const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');

const tts = createOfflineTts({ modelsDir: MODELS_DIR });
let ears: EarThreads;
let stt: SttProvider;
beforeAll(async () => {
  const find = (id: string) => installedModel(MODELS_DIR, id);
  const found = earModels(find)('en-US');
  if (found === null || hibariFiles(find) === null) {
    throw new Error(`${MODELS_DIR} holds no English pack: run callwright models get`);
  }
  // It judges alone: the reader of whole utterances writes numbers as digits.
  const model = { ...found, reader: null };
  ears = new EarThreads();
  await ears.load(model);
  stt = localWords(
    (port) => ears.connect(port, model),
    () => model,
  );
});
afterAll(() => Promise.all([tts.close(), ears?.close()]));

const spoken = (text: string, { voiceKey = 'hibari:heart', speed = 1 } = {}) =>
  speakLine(tts, text, { voiceKey, speed });

async function heard(text: string): Promise<string> {
  const { pcm } = await spoken(text);
  return (await hearLine(stt, createVadProvider(), { text, pcm: overG711(pcm) })).text;
}

async function errorRate(): Promise<number> {
  const pairs = [];
  for (const said of CLINIC_SENTENCES) pairs.push({ said, heard: await heard(said) });
  return wordErrorRate(pairs);
}

describe('the natural voice, with real weights', () => {
  it('is understood by the recogniser of this machine', async () => {
    expect(await errorRate()).toBeLessThanOrEqual(0.08);
  });

  it('takes a natural time for its words, less with more speed', async () => {
    let [words, seconds] = [0, 0];
    for (const sentence of CLINIC_SENTENCES) {
      const { pcm } = await spoken(sentence);
      const count = plainWords(sentence).length;
      expect(count / (pcm.length / LINE_RATE)).toBeGreaterThan(1.8);
      expect(count / (pcm.length / LINE_RATE)).toBeLessThan(6);
      words += count;
      seconds += pcm.length / LINE_RATE;
    }
    expect(words / seconds).toBeGreaterThan(2.5);
    expect(words / seconds).toBeLessThan(4.5);
    const [slow, fast] = [
      await spoken(CLINIC_SENTENCES[1], { speed: 0.7 }),
      await spoken(CLINIC_SENTENCES[1], { speed: 1.5 }),
    ];
    expect(fast.pcm.length).toBeLessThan(slow.pcm.length * 0.6);
  });

  it('says numbers, money, dates and times as words', async () => {
    const words = await heard('It costs $20, at 2:30 PM on March 5, room 14.');
    expect(words).toMatch(/twenty dollars .*two thirty .*march fifth room fourteen/);
  });

  it('has the first clause sound before the sentences after it are spoken', async () => {
    const { events } = await spoken(`Good morning, ${CLINIC_SENTENCES.join(' ')}`);
    const marks = events.flatMap((event, i) => (event.type === 'marks' ? [i] : []));
    expect(marks.length).toBeGreaterThan(CLINIC_SENTENCES.length);
    expect(events[0]?.type).toBe('audio');
    expect(marks[0]).toBeLessThan(events.length / 10);
  });

  it('ends without another event when the agent is interrupted', async () => {
    const events: TtsEvent[] = [];
    const session = tts.open({
      voiceKey: 'hibari:heart',
      language: 'en-US',
      speed: 1,
      sampleRate: LINE_RATE,
    });
    const speech = session.begin();
    await new Promise<void>((resolve) => {
      speech.say(`Interrupted words. ${CLINIC_SENTENCES.join(' ')}`, (event) => {
        events.push(event);
        resolve();
      });
    });
    speech.cancel();
    const count = events.length;
    await spoken('A later sentence is spoken at once.');
    expect(events).toHaveLength(count);
    session.close();
  });

  it('gives the same text the same sound', async () => {
    const text = 'The same text has the same sound.';
    const other = createOfflineTts({ modelsDir: MODELS_DIR, cacheBytes: 1 });
    try {
      const first = await spoken(text);
      const again = await speakLine(other, text, { voiceKey: 'hibari:heart' });
      expect(again.pcm).toEqual(first.pcm);
    } finally {
      await other.close();
    }
  });
});

/** The sound of a sentence by a net. */
async function spokenBy(voice: HibariVoice, net: string): Promise<Float32Array[]> {
  const pieces: Float32Array[] = [];
  for await (const piece of voice.speak({ text: 'Good morning.', net, speed: 1 })) pieces.push(piece);
  return pieces;
}

describe('natural voices', () => {
  it('have a net each and the dictionaries in common', async () => {
    const find = (id: string) => installedModel(MODELS_DIR, id);
    const [files, first] = [hibariFiles(find), netOf(find, 'heart')];
    if (files === null || first === null) throw new Error('the natural voice is not installed');
    const folder = await mkdtemp(join(tmpdir(), 'net-'));
    const voice = await HibariVoice.load(files);
    try {
      const other = join(folder, 'other.onnx');
      await copyFile(first, other);
      const said: Float32Array[][] = [];
      for (const net of [first, other, first]) {
        said.push(await spokenBy(voice, net));
      }
      expect(said[0]![0]!.length).toBeGreaterThan(12_000);
      expect(said[1]).toEqual(said[0]);
      expect(said[2]).toEqual(said[0]);
      await expect(spokenBy(voice, join(folder, 'none.onnx'))).rejects.toThrow('ENOENT');
    } finally {
      await voice.release();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the phonemes of the natural voice', () => {
  it.each([
    ['I read it yesterday, and I will read it today.', 'ˌI ɹˈɛd ɪt jˈɛstəɹdˌA, ænd ˌI wɪl ɹˈid ɪt tədˈA.'],
    ['The record is in the office.', 'ðə ɹˈɛkəɹd ɪz ɪn ði ˈɔfəs.'],
  ])('of %j are those of the reference', async (text, phonemes) => {
    const files = hibariFiles((id) => installedModel(MODELS_DIR, id));
    if (files === null) throw new Error('the natural voice is not installed');
    const voice = await HibariVoice.load(files);
    try {
      expect(await voice.phonemes(text)).toBe(phonemes);
    } finally {
      await voice.release();
    }
  });
});
