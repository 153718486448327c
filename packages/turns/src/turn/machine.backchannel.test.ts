import { describe, expect, it } from 'vitest';
import { count, long, run, spoken, times } from '../../../../test/helpers/turns.ts';
import { simulate, type Act, type Simulation } from '../../../../test/rigs/turn/simulate.ts';
import { LANGUAGES, type Language } from '@callwright/language';
import { turnSettings, type TurnConfig } from '../settings.ts';

const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };
const question = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;

/** A hum, a yes and an okay, as recognisers write them. */
const BACKCHANNELS: Readonly<Record<string, readonly string[]>> = {
  en: ['Mm-hm.', 'Yeah, yeah.', 'Okay.'],
  hi: ['हम्म्म', 'हाँ हाँ', 'ओके, ठीक है'],
  ta: ['ம்ம்ம்', 'ஆமா', 'ஓகே'],
  te: ['హ్మ్', 'అవును', 'ఓకే'],
  bn: ['হুম', 'হ্যাঁ', 'ওকে'],
  mr: ['हम्म', 'हो हो', 'ओके'],
  kn: ['ಹೂಂ', 'ಹೌದು', 'ಓಕೆ'],
  gu: ['હં', 'હા', 'ઓકે'],
  pa: ['ਹੂੰ', 'ਹਾਂ ਜੀ', 'ਓਕੇ'],
  od: ['ହୁଁ', 'ହଁ', 'ଓକେ'],
  ms: ['Hmm.', 'Ya, ya.', 'Okey.'],
  zh: ['嗯嗯。', '对对对。', '好的，OK。'],
  my: ['အင်း', 'ဟုတ်ကဲ့', 'အိုကေ'],
  ar: ['امم', 'نعم نعم', 'أوكي'],
};

const call = (acts: readonly Act[], config: Partial<TurnConfig> = {}): Simulation =>
  simulate({
    settings: turnSettings({
      callConfig: { idle_timeout_warning: 0, idle_timeout_end: 60, mute_during_intro: false },
      introMessage: long,
      language: 'en-US',
      direction: 'outbound',
      ...config,
    }),
    acts,
    untilMs: 9_000,
  });

describe.each(LANGUAGES)('a backchannel in %s', (language: Language) => {
  const words = BACKCHANNELS[language.slice(0, 2)] ?? [];

  it.each([...words, 'mm-hm', 'haan', 'okay'])('%j leaves no hole and no restart', (says) => {
    const acts: Act[] = [
      // Words at the end of the speech, and words during it.
      { at: 2_000, says, forMs: 240, finalMs: 200 },
      { at: 3_500, says, forMs: 600, partials: [[260, says]] },
    ];
    const { sounds, lowered, ...rest } = call(acts, { language });
    expect(sounds[0]).toEqual({ text: long, from: 50, to: 50 + long.length * 60, cut: false });
    expect(count({ sounds, lowered, ...rest }, 'stop_speaking')).toBe(0);
    // The voice is back 120 ms after the sound, or with the words.
    expect(lowered).toEqual([
      { from: 2_060, to: 2_360 },
      { from: 3_560, to: 3_760 },
    ]);
  });
});

describe('sound over the agent', () => {
  it('lowers the voice first, stops it after 300 ms, and resumes the sentence at the word when it was nothing', () => {
    const noise = call([{ at: 2_000, says: '', forMs: 500, finalMs: null }]);
    expect(noise.lowered).toEqual([{ from: 2_060, to: 2_320 }]);
    expect(times(noise, 'stop_speaking')).toEqual([2_320]);
    const [cut, rest] = noise.sounds;
    expect(cut?.cut).toBe(true);
    expect(long.endsWith(rest?.text ?? '-')).toBe(true);
    // 2270 of 60 ms a character: 37 characters, and the rest begins at the word after the last whole one.
    expect(rest?.text).toBe(long.slice(37));
    expect(spoken(noise)).toEqual([`agent: ${long}`]);
  });

  it('stops the agent at its words', () => {
    const words = call([{ at: 2_000, says: 'Not on Tuesday.', forMs: 900, partials: [[190, 'not on']] }]);
    expect(times(words, 'stop_speaking')).toEqual([2_190]);
    expect(spoken(words)[0]).toMatch(/^agent!: I have a slot/);
  });

  it('is waited for longer where words come during speech, so that a slow okay is no false stop', () => {
    const learns: Act[] = [
      { at: 5_500, says: 'Tell me more.', forMs: 900, partials: [[350, 'tell']] },
      // The reply sounds from 6830 on.
      { at: 8_000, says: 'Okay.', forMs: 500, partials: [[380, 'okay']] },
    ];
    const learned = simulate({
      settings: turnSettings({
        callConfig: {},
        introMessage: 'Hello there.',
        language: 'en-US',
        direction: 'outbound',
      }),
      acts: learns,
      brain: () => ({ text: long }),
      untilMs: 12_000,
    });
    expect(count(learned, 'stop_speaking')).toBe(0);
    expect(spoken(learned).at(-1)).toBe(`agent: ${long}`);
  });

  it('does not stop the agent again at a length that was a false alarm', () => {
    const coughs = [1_000, 2_500, 4_000].map((at) => ({ at, says: '', forMs: 400, finalMs: null }));
    expect(times(call(coughs), 'stop_speaking')).toEqual([1_320]);
  });
});

