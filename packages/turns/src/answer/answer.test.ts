import { describe, expect, it } from 'vitest';
import { noise, RATE, voice } from '../../../audio/test/line-sounds.ts';
import { beep } from '@callwright/audio';
import { initialAnswer, leftAs, stepAnswer, type AnswerEffect, type AnswerState } from './answer.ts';
import type { MenuStep } from './state.ts';
import { createToneDetector, stepTone } from './tone-detector.ts';

/** A stretch of the far side's audio: speech with its recognised words (absent: none), silence, or a tone. */
type Sound =
  | { speech: number; words?: string }
  | { quiet: number }
  | { tone: number; hz: number }
  /** The end of the agent's speech. */
  | 'spoken';

const START = Date.UTC(2026, 0, 5, 10);
const FRAME_MS = 20;

/** Feeds audio and words to the detector frame by frame, as the session does. */
function listen(
  sounds: readonly Sound[],
  settings: { message: string | null; menu?: readonly MenuStep[] } = { message: null },
): { state: AnswerState; effects: (AnswerEffect & { at: number })[] } {
  let state = initialAnswer({ ...settings, introduction: 'This is Maya.' }, START);
  const effects: (AnswerEffect & { at: number })[] = [];
  const tones = createToneDetector(RATE);
  let at = START;
  const feed = (event: Parameters<typeof stepAnswer>[1]): void => {
    const next = stepAnswer(state, event);
    state = next.state;
    effects.push(...next.effects.map((effect) => ({ ...effect, at: event.at - START })));
  };
  const play = (pcm: Int16Array): void => {
    for (let from = 0; from + 160 <= pcm.length; from += 160) {
      at += FRAME_MS;
      const tone = stepTone(tones, pcm.subarray(from, from + 160));
      if (tone !== null) feed({ type: 'tone', ...tone, at });
      feed({ type: 'tick', at });
    }
  };
  for (const sound of sounds) {
    if (sound === 'spoken') feed({ type: 'spoken', at });
    else if ('speech' in sound) {
      feed({ type: 'speech_started', since: at, at: at + 60 });
      play(voice(sound.speech));
      feed({ type: 'speech_stopped', since: at, at: at + 80 });
      if (sound.words !== undefined) feed({ type: 'words', text: sound.words, isFinal: true, at: at + 250 });
    } else if ('tone' in sound) play(beep(sound.hz, sound.tone, RATE));
    else play(noise(sound.quiet));
  }
  play(noise(100));
  return { state, effects };
}

const quiet = (ms: number): Sound => ({ quiet: ms });
const speech = (ms: number, words?: string): Sound =>
  words === undefined ? { speech: ms } : { speech: ms, words };
const tone = (hz: number, ms = 500): Sound => ({ tone: ms, hz });

