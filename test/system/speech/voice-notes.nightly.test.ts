import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  fakeAssemblyai,
  fakeDeepgram,
  fakeElevenlabs,
  fakeOpenai,
  fakeSarvam,
  fakeSherpa,
  fakeTranscriptions,
  fakeVosk,
  startFakeVendor,
} from '@callwright/stand-ins';
import { decodeNote } from '../../../src/providers/notes/decode-note.ts';
import { hearNote } from '../../../src/providers/notes/hear-note.ts';
import { ChainedRecogniser } from '../../../src/providers/stt/chained.ts';
import { createRecogniser } from '../../../src/providers/choose/recognisers.ts';
import type { SttVendorName } from '../../../src/vendors/catalogue.ts';

const NOTE = readFileSync(new URL('../../fixtures/voice-notes/monday.ogg', import.meta.url));
/** None of them fails here, however busy the machine is. */
const PATIENT = { connectMs: 30_000, greetingMs: 30_000, answerMs: 30_000, stallMs: 30_000 };
const RECOGNISERS = {
  deepgram: fakeDeepgram,
  openai: fakeOpenai,
  'openai-compatible': fakeTranscriptions,
  assemblyai: fakeAssemblyai,
  elevenlabs: fakeElevenlabs,
  sarvam: fakeSarvam,
  vosk: fakeVosk,
  sherpa: fakeSherpa,
} as const;

it('every recogniser writes a voice note down, by utterance or as a stream', async () => {
  const pcm = await decodeNote(NOTE);
  if (typeof pcm === 'string') throw new Error(pcm);
  const heard = await Promise.all(
    Object.entries(RECOGNISERS).map(async ([name, protocol]) => {
      const fake = await startFakeVendor(protocol);
      const settings = { apiKey: fake.settings.key ?? 'key', baseUrl: fake.baseUrl, model: null };
      const member = createRecogniser({ name: name as SttVendorName, settings }, PATIENT);
      const stt = new ChainedRecogniser([member]);
      const options = { language: 'en-US', secondaryLanguage: null, vocab: [] } as const;
      const { words, uses } = await hearNote(stt, pcm, options, new AbortController().signal);
      await stt.close();
      await fake.close();
      const seconds = uses.reduce((sum, { audioMs }) => sum + audioMs, 0) / 1_000;
      return [name, words?.toLowerCase().replace('?', ''), uses.length, seconds > 1 && seconds < 12];
    }),
  );
  expect(heard).toEqual(Object.keys(RECOGNISERS).map((name) => [name, 'is monday at ten free', 1, true]));
}, 180_000);
