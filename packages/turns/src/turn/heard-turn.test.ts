import { describe, expect, it } from 'vitest';
import { callerTexts, settings } from '../../../../test/helpers/turns.ts';
import { initialState, step } from './machine.ts';
import type { TurnEffect, TurnEvent } from './types.ts';

/** A call whose brain hears the caller itself; the floor is the caller's from 1 s on. */
function conversation(...events: TurnEvent[]) {
  let state = initialState(settings);
  const effects: TurnEffect[] = [];
  const feed = (event: TurnEvent): TurnEffect['type'][] => {
    const next = step(state, event);
    state = next.state;
    effects.push(...next.effects);
    return next.effects.map(({ type }) => type);
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
  };
}

const starts = (since: number): TurnEvent => ({ type: 'speech_started', since, at: since + 60 });
const stops = (since: number): TurnEvent => ({ type: 'speech_stopped', since, at: since + 80 });
const heard = (at: number, turn = 'a'): TurnEvent => ({ type: 'eager', text: '', turn, at });
const words = (text: string, at: number, turn = 'a'): TurnEvent => ({
  type: 'final',
  certain: true,
  text,
  turn,
  at,
});
const asked = [starts(2_000), stops(2_600), heard(3_000)];

describe('a turn that the brain has heard before its words are known', () => {
  it('has its reply prepared at once and released with the words, whatever they are', () => {
    const call = conversation(starts(2_000), stops(2_600));
    expect(call.feed(heard(3_000))).toEqual(['generate']);
    const replyId = call.state.reply?.id ?? -1;
    call.feed({ type: 'reply_text', replyId, text: 'At nine', isPiece: true, at: 3_200 });
    expect(call.feed(words('When do you open?', 3_300))).toEqual(['release']);
    expect(call.state.reply).toMatchObject({ id: replyId, playing: { phase: 'released' } });
    expect(callerTexts(call.state.history)).toEqual(['When do you open?']);
  });

  it('loses its reply when the caller goes on, and no word', () => {
    const call = conversation(...asked);
    expect(call.feed(starts(3_100))).toContain('cancel_reply');
    call.feed(words('I want', 3_200));
    call.feed(stops(3_900));
    call.feed(heard(4_300, 'b'));
    call.feed(words('a table', 4_500, 'b'));
    expect(callerTexts(call.state.history)).toEqual(['I want a table']);
    expect(call.effects.filter(({ type }) => type === 'release')).toHaveLength(2);
  });

  it('loses its reply when it was no speech', () => {
    const call = conversation(...asked);
    expect(call.feed({ type: 'stt_nothing', at: 3_300 })).toContain('cancel_reply');
    expect(callerTexts(call.state.history)).toEqual([]);
  });

  it('is asked again with its words when the brain fails', () => {
    const call = conversation(...asked);
    const replyId = call.state.reply?.id ?? -1;
    call.feed({ type: 'reply_failed', replyId, retryable: true, at: 3_100 });
    call.feed(words('Hello?', 3_400));
    const requests = call.effects.filter((effect) => effect.type === 'generate');
    expect(requests.at(-1)).toMatchObject({
      history: [{ role: 'agent' }, { role: 'caller', text: 'Hello?' }],
    });
  });

  it('prepares nothing over the agent, for sound that nobody made, or over keys', () => {
    const silent = conversation(heard(2_000));
    expect(silent.state.reply).toBeNull();
    const busy = conversation(...asked, words('Hi.', 3_100));
    expect(busy.feed(heard(3_200, 'b'))).toEqual([]);
    const keys = conversation(starts(2_000), { type: 'dtmf', digit: '1', at: 2_300 }, stops(2_600));
    expect(keys.feed(heard(3_000))).toEqual([]);
  });
});

describe('words whose audio exists', () => {
  it('are spoken as they come, without waiting for the end of a sentence', () => {
    const call = conversation(...asked, words('When?', 3_050));
    const replyId = call.state.reply?.id ?? -1;
    call.feed({ type: 'reply_text', replyId, text: 'We open. At', isPiece: true, at: 3_200 });
    call.feed({ type: 'reply_text', replyId, text: 'nine', isPiece: true, at: 3_250 });
    expect(call.effects.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : [])).slice(1)).toEqual(
      ['We open. At', 'nine'],
    );
  });
});