const GREETINGS: readonly [what: string, expected: string, sounds: readonly Sound[]][] = [
  ['greeting, beep of 1000 Hz', 'voicemail', [quiet(300), speech(4000), quiet(400), tone(1000)]],
  ['greeting, beep of 440 Hz', 'voicemail', [quiet(300), speech(5200), quiet(800), tone(440, 300)]],
  ['greeting, beep of 1400 Hz', 'voicemail', [speech(2600), quiet(200), tone(1400, 200)]],
  ['greeting, beep at once', 'voicemail', [quiet(500), speech(3000), tone(880, 900)]],
  ['in two parts, beep', 'voicemail', [speech(1200), quiet(1000), speech(1800), quiet(500), tone(620)]],
  [
    'a long pause before the second part',
    'voicemail',
    [speech(1300), quiet(2600), speech(2100), quiet(600), tone(1000, 400)],
  ],
  [
    'words alone',
    'voicemail',
    [speech(1500, 'hello'), quiet(300), speech(2500, 'please leave a message after the tone')],
  ],
  ['over our own words', 'voicemail', [speech(3500), 'spoken', speech(1600), quiet(400), tone(1000)]],
  ['nobody reached', 'voicemail', [speech(3200, 'the person you are calling is not available'), quiet(3000)]],
  [
    'in Hindi',
    'voicemail',
    [speech(3000, 'आप जिस व्यक्ति को कॉल कर रहे हैं'), quiet(200), speech(2500, 'कृपया बीप के बाद संदेश छोड़ें')],
  ],
  ['screening', 'screening', [speech(5800, 'please say your name and why you are calling'), quiet(400)]],
  [
    'screening of a phone',
    'screening',
    [
      speech(
        4200,
        'Hi, if you record your name and reason for calling, I’ll see if this person is available',
      ),
    ],
  ],
  [
    'hello',
    'human',
    [quiet(700), speech(500, 'hello'), quiet(4000), 'spoken', quiet(900), speech(600, 'yes'), quiet(40_000)],
  ],
  ['hello that nobody makes out', 'human', [quiet(700), speech(500), quiet(40_000)]],
  ['hello, television behind', 'human', [speech(600, 'hello'), speech(12_000), quiet(300), speech(25_000)]],
  [
    'a business with a long greeting',
    'human',
    [speech(5600, 'good morning riverside dental this is anna how may i help you'), quiet(40_000)],
  ],
  ['a talker', 'unsure', [speech(4000), quiet(800), speech(5000), quiet(2500), speech(3000), quiet(30_000)]],
  [
    'conversation, then a beep of something',
    'human',
    [
      speech(500),
      quiet(2000),
      'spoken',
      quiet(800),
      speech(900),
      quiet(3000),
      'spoken',
      quiet(900),
      speech(2200),
      quiet(500),
      tone(1000),
    ],
  ],
  ['a short hello and a beep', 'human', [speech(600), quiet(700), tone(440, 300), quiet(35_000)]],
  ['hello and ringing behind it', 'unsure', [speech(2600), quiet(500), tone(425, 1500), quiet(35_000)]],
  ['silence', 'unsure', [quiet(40_000)]],
  ['a menu', 'ivr', [speech(4000, 'for sales press one'), quiet(500), tone(700), quiet(35_000)]],
  [
    'an exchange',
    'hold',
    [speech(3000, 'please hold while i connect you'), quiet(400), tone(425, 900), quiet(35_000)],
  ],
];

describe('machine detection', () => {
  it.each(GREETINGS)('%s: %s', (_, expected, sounds) => {
    const { state, effects } = listen(sounds);
    expect(state.answered?.kind).toBe(expected);
    const isLeftAlone = ['human', 'ivr', 'unsure'].includes(expected);
    expect(effects.length === 0).toBe(isLeftAlone);
  });
});

describe('a mailbox', () => {
  const greeting = [quiet(300), speech(4000), quiet(400), tone(1000)];

  it('ends the call at the tone when there is no message', () => {
    expect(listen(greeting).effects.map(({ type }) => type)).toEqual(['hush', 'end']);
  });

  it('plays the message once, right after the tone', () => {
    const { effects } = listen([...greeting, quiet(5000), tone(1000), quiet(5000)], { message: 'Call us.' });
    expect(effects.map(({ type }) => type)).toEqual(['hush', 'leave']);
    expect(effects[1]).toMatchObject({ say: 'Call us.' });
    expect(effects[1]!.at).toBeGreaterThanOrEqual(300 + 4000 + 400 + 500 + 400);
    expect(effects[1]!.at).toBeLessThan(300 + 4000 + 400 + 500 + 700);
  });

  it('waits for the tone when the words reveal the mailbox', () => {
    const { effects } = listen(
      [
        speech(3000, 'i cannot take your call right now'),
        quiet(300),
        speech(2500),
        quiet(400),
        tone(1000),
        quiet(1000),
      ],
      { message: 'Call us.' },
    );
    expect(effects.map(({ type }) => type)).toEqual(['hush', 'leave']);
    expect(effects[1]!.at).toBeGreaterThan(6700);
  });

  it('plays the message after the greeting when no tone follows, at the latest after 30 s', () => {
    const quietly = listen([speech(3000, 'leave a message'), quiet(6000)], { message: 'Call us.' });
    expect(quietly.effects.at(-1)).toMatchObject({ type: 'leave' });
    expect(quietly.effects.at(-1)!.at).toBeLessThanOrEqual(6100);
    const endless = listen([speech(3000, 'leave a message'), speech(60_000)], { message: 'Call us.' });
    expect(endless.effects.at(-1)).toMatchObject({ type: 'leave' });
  });

  it('hangs up on a full mailbox', () => {
    const { effects } = listen([speech(3000, 'the mailbox is full and cannot accept any messages')], {
      message: 'Call us.',
    });
    expect(effects.map(({ type }) => type)).toEqual(['hush', 'end']);
  });

  it('reports VOICEMAIL_DETECTED when the mailbox hangs up first', () => {
    expect(leftAs(listen(greeting, { message: 'x' }).state)).toBe('VOICEMAIL_DETECTED');
    expect(leftAs(listen([speech(500, 'hello'), quiet(1000)]).state)).toBe('USER_LEFT');
  });
});

