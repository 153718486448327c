import { describe, expect, it } from 'vitest';
import {
  fakeDeepgram,
  fakeOpenai,
  fakeSarvam,
  fakeTranscriptions,
  startFakeVendor,
} from '@callwright/stand-ins';
import { deepgramTts } from '../../../src/vendors/deepgram/tts.ts';
import { openaiTts } from '../../../src/vendors/openai/tts.ts';
import { serverTts } from '../../../src/vendors/openai-compatible/tts.ts';
import { sarvamTts } from '../../../src/vendors/sarvam/tts.ts';
import { SocketTts } from '../../../src/providers/tts/socket-tts.ts';
import { tryVoice } from '../../../src/providers/choose/voices.ts';
import { speakerContract, Spoken } from '../../helpers/audio/speaker-contract.ts';

speakerContract({
  name: 'deepgram',
  fake: fakeDeepgram,
  provider: (settings) => new SocketTts(deepgramTts(settings), settings),
  voiceKey: 'deepgram:aura-2-draco-en',
  language: 'en-GB',
  asked: ({ connections }) => {
    const query = connections.at(-1)?.query;
    return ['model', 'encoding', 'sample_rate', 'speed'].map((name) => query?.get(name));
  },
  wants: ['aura-2-draco-en', 'mulaw', '8000', '1.2'],
});

speakerContract({
  name: 'sarvam',
  fake: fakeSarvam,
  provider: (settings) => new SocketTts(sarvamTts(settings), settings),
  voiceKey: 'sarvam:priya',
  language: 'ta-IN',
  asked: ({ received }) =>
    (JSON.parse(received.findLast((message) => message.includes('"config"')) ?? '{}') as { data: unknown })
      .data,
  wants: {
    model: 'bulbul:v3',
    target_language_code: 'ta-IN',
    language_code: 'ta-IN',
    speaker: 'priya',
    pace: 1.2,
    speech_sample_rate: 8000,
    output_audio_codec: 'mulaw',
    min_buffer_size: 30,
  },
});

speakerContract({
  name: 'openai',
  fake: fakeOpenai,
  provider: (settings) => openaiTts(settings),
  voiceKey: 'openai:cedar',
  language: 'ar-AE',
  asked: ({ received }) => JSON.parse(received.at(-1) ?? '{}'),
  wants: {
    model: 'gpt-4o-mini-tts',
    input: 'Your table is booked, thank you.',
    voice: 'cedar',
    response_format: 'pcm',
    speed: 1.2,
  },
  isOverHttp: true,
});

speakerContract({
  name: 'openai-compatible',
  fake: fakeTranscriptions,
  provider: (settings) => serverTts(settings),
  voiceKey: 'openai-compatible:af_bella(2)+af_heart',
  language: 'hi-IN',
  asked: ({ received }) => JSON.parse(received.at(-1) ?? '{}'),
  wants: {
    model: 'kokoro',
    input: 'Your table is booked, thank you.',
    voice: 'af_bella(2)+af_heart',
    response_format: 'pcm',
    speed: 1.2,
  },
  isOverHttp: true,
});

describe('a speaker that TTS_PROVIDER names', () => {
  it.each([
    ['deepgram', fakeDeepgram],
    ['sarvam', fakeSarvam],
    ['openai', fakeOpenai],
    ['openai-compatible', fakeTranscriptions],
  ] as const)('%s speaks, and says that its key is refused', async (name, fake) => {
    const vendor = await startFakeVendor(fake, { settings: { key: 'right-key' } });
    const tried = (apiKey: string) =>
      tryVoice({ name, settings: { apiKey, baseUrl: vendor.baseUrl, model: null } });
    expect(await tried('right-key')).toEqual(expect.any(Number));
    expect(await tried('wrong-key')).toMatchObject({
      message: expect.stringContaining(`${name}: the API key is refused`),
    });
    await vendor.close();
  });
});

describe('a speaker over HTTP', () => {
  it.each([
    ['before', { speechMs: 5_000 }],
    ['in the middle of', { stallAtMs: 400, chunkMs: 100 }],
  ])('gives up a vendor that hangs %s its speech', async (_, settings) => {
    const vendor = await startFakeVendor(fakeOpenai, { settings });
    const limits = { firstByteMs: 200, stallMs: 200 };
    const provider = openaiTts({ apiKey: 'k', baseUrl: vendor.baseUrl, model: null }, limits);
    const session = provider.open({ voiceKey: 'x', language: 'en-US', speed: 1, sampleRate: 8000 });
    const failed = await new Spoken().say(session.begin(), 'Your table is booked.').end();
    expect(failed).toMatchObject({ message: expect.stringContaining('no answer in time') });
    await vendor.close();
  });
});

describe('Deepgram', () => {
  it('keeps within the flushes that the vendor allows', async () => {
    const vendor = await startFakeVendor(fakeDeepgram, { settings: { speed: 0 } });
    const settings = { apiKey: 'k', baseUrl: vendor.baseUrl, model: null };
    const provider = new SocketTts(deepgramTts(settings), settings);
    const context = provider.open({ voiceKey: 'x', language: 'en-US', speed: 1, sampleRate: 8000 }).begin();
    const sentences = Array.from({ length: 25 }, (_, i) => new Spoken().say(context, `Number ${i}.`));
    context.end();
    const ends = await Promise.all(sentences.map((sentence) => sentence.end()));
    expect(ends.every(({ type }) => type === 'done')).toBe(true);
    const said = sentences.map(({ words }) => words).join(' ');
    expect(said.split('Number').length).toBe(26);
    expect(vendor.received.filter((message) => message.includes('Flush'))).toHaveLength(16);
    await provider.close();
    await vendor.close();
  });
});
