import { describe, expect, it } from 'vitest';
import { callerTexts, settings } from '../../../../test/helpers/turns.ts';
import { initialState, step } from './machine.ts';
import { owedUntil } from './segment.ts';
import type { TurnEffect, TurnEvent } from './types.ts';

/** Feeds events; the first message has played, so that the floor is the caller's from 1 s on. */
function conversation(...events: TurnEvent[]) {
  let state = initialState(settings);
  const effects: TurnEffect[] = [];
  const feed = (event: TurnEvent): readonly TurnEffect[] => {
    const next = step(state, event);
    state = next.state;
    effects.push(...next.effects);
    return next.effects;
  };
  feed({ type: 'answered', at: 0 });
  feed({ type: 'utterance_started', utteranceId: 0, at: 50 });
  feed({ type: 'utterance_ended', utteranceId: 0, at: 1_000 });
  for (const event of events) feed(event);
  return {
    feed,
    effects,
    get state() {
      return state;
    },
    /** What the caller has said, committed and not. */
    get words() {
      return [...callerTexts(state.history), state.caller.text, state.caller.partial.text].filter(
        (t) => t !== '',
      );
    },
    types: () => effects.map(({ type }) => type),
  };
}

const starts = (since: number): TurnEvent => ({
  type: 'speech_started',
  since,
  at: since + 60,
  audioMs: since,
});
const stops = (since: number): TurnEvent => ({
  type: 'speech_stopped',
  since,
  at: since + 80,
  audioMs: since,
});
const partial = (text: string, at: number, turn = '0'): TurnEvent => ({
  type: 'partial',
  text,
  at,
  audioMs: at - 100,
  turn,
});
const eager = (text: string, at: number, turn = '0'): TurnEvent => ({
  type: 'eager',
  text,
  at,
  audioMs: at - 100,
  turn,
});
const certain = (text: string, at: number, turn = '0'): TurnEvent => ({
  type: 'final',
  certain: true,
  text,
  at,
  audioMs: at - 100,
  turn,
});

describe('a certain end of the recogniser', () => {
  it('commits the turn in the same step, however short the silence', () => {
    const call = conversation(starts(2_000), partial('my name is', 2_500), stops(2_600));
    expect(call.feed(certain('My name is', 2_690)).map(({ type }) => type)).toEqual(['generate', 'release']);
    expect(call.state.turn).toMatchObject({ text: 'My name is', committedAt: 2_690, lastSoundAt: 2_600 });
  });

  it('commits over noise that it has listened to, and the noise does not interrupt the reply', () => {
    const call = conversation(starts(2_000), partial('book it', 2_500), certain('Book it.', 3_000));
    expect(call.words).toEqual(['Book it.']);
    const replyId = call.state.reply?.id ?? -1;
    call.feed({ type: 'reply_text', replyId, text: 'Sure. ', at: 3_100 });
    call.feed({ type: 'reply_done', replyId, memory: null, expected: null, at: 3_110 });
    call.feed({ type: 'utterance_started', utteranceId: 1, at: 3_200 });
    call.feed({ type: 'wake', at: 3_900 });
    expect(call.types()).not.toContain('stop_speaking');
  });

  it('does not commit while the caller says words that began after it', () => {
    const call = conversation(
      starts(2_000),
      partial('on Tuesday', 2_400),
      stops(2_500),
      starts(2_640),
      // Listened up to 2600: the sound from 2640 on is not in it.
      certain('On Tuesday.', 2_700),
    );
    expect(call.types()).not.toContain('generate');
    call.feed(stops(3_000));
    call.feed(certain('At ten.', 3_200, '1'));
    expect(call.words).toEqual(['On Tuesday. At ten.']);
    expect(call.types().filter((type) => type === 'generate')).toHaveLength(1);
  });

  it('takes only the words that were not taken before, when its turn was committed without it', () => {
    const call = conversation(starts(2_000), partial('my number is', 2_500), stops(2_600));
    call.feed({ type: 'wake', at: 4_899 });
    expect(callerTexts(call.state.history)).toEqual([]);
    call.feed({ type: 'wake', at: 4_900 });
    expect(callerTexts(call.state.history)).toEqual(['my number is']);
    call.feed(starts(5_100));
    call.feed(stops(5_400));
    call.feed(certain('My number is nine.', 5_500));
    expect(callerTexts(call.state.history)).toEqual(['my number is nine.']);
  });

  it('is no turn when its words are a backchannel over the agent', () => {
    const call = conversation();
    call.feed(starts(2_000));
    call.feed(stops(2_200));
    call.feed(certain('Book it.', 2_300));
    const replyId = call.state.reply?.id ?? -1;
    call.feed({ type: 'reply_text', replyId, text: 'I have a slot on Tuesday at ten. And ', at: 2_400 });
    call.feed({ type: 'utterance_started', utteranceId: 1, at: 2_500 });
    call.feed(starts(3_000));
    call.feed(certain('Okay.', 3_200, '1'));
    expect(call.state.turns).toBe(1);
    expect(callerTexts(call.state.history)).toEqual(['Book it.']);
  });
});