describe('a screened call', () => {
  const question = [speech(5000, 'please say your name and why you are calling'), quiet(900)];
  const types = (sounds: readonly Sound[]): string[] => listen(sounds).effects.map(({ type }) => type);

  it('introduces the caller after the end of the question', () => {
    const { effects } = listen(question);
    expect(effects).toMatchObject([
      { type: 'hush', before: 'screening' },
      { type: 'introduce', say: 'This is Maya.' },
    ]);
    expect(effects[1]!.at).toBeGreaterThanOrEqual(5500);
  });

  it('does not take the service’s thanks for the person', () => {
    const waiting = [
      ...question,
      quiet(2000),
      'spoken' as const,
      quiet(600),
      speech(1900, 'please stay on the line'),
      quiet(4000),
    ];
    expect(types(waiting)).toEqual(['hush', 'introduce']);
    expect(types([...waiting, speech(500, 'hello')])).toEqual(['hush', 'introduce', 'person']);
  });

  it('takes one long sound without words for the service and a short one for the person', () => {
    const before = [...question, quiet(2000), 'spoken' as const, quiet(600)];
    expect(types([...before, speech(2000), quiet(3000)])).toEqual(['hush', 'introduce']);
    expect(types([...before, speech(2000), quiet(3000), speech(2000), quiet(2000)])).toContain('person');
    expect(types([...before, speech(600), quiet(2000)])).toContain('person');
  });

  it('ends when no person answers', () => {
    const { effects, state } = listen([...question, quiet(2000), 'spoken', quiet(40_000)]);
    expect(effects.at(-1)).toMatchObject({ type: 'end', reason: 'CALL_SCREENED' });
    expect(state.phase).toBe('settled');
    expect(leftAs(listen(question).state)).toBe('CALL_SCREENED');
  });

  it('becomes a mailbox call when it is forwarded to one', () => {
    const { effects } = listen([
      ...question,
      quiet(2000),
      'spoken',
      quiet(600),
      speech(3000, 'the person you are calling is not available'),
      quiet(500),
    ]);
    expect(effects.at(-1)).toMatchObject({ type: 'end', reason: 'VOICEMAIL_DETECTED' });
  });

  it('introduces the caller at most twice', () => {
    const again = [
      speech(3000, 'please say your name and why you are calling'),
      quiet(1500),
      'spoken' as const,
    ];
    const { effects } = listen([...question, 'spoken', ...again, ...again, ...again]);
    expect(effects.filter(({ type }) => type === 'introduce')).toHaveLength(2);
  });
});

describe('an exchange that puts the call through', () => {
  const begin = speech(3000, 'please hold while i connect you');
  const ringing = [quiet(400), tone(425, 900), quiet(3000), tone(425, 900), quiet(3000)];
  const types = (sounds: readonly Sound[]): string[] => listen(sounds).effects.map(({ type }) => type);

  it('is waited for in silence until a person speaks', () => {
    expect(types([begin, ...ringing])).toEqual(['hush']);
    const { state, effects } = listen([begin, ...ringing, speech(900, 'hello this is kim'), quiet(1000)]);
    expect(effects.map(({ type }) => type)).toEqual(['hush', 'person']);
    expect(state.answered?.kind).toBe('human');
  });

  it('is none when a person has greeted before', () => {
    const greeting = speech(1500, 'hello this is kim how may i help you');
    expect(types([greeting, quiet(400), begin, ...ringing])).toEqual([]);
    expect(types([speech(3000, 'hello please hold while i connect you'), ...ringing])).toEqual([]);
  });
});

const SIT = [tone(914, 330), tone(1371, 330), tone(1777, 330)];

