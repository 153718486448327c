import { describe, expect, it } from 'vitest';
import { sarvamVoices } from '../vendors/sarvam/voices.ts';
import { callVoice, VoiceBook } from './voice-book.ts';
import { voices } from './voices.ts';

const [shubh, ritu] = ['shubh', 'ritu'].map((name) =>
  sarvamVoices().find(({ voiceKey }) => voiceKey === `sarvam:${name}`)!,
);

describe('the voices of a workspace', () => {
  it('are the offline ones and then those of the vendors', () => {
    expect(new VoiceBook([]).all()).toEqual(voices());
    const book = new VoiceBook(sarvamVoices());
    expect(book.all()).toEqual([...voices(), ...sarvamVoices()]);
    expect(book.byId(shubh!.id.toUpperCase())).toEqual(shubh);
    expect([book.speaks(shubh!.id, 'ta-IN'), book.speaks(shubh!.id, 'zh-CN')]).toEqual([true, false]);
  });
});

describe('the voice of a call', () => {
  it("is the agent's while its vendor speaks", () => {
    expect(callVoice(shubh!.id, 'ta-IN', shubh, ['cartesia', 'sarvam'])).toEqual({
      voiceKey: 'sarvam:shubh',
      replaced: null,
    });
    expect(callVoice(voices()[0]!.id, 'en-US', undefined, [])).toEqual({
      voiceKey: 'hibari:heart',
      replaced: null,
    });
  });

  it('gives way to an offline voice of the same language and gender when the vendor is gone', () => {
    expect(callVoice(shubh!.id, 'bn-IN', shubh, [])).toEqual({
      voiceKey: 'espeak:m1',
      replaced: { vendor: 'sarvam', message: 'Shubh of sarvam is not available; Arjun speaks instead' },
    });
    expect(callVoice(ritu!.id, 'bn-IN', ritu, []).replaced?.message).toContain('Asha speaks instead');
    expect(callVoice(ritu!.id, 'bn-IN', ritu, ['cartesia']).replaced?.message).toContain(
      'cartesia speaks instead',
    );
  });

  it('gives way to the default voice of the language when nothing is known of the voice', () => {
    expect(callVoice('00000000-0000-5000-8000-000000000000', 'en-US', undefined, [])).toEqual({
      voiceKey: 'hibari:heart',
      replaced: { vendor: '', message: "the agent's voice is not available; Claire speaks instead" },
    });
  });
});
