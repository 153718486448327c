import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@callwright/language';
import { clipsOf, engineBehind, planSynthesis, synthesisKey } from './synthesis.ts';

const plan = (voiceKey: string, language: (typeof LANGUAGES)[number], text = 'Hello', speed = 1) =>
  planSynthesis({ voiceKey, language, speed, text });

describe('planSynthesis', () => {
  it('speaks a language with the variant of the voice', () => {
    expect(plan('espeak:f3', 'hi-IN', 'नमस्ते')).toEqual({
      engine: 'espeak',
      voice: 'hi+f3',
      speed: 1,
      text: 'नमस्ते',
    });
    expect(plan('espeak:m1', 'od-IN')).toMatchObject({ voice: 'or+m1' });
    expect(plan('espeak:m1', 'zh-CN')).toMatchObject({ voice: 'cmn-latn-pinyin+m1' });
    expect(plan('espeak:hi+m2', 'en-US')).toMatchObject({ voice: 'en-us+m2' });
  });

  it('uses flite for English in Latin letters only, with an espeak-ng fallback voice', () => {
    expect(plan('flite:slt', 'en-US')).toEqual({
      engine: 'flite',
      voice: 'slt',
      speed: 1,
      text: 'Hello',
      instead: 'en-us+f3',
    });
    expect(plan('flite:slt', 'en-US', 'Hello नमस्ते')).toMatchObject({ engine: 'espeak', voice: 'en-us+f3' });
    expect(plan('flite:rms', 'hi-IN', 'Hello')).toMatchObject({ engine: 'espeak', voice: 'hi+m3' });
  });

  it('uses the natural voice for English in Latin letters only, with flite and then espeak-ng behind it', () => {
    const natural = plan('hibari:heart', 'en-IN');
    if (natural?.engine !== 'hibari') throw new Error('another engine speaks');
    expect(natural).toMatchObject({ voice: 'heart', speed: 1, text: 'Hello' });
    const flite = engineBehind(natural);
    if (flite.engine !== 'flite') throw new Error('flite is not behind it');
    expect(flite).toEqual(plan('flite:slt', 'en-IN'));
    expect(engineBehind(flite)).toMatchObject({ engine: 'espeak', voice: 'en+f3', text: 'Hello' });
    expect(plan('hibari:heart', 'hi-IN', 'Hello')).toMatchObject({ engine: 'espeak', voice: 'hi+f3' });
  });

  it('leaves the text of each clip to the engine behind', () => {
    const natural = plan('hibari:heart', 'en-US', 'Hello Anna, this is Maya. I am calling about your visit.');
    if (natural === null) throw new Error('nothing is spoken');
    const behind = clipsOf(natural).map(({ synthesis }) =>
      synthesis.engine === 'hibari' ? engineBehind(synthesis).text : '',
    );
    expect(behind).toEqual(['Hello Anna,', 'this is Maya.', 'I am calling about your visit.']);
  });

  it.each(LANGUAGES)('accepts no unknown voice name for %s', (language) => {
    for (const key of [
      'flite:../../etc/passwd',
      'espeak:f3 --phonout=x',
      'x',
      '',
      'espeak:-w/tmp/x',
      'hibari:slt',
    ]) {
      const made = plan(key, language);
      expect(made?.engine).toBe('espeak');
      expect(made?.voice).toMatch(/^[a-z-]+\+f3$/);
    }
  });

  it('clamps the speed and returns null for text without words', () => {
    expect(plan('espeak:f3', 'en-US', 'Hi', 9)?.speed).toBe(2);
    expect(plan('espeak:f3', 'en-US', 'Hi', 0)?.speed).toBe(0.5);
    expect(plan('espeak:f3', 'en-US', 'Hi', Number.NaN)?.speed).toBe(1);
    expect(plan('espeak:f3', 'en-US', ' ... ')).toBeNull();
  });

  it('gives different sounds different keys', () => {
    const made = [
      plan('espeak:f3', 'en-US'),
      plan('espeak:f3', 'en-GB'),
      plan('espeak:m3', 'en-US'),
      plan('flite:slt', 'en-US'),
      plan('hibari:heart', 'en-US'),
      plan('espeak:f3', 'en-US', 'Hello', 1.5),
      plan('espeak:f3', 'en-US', 'Hi'),
    ];
    const keys = made.flatMap((one) =>
      one === null ? [] : [synthesisKey(one, 8000), synthesisKey(one, 16_000)],
    );
    expect(new Set(keys).size).toBe(14);
  });
});