describe('the tones of the network and of a fax', () => {
  it('end the call without a retry, and name the far side', () => {
    const fax = listen([quiet(400), tone(2100, 2600), quiet(500)]);
    expect(fax.state.answered).toMatchObject({ kind: 'fax', reasons: ['fax_tone'] });
    expect(fax.effects).toMatchObject([{ type: 'hush' }, { type: 'end', reason: 'NOT_ABLE_TO_CALL' }]);
    const special = listen([quiet(300), ...SIT, quiet(200), speech(3000)]);
    expect(special.state.answered).toMatchObject({ kind: 'sit', reasons: ['special_tones'] });
    expect(special.state.answered?.decidedMs).toBeLessThan(1600);
  });

  it('take two calling tones of a fax, not one: a mailbox beeps at 1100 Hz as well', () => {
    const once = [quiet(500), tone(1100, 500), quiet(2800)];
    expect(listen(once).state.answered?.kind).not.toBe('fax');
    expect(listen([...once, tone(1100, 500), quiet(500)]).state.answered?.kind).toBe('fax');
  });
});

describe('a queue', () => {
  const queue = [speech(4000, 'all of our agents are busy your call is important to us'), quiet(20_000)];
  it('is waited for in silence, until a person answers', () => {
    const { effects, state } = listen([...queue, speech(3000, 'thank you for holding'), quiet(20_000)]);
    expect(effects).toMatchObject([{ type: 'hush', before: 'screening' }]);
    expect(state.answered?.kind).toBe('hold');
    const taken = listen([...queue, speech(900, 'hello this is kim'), quiet(1000)]);
    expect(taken.effects.map(({ type }) => type)).toEqual(['hush', 'person']);
    expect(taken.state.answered).toMatchObject({ kind: 'human' });
  });
});

describe('a phone menu', () => {
  const menu = [speech(2000, 'for sales press one'), quiet(500), speech(2000, 'for support press two')];
  const walk = (sounds: readonly Sound[], steps: readonly MenuStep[]) =>
    listen(sounds, { message: null, menu: steps }).effects.map((effect) =>
      effect.type === 'press' ? effect.digits : effect.type,
    );

  it('is walked by the option or the keys of the task, then a person is waited for', () => {
    expect(walk([...menu, quiet(2000)], [{ option: 'support' }])).toEqual(['hush', '2']);
    expect(walk([...menu, quiet(2000)], [{ keys: '0' }])).toEqual(['hush', '0']);
    const person = [quiet(2000), speech(900, 'hello kim speaking'), quiet(500)];
    expect(walk([...menu, ...person], [{ keys: '1' }])).toEqual(['hush', '1', 'person']);
  });

  it('takes one step a level in a menu of two levels', () => {
    const second = [quiet(2500), speech(2500, 'for new orders press three'), quiet(2000)];
    expect(walk([...menu, ...second], [{ option: 'sales' }, { option: 'orders' }])).toEqual([
      'hush',
      '1',
      '3',
    ]);
  });

  it('ends when it goes nowhere', () => {
    expect(walk([...menu, quiet(70_000)], [{ option: 'billing' }])).toEqual(['hush', 'end']);
  });
});

describe('a call that is passed on', () => {
  it('is judged again: ringing is no beep, and the next voice may be a mailbox', () => {
    const passed = [speech(2500, 'one second i will transfer you'), quiet(800), tone(425, 900)];
    expect(listen([...passed, quiet(4000)]).effects).toEqual([]);
    const { state } = listen([...passed, quiet(3000), speech(3000, 'please leave a message'), quiet(400)]);
    expect(state.answered).toMatchObject({ kind: 'voicemail' });
  });
});

describe('the decision', () => {
  it('keeps the time of the first one, and that of its change', () => {
    const { state } = listen([
      speech(700, 'hello'),
      quiet(900),
      speech(2500, 'leave a message after the tone'),
    ]);
    expect(state.answered).toMatchObject({ kind: 'voicemail', decidedMs: 950 });
    expect(state.answered?.revisedMs).toBeGreaterThan(4000);
  });

  it('falls within two seconds: a far side that says nothing is unsure', () => {
    expect(listen([quiet(3000)]).state.answered).toMatchObject({
      kind: 'unsure',
      decidedMs: 2000,
      reasons: ['silence'],
    });
  });
});