describe('an eager end', () => {
  it('prepares the reply, and the certain end releases it without a second request', () => {
    const call = conversation(starts(2_000), partial('cancel my plan', 2_500));
    call.feed(eager('Cancel my plan', 2_600));
    expect(call.effects.at(-1)).toMatchObject({
      type: 'generate',
      speculative: true,
      history: [expect.anything(), { role: 'caller', text: 'Cancel my plan', by: 'speech' }],
    });
    call.feed(stops(2_550));
    expect(call.feed(certain('Cancel my plan.', 2_900)).map(({ type }) => type)).toEqual(['release']);
    expect(call.state.turn).toMatchObject({ prepared: true, text: 'Cancel my plan.' });
  });

  it('is dropped unheard when the turn is resumed, and prepared again at the next one', () => {
    const call = conversation(starts(2_000), eager('I want', 2_500), stops(2_450));
    const resumed = call.feed({ type: 'endpoint_resumed', turn: '0', at: 2_700 });
    expect(resumed.map(({ type }) => type)).toEqual(['cancel_reply']);
    call.feed(partial('I want a table', 2_900));
    call.feed(eager('I want a table', 3_000));
    expect(call.feed(certain('I want a table.', 3_200)).map(({ type }) => type)).toEqual(['release']);
    expect(callerTexts(call.state.history)).toEqual(['I want a table.']);
  });

  it('is dropped when more words come without a resumption', () => {
    const call = conversation(starts(2_000), eager('I want', 2_500));
    expect(call.feed(partial('I want a table', 2_700)).map(({ type }) => type)).toEqual(['cancel_reply']);
  });

  it('outlasts sound without words', () => {
    const call = conversation(starts(2_000), eager('Yes please', 2_500), stops(2_450), starts(2_600));
    expect(call.types()).not.toContain('cancel_reply');
    call.feed(stops(2_700));
    expect(call.feed(certain('Yes please.', 2_900)).map(({ type }) => type)).toEqual(['release']);
  });

  it('interrupts the agent by its words, and prepares nothing meanwhile', () => {
    const call = conversation(starts(2_000), stops(2_200), certain('Book it.', 2_300));
    const replyId = call.state.reply?.id ?? -1;
    call.feed({ type: 'reply_text', replyId, text: 'I have a slot on Tuesday at ten. And ', at: 2_400 });
    call.feed({ type: 'utterance_started', utteranceId: 1, at: 2_500 });
    call.feed(starts(3_000));
    const effects = call.feed(eager('No wait', 3_150, '1'));
    expect(effects.map(({ type }) => type)).toContain('stop_speaking');
    expect(effects.map(({ type }) => type)).not.toContain('generate');
  });
});

describe('a resumption', () => {
  it('reopens a turn that was committed for want of a certain end, while nothing was heard', () => {
    const call = conversation(starts(2_000), partial('my number', 2_500), stops(2_600));
    call.feed({ type: 'wake', at: 5_000 });
    expect(call.state.turns).toBe(1);
    const effects = call.feed({ type: 'endpoint_resumed', turn: '0', at: 5_050 });
    expect(effects.map(({ type }) => type)).toEqual(['cancel_reply']);
    expect(call.state.turns).toBe(0);
    call.feed(certain('My number is nine.', 5_900));
    expect(callerTexts(call.state.history)).toEqual(['my number is nine.']);
  });
});

describe('a final in audio time', () => {
  it.each([
    ['past the end of the sound: covers it', 2_600, null],
    ['before it: a final is awaited', 2_300, 4_150],
  ])('reaches %s, whenever it arrives', (_, audioMs, awaitingUntil) => {
    const call = conversation(starts(2_000), partial('I want', 2_300));
    call.feed({ type: 'final', text: 'I want', at: 2_640, audioMs });
    call.feed({ type: 'partial', text: 'uh', at: 2_645, audioMs });
    call.feed({ type: 'speech_stopped', since: 2_570, at: 2_650, audioMs: 2_570 });
    expect(owedUntil(call.state.caller.sound)).toBe(awaitingUntil);
  });

  it("keeps waiting after the previous segment's final", () => {
    const call = conversation(
      starts(2_000),
      stops(2_400),
      starts(2_800),
      { type: 'final', text: 'I want', at: 2_900, audioMs: 2_500 },
      stops(3_100),
    );
    expect(owedUntil(call.state.caller.sound)).toBe(4_680);
  });
});

describe('a final that comes after its words were taken', () => {
  it('adds only the others, once the wait for it is over', () => {
    const call = conversation(starts(2_000));
    call.feed({ type: 'partial', text: 'for', at: 2_300, audioMs: 2_300 });
    call.feed(stops(2_700));
    call.feed({ type: 'wake', at: 4_300 });
    expect(call.words).toEqual(['for']);
    call.feed({ type: 'final', text: 'for two of us', at: 4_500, audioMs: 2_800 });
    expect(call.words).toEqual(['for two of us']);
  });

  it('is all new in the next sound', () => {
    const call = conversation(starts(2_000));
    call.feed({ type: 'partial', text: 'yes', at: 2_300, audioMs: 2_300 });
    call.feed(stops(2_700));
    call.feed({ type: 'wake', at: 4_300 });
    call.feed(starts(4_400));
    call.feed({ type: 'final', text: 'yes please', at: 5_000, audioMs: 4_900 });
    expect(call.words).toEqual(['yes yes please']);
  });
});
