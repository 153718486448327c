import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FakeVendor,
  fakeAssemblyai,
  fakeElevenlabs,
  fakeSherpa,
  fakeVosk,
  startFakeVendor,
} from '@callwright/stand-ins';
import { describe, expect, it } from 'vitest';
import { createRecogniser } from '../../../src/providers/choose/recognisers.ts';
import { recogniserContract, type RecogniserCase } from '../../helpers/audio/recogniser-contract.ts';
import { VendorCaller } from '../../helpers/vendors/vendor-caller.ts';

const queried =
  (...names: readonly string[]) =>
  ({ connections }: FakeVendor): unknown =>
    names.map((name) => connections[0]?.query.get(name));

const CASES: readonly RecogniserCase[] = [
  {
    name: 'assemblyai',
    fake: fakeAssemblyai,
    hasPartials: true,
    bye: '{"type":"Terminate"}',
    asked: queried('speech_model', 'encoding', 'sample_rate', 'keyterms_prompt'),
    wants: ['whisper-rt', 'pcm_mulaw', '8000', '["Callwright"]'],
  },
  {
    name: 'elevenlabs',
    fake: fakeElevenlabs,
    isCommitted: true,
    hasPartials: true,
    asked: queried('language_code', 'audio_format', 'commit_strategy', 'keyterms'),
    wants: ['ta', 'ulaw_8000', 'manual', 'Callwright'],
  },
  {
    name: 'vosk',
    fake: fakeVosk,
    hasPartials: true,
    isKeyless: true,
    isPlain: true,
    pauseMs: 1_000,
    bye: '{"eof" : 1}',
  },
  {
    name: 'sherpa',
    fake: fakeSherpa,
    hasPartials: true,
    isKeyless: true,
    isUntimed: true,
    mayBeSilent: true,
    pauseMs: 1_500,
    bye: 'Done',
  },
];

CASES.forEach(recogniserContract);

describe('a busy machine that sends the silence after the words late', () => {
  it('waits for the end of the utterance, which the vendor finds by that silence', async () => {
    const vendor = await startFakeVendor(fakeSherpa);
    const settings = { apiKey: null, baseUrl: vendor.baseUrl, model: null };
    const caller = new VendorCaller(createRecogniser({ name: 'sherpa', settings }, { answerMs: 1_500 }));
    await caller.say('Hello there.', { thenMs: 160 });
    await caller.has(({ type }) => type === 'partial');
    // Longer than the time limit of 1,950 ms, without audio. The vendor finds the end by 1,500 ms of silence, which it
    // is sent before so much silence as the time limit, however slowly the machine sends it.
    await sleep(2_300);
    expect(await caller.has(({ type }) => type !== 'partial')).toMatchObject({
      type: 'final',
      text: 'Hello there.',
    });
    caller.session.close();
    await vendor.close();
  });
});
