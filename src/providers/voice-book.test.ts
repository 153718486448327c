import { describe, expect, it } from 'vitest';
import { sarvamVoices } from './tts/voice-lists/fixed-voices.ts';
import { VoiceBook } from './voice-book.ts';
import { voices } from './voices.ts';

const [shubh, ritu] = ['shubh', 'ritu'].map((name) =>
  sarvamVoices().find(({ voiceKey }) => voiceKey === `sarvam:${name}`)!,
);

describe('the voices of an installation', () => {
  it('are the offline ones and then those of the vendors', () => {
    const book = new VoiceBook();
    expect(book.all()).toEqual(voices());
    book.set('sarvam', sarvamVoices());
    expect(book.all()).toEqual([...voices(), ...sarvamVoices()]);
    expect(book.byId(shubh!.id.toUpperCase())).toEqual(shubh);
    expect([book.speaks(shubh!.id, 'ta-IN'), book.speaks(shubh!.id, 'zh-CN')]).toEqual([true, false]);
    expect(book.forCall(shubh!.id, 'ta-IN')).toEqual({ voiceKey: 'sarvam:shubh', replaced: null });
  });

  it('give way to an offline voice of the same language and gender when the vendor is gone', () => {
    const book = new VoiceBook();
    book.set('sarvam', sarvamVoices());
    book.set('sarvam', []);
    expect(book.byId(shubh!.id)).toBeUndefined();
    expect(book.forCall(shubh!.id, 'bn-IN')).toEqual({
      voiceKey: 'espeak:m1',
      replaced: 'Shubh of sarvam is not available; Arjun speaks instead',
    });
    expect(book.forCall(ritu!.id, 'bn-IN').replaced).toContain('Asha speaks instead');
  });

  it('give way to the default voice of the language when nothing is known of the voice', () => {
    expect(new VoiceBook().forCall('00000000-0000-5000-8000-000000000000', 'en-US')).toEqual({
      voiceKey: 'flite:slt',
      replaced: "the agent's voice is not available; Grace speaks instead",
    });
  });
});
