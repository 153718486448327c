import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@callwright/language';
import { speakerCode, spokenLanguages } from './speaker-languages.ts';
import { TTS_VENDOR_NAMES, vendorOf } from './catalogue.ts';

describe('languages of speech vendors', () => {
  it.each(TTS_VENDOR_NAMES)('has an answer for every language at %s', (vendor) => {
    expect(Object.keys(vendorOf(vendor).tts?.languages ?? {}).toSorted()).toEqual([...LANGUAGES].toSorted());
  });

  it('names the languages that a vendor speaks', () => {
    expect(spokenLanguages('deepgram')).toEqual(['en-US', 'en-GB', 'en-AU', 'en-IN']);
    expect(LANGUAGES.filter((language) => speakerCode('cartesia', language) === null)).toEqual(['my-MM']);
    expect(LANGUAGES.filter((language) => speakerCode('sarvam', language) === null)).toEqual([
      'ms-MY',
      'zh-CN',
      'my-MM',
      'ar-AE',
    ]);
    expect([speakerCode('cartesia', 'od-IN'), speakerCode('sarvam', 'od-IN')]).toEqual(['or', 'od-IN']);
  });

  it('takes the languages of a server from its operator', () => {
    expect(spokenLanguages('openai-compatible', ['ta', 'hi-IN'])).toEqual(['hi-IN', 'ta-IN']);
    expect(speakerCode('openai-compatible', 'ta-IN')).toBeNull();
    expect(speakerCode('deepgram', 'ta-IN', ['ta'])).toBeNull();
  });
});