describe('interruption_sensitivity', () => {
  const levels = ['high', 'default', 'low'] as const;
  const stopAt = (
    interruptionSensitivity: (typeof levels)[number],
    act: Partial<Extract<Act, { says: string }>>,
  ): number | undefined =>
    times(
      call([{ at: 2_000, says: 'Wednesday', forMs: 900, ...act }], { interruptionSensitivity }),
      'stop_speaking',
    )[0];

  it('differs by at least 80 ms of sound with a recogniser that has words at the end', () => {
    expect(levels.map((level) => stopAt(level, { says: 'Not on Wednesday please.' }))).toEqual([
      2_200, 2_320, 2_470,
    ]);
  });

  it('low needs two words, with words during speech and at its end', () => {
    const [soft, hard] = [
      { forMs: 240, finalMs: 150 },
      { forMs: 400, partials: [[150, 'Wednesday']] as const },
    ];
    expect(levels.map((level) => stopAt(level, soft))).toEqual([2_200, 2_390, undefined]);
    expect(levels.map((level) => stopAt(level, hard))).toEqual([2_150, 2_150, undefined]);
    expect(stopAt('low', { partials: [[150, 'on Wednesday']] })).toBe(2_150);
  });

  it('low stops at a single word that tells the agent to stop', () => {
    for (const word of ['Stop.', 'No!', 'Wait.', 'one moment']) {
      expect(stopAt('low', { says: word, forMs: 400, partials: [[150, word]] })).toBe(2_150);
    }
    const [hindi] = times(
      call([{ at: 2_000, says: 'रुको', forMs: 400, partials: [[150, 'रुको']] }], {
        language: 'hi-IN',
        interruptionSensitivity: 'low',
      }),
      'stop_speaking',
    );
    expect(hindi).toBe(2_150);
  });

  it('low keeps a single word over the agent for after its sentence', () => {
    const one = call([{ at: 2_000, says: 'Wednesday', forMs: 700 }], { interruptionSensitivity: 'low' });
    // The sound alone stopped the agent; the word did not.
    expect(times(one, 'stop_speaking')).toEqual([2_470]);
    expect(count(one, 'interrupted')).toBe(0);
    expect(spoken(one)[0]).toBe(`agent: ${long}`);
    expect(spoken(one)[1]).toBe('caller: Wednesday');
  });

  it('counts two characters as a word where the script has no spaces', () => {
    const says = '星期三可以吗';
    const [stop] = times(
      call([{ at: 2_000, says, forMs: 700, partials: [[150, says]] }], {
        language: 'zh-CN',
        interruptionSensitivity: 'low',
      }),
      'stop_speaking',
    );
    expect(stop).toBe(2_150);
  });
});

describe('a muted agent', () => {
  it('is neither lowered nor stopped', () => {
    const act: Act = { at: 2_000, says: 'Stop now please.', forMs: 900 };
    for (const config of [{ muteWhileAgentSpeaks: true }, { callConfig: { mute_during_intro: true } }]) {
      const muted = call([act], config);
      expect([muted.lowered, count(muted, 'lower_voice')]).toEqual([[], 0]);
      expect(count(muted, 'stop_speaking')).toBe(0);
    }
  });
});

describe('repeated hums', () => {
  it('repeat at most a word of the agent’s sentence, and request no new reply', () => {
    const call = run({
      with: quiet,
      acts: [question, ...[3_500, 4_700, 6_000].map((at) => ({ at, says: 'hmm', forMs: 500 }) as const)],
      brain: () => ({ text: long }),
      untilMs: 14_000,
    });
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
    // What sounded twice is at most the word at which it stopped.
    const words = call.sounds.slice(1).map(({ from, to }) => (to - from) / 60);
    expect(words.reduce((sum, length) => sum + length, 0)).toBeLessThan(long.length + 2 * 8);
    expect(count(call, 'generate')).toBe(1);
  });
});
