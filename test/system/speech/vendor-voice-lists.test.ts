import { describe, expect, it } from 'vitest';
import {
  type FakeProtocol,
  fakeCartesia,
  fakeDeepgram,
  fakeElevenlabs,
  fakeOpenai,
  fakeSarvam,
  fakeTranscriptions,
  startFakeVendor,
} from '@callwright/stand-ins';
import { listVendorVoices } from '../../../src/providers/choose/voice-lists.ts';
import { languagesOf, vendorVoiceId } from '../../../src/vendors/vendor-voice.ts';
import type { TtsVendorName } from '../../../src/vendors/catalogue.ts';

async function voicesOf(
  vendor: TtsVendorName,
  fake: FakeProtocol,
  more: { refuse?: number; key?: string } = {},
) {
  const running = await startFakeVendor(fake, { settings: { key: 'secret-key-92', ...more } });
  try {
    return await listVendorVoices(vendor, { apiKey: 'secret-key-92', baseUrl: running.baseUrl, model: null });
  } finally {
    await running.close();
  }
}

describe('the voices of a vendor', () => {
  it.each([
    ['elevenlabs', 'Charlie', fakeElevenlabs, ['en-AU'], 'male', 'elevenlabs:IKne3meq5aSn9XLyUdCD'],
    ['elevenlabs', 'Monika', fakeElevenlabs, ['en-IN', 'hi-IN'], 'female', 'elevenlabs:StandInVoiceMonika01'],
    [
      'cartesia',
      'Arushi',
      fakeCartesia,
      ['hi-IN'],
      'female',
      'cartesia:95d51f79-c397-46f9-b49a-23763d3eaa2d',
    ],
    [
      'cartesia',
      'Robin',
      fakeCartesia,
      ['zh-CN'],
      'neutral',
      'cartesia:0b904166-a29f-4d2e-bb20-41ca302f98e9',
    ],
    ['deepgram', 'Pandora', fakeDeepgram, ['en-GB'], 'female', 'deepgram:aura-2-pandora-en'],
    ['openai-compatible', 'Omega', fakeTranscriptions, ['hi-IN'], 'male', 'openai-compatible:hm_omega'],
  ] as const)(
    'of %s: %s has its languages and gender',
    async (vendor, name, fake, languages, gender, voiceKey) => {
      const voices = await voicesOf(vendor, fake);
      expect(voices.find((voice) => voice.name === name)).toMatchObject({
        id: vendorVoiceId(vendor, voiceKey.slice(vendor.length + 1)),
        languages,
        gender,
        voiceKey,
      });
    },
  );

  it('is left out where it speaks none of our languages', async () => {
    const voices = await voicesOf('deepgram', fakeDeepgram);
    expect(voices.map(({ name }) => name)).not.toContain('Celeste');
    expect(voices).toHaveLength(6);
  });

  it('is known without a list at Sarvam and OpenAI', async () => {
    const sarvam = await voicesOf('sarvam', fakeSarvam);
    expect(sarvam.find(({ name }) => name === 'Shubh')?.languages).toContain('od-IN');
    const openai = await voicesOf('openai', fakeOpenai);
    expect(openai.find(({ name }) => name === 'Marin')?.languages).not.toContain('od-IN');
  });

  it('has one id for ever', () => {
    expect(vendorVoiceId('sarvam', 'shubh')).toBe(vendorVoiceId('sarvam', 'shubh'));
    expect(vendorVoiceId('sarvam', 'shubh')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(vendorVoiceId('sarvam', 'shubh')).not.toBe(vendorVoiceId('openai', 'shubh'));
  });

  it.each([
    [401, 'the API key is refused'],
    [429, 'too many requests'],
    [500, 'the connection failed'],
  ])('is not listed on status %d, and the error hides the key', async (refuse, cause) => {
    const error: unknown = await voicesOf('cartesia', fakeCartesia, { refuse }).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain(cause);
    expect(String(error)).not.toContain('secret-key-92');
  });

  it('takes the English of an accent and the languages of a code', () => {
    expect(languagesOf('en', 'British')).toEqual(['en-GB']);
    expect(languagesOf('en')).toEqual(['en-US']);
    expect(languagesOf('or')).toEqual(['od-IN']);
    expect(languagesOf('fr')).toEqual([]);
  });
});
