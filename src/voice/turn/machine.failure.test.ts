import { describe, expect, it } from 'vitest';
import { initialState, step } from './machine.ts';
import type { TurnEffect } from './types.ts';
import { count, run, settings, spoken } from '../../../test/helpers/turns.ts';

describe('failure', () => {
  const asked = { at: 2_000, says: 'Hello there.', forMs: 500 } as const;

  it('of the brain is tried once more', () => {
    const call = run({
      acts: [asked],
      brain: (_, n) => (n <= 2 ? { fails: 'for_now' } : { text: 'Hi.' }),
      untilMs: 6_000,
    });
    // The prepared try does not count: it failed before the turn was certain.
    expect(spoken(call).at(-1)).toBe('agent: Hi.');
  });

  it('is apologised for, and ends the call the second time in a row', () => {
    const call = run({
      acts: [asked, { at: 8_000, says: 'Hello again.', forMs: 500 }],
      brain: () => ({ fails: 'for_good' }),
    });
    expect(call.sounds.map((s) => s.text).slice(1)).toEqual(['Sorry, say it again.', 'We have a problem.']);
    expect(call.hangup?.reason).toBe('FAILED');
  });

  it('is what silence of the brain comes to: no dead air beyond twice the timeout', () => {
    const call = run({ acts: [asked], brain: () => ({ afterMs: null }), untilMs: 12_000 });
    const apology = call.sounds.find((s) => s.text === 'Sorry, say it again.');
    expect(apology?.from).toBe(2_850 + 2 * 3_000 + 50);
    expect(count(call, 'generate')).toBe(2);
  });

  it('of the voice ends the call rather than staying silent', () => {
    const call = run({ ttsMs: null });
    expect(call.hangup?.reason).toBe('FAILED');
    expect(call.lines).toEqual([]);
  });
});

describe('a watchdog', () => {
  /** Feeds events with their times in ms after the answer, wakes in between included. */
  function feed(events: readonly Parameters<typeof step>[1][]) {
    let state = initialState(settings);
    const effects: { at: number; effect: TurnEffect }[] = [];
    const take = (event: Parameters<typeof step>[1]): void => {
      const result = step(state, event);
      state = result.state;
      effects.push(...result.effects.map((effect) => ({ at: event.at, effect })));
      if (result.effects.some(({ type }) => type === 'stop_speaking')) {
        take({ type: 'speaking_stopped', heard: [], at: event.at });
      }
    };
    for (const event of events) {
      while (state.wakeAt !== null && state.wakeAt < event.at) take({ type: 'wake', at: state.wakeAt });
      take(event);
    }
    return {
      state,
      effects,
      texts: effects.flatMap(({ at, effect }) => (effect.type === 'speak' ? [[at, effect.text]] : [])),
    };
  }

  it('gives up on sound that never starts, and says so', () => {
    const { texts } = feed([
      { type: 'answered', at: 0 },
      { type: 'wake', at: 3_001 },
    ]);
    expect(texts).toEqual([
      [0, 'Hello this is Maya.'],
      [3_000, 'Sorry, say it again.'],
    ]);
  });

  it('goes on with the next sentence when one is lost', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      { type: 'speech_started', since: 1_000, at: 1_060 },
      { type: 'speech_stopped', since: 2_000, at: 2_120 },
      { type: 'final', text: 'Hello.', at: 2_130 },
      { type: 'reply_text', replyId: 1, text: 'One two. Three four. ', at: 2_200 },
      { type: 'reply_done', replyId: 1, memory: 7, expected: null, at: 2_210 },
      { type: 'utterance_failed', utteranceId: 1, at: 2_500 },
      { type: 'utterance_started', utteranceId: 2, at: 2_600 },
      { type: 'utterance_ended', utteranceId: 2, at: 3_000 },
    ]);
    expect(call.state.history.at(-1)).toEqual({ role: 'agent', text: 'Three four.', interrupted: false });
    expect(call.state.memory).toBe(7);
  });

  it('stops sound that never ends', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'wake', at: 16_000 },
    ]);
    expect(call.effects.find(({ effect }) => effect.type === 'stop_speaking')?.at).toBe(
      10 + 8_000 + 19 * 350,
    );
    expect(call.state.reply?.utterances.map((u) => u.text)).toEqual(['Sorry, say it again.']);
  });

  it('lets a stream that stalls end with what was said, without its memory', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      { type: 'dtmf', digit: '#', at: 1_000 },
      { type: 'reply_text', replyId: 1, text: 'One two. And then', at: 1_100 },
      { type: 'utterance_started', utteranceId: 1, at: 1_200 },
      { type: 'utterance_ended', utteranceId: 1, at: 2_000 },
      { type: 'wake', at: 5_000 },
    ]);
    expect(call.effects.at(-2)).toMatchObject({ at: 5_000, effect: { type: 'cancel_reply', replyId: 1 } });
    expect(call.state.history.at(-1)).toMatchObject({ role: 'agent', text: 'One two.' });
    expect(call.state.memory).toBe(null);
  });

  it('apologises when the recogniser is gone, and ends the call when it stays gone', () => {
    const events = [1_000, 8_000].map((at) => ({ type: 'stt_failed', retryable: false, at }) as const);
    const { texts } = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      ...events.slice(0, 1),
      { type: 'utterance_started', utteranceId: 1, at: 1_100 },
      { type: 'utterance_ended', utteranceId: 1, at: 2_000 },
      { type: 'speech_started', since: 5_000, at: 5_060 },
      ...events.slice(1),
    ]);
    expect(texts.map(([, text]) => text).slice(1)).toEqual(['Sorry, say it again.', 'We have a problem.']);
  });

  it('takes what streams in during a false interruption to the resumed reply', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      { type: 'dtmf', digit: '#', at: 1_000 },
      { type: 'reply_text', replyId: 1, text: 'One two. ', at: 1_100 },
      { type: 'utterance_started', utteranceId: 1, at: 1_200 },
      { type: 'speech_started', since: 1_300, at: 1_360 },
      { type: 'wake', at: 1_500 },
      { type: 'reply_text', replyId: 1, text: 'Three four. ', at: 1_600 },
      { type: 'reply_done', replyId: 1, memory: 7, expected: null, at: 1_610 },
      { type: 'speech_stopped', since: 1_650, at: 1_770 },
      { type: 'stt_nothing', at: 1_800 },
    ]);
    const after = call.effects.filter(({ at }) => at === 1_800).map(({ effect }) => effect);
    expect(after.map((effect) => (effect.type === 'speak' ? effect.text : effect.type))).toEqual([
      'One two.',
      'Three four.',
      'release',
    ]);
    expect(call.state.reply?.id).toBe(1);
  });
});
