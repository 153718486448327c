import { describe, expect, it } from 'vitest';
import { initialState, step } from './machine.ts';
import type { TurnEffect, TurnEvent } from './types.ts';
import { count, latencies, run, settings, spoken } from '../../../../test/helpers/turns.ts';
const question = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;
const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };

describe('failure', () => {
  const question = { at: 2_000, says: 'Hello there.', forMs: 500 } as const;

  it('retries the model once', () => {
    const call = run({
      acts: [question],
      brain: (_, n) => (n <= 2 ? { fails: 'for_now' } : { text: 'Hi.' }),
      untilMs: 6_000,
    });
    // The prepared try does not count: it failed before the turn was certain.
    expect(spoken(call).at(-1)).toBe('agent: Hi.');
  });

  it('is apologised for; the second in a row ends the call', () => {
    const call = run({
      acts: [question, { at: 8_000, says: 'Hello again.', forMs: 500 }],
      brain: () => ({ fails: 'for_good' }),
    });
    expect(call.sounds.map((s) => s.text).slice(1)).toEqual(['Sorry, say it again.', 'We have a problem.']);
    expect(call.hangup?.reason).toBe('FAILED');
  });

  it('follows a silent model after at most twice the timeout', () => {
    const call = run({ acts: [question], brain: () => ({ afterMs: null }), untilMs: 12_000 });
    const apology = call.sounds.find((s) => s.text === 'Sorry, say it again.');
    expect(apology?.from).toBe(2_850 + 2 * 3_000 + 50);
    expect(count(call, 'generate')).toBe(2);
  });

  it('ends the call when synthesis fails, instead of staying silent', () => {
    const call = run({ ttsMs: null });
    expect(call.hangup?.reason).toBe('FAILED');
    expect(call.lines).toEqual([]);
  });
});

describe('the watchdog', () => {
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

  it('gives up an utterance that never starts, and apologises', () => {
    const { texts } = feed([
      { type: 'answered', at: 0 },
      { type: 'wake', at: 3_001 },
    ]);
    expect(texts).toEqual([
      [0, 'Hello this is Maya.'],
      [3_000, 'Sorry, say it again.'],
    ]);
  });

  it('continues with the next sentence when one is lost', () => {
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

  it('stops an utterance that never ends', () => {
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

  it('ends a stalled stream with the text so far, without its memory', () => {
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

  it('apologises when the recogniser fails, and ends the call when it fails again', () => {
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

  it('appends text received during a false alarm to the resumed reply', () => {
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
      'end_speech',
      'release',
    ]);
    expect(call.state.reply?.id).toBe(1);
  });
});

describe('a slow or broken model', () => {
  const question = { at: 2_000, says: 'Hello there.', forMs: 500 } as const;

  it('is bridged by a filler, so that the caller hears something within 1.2 s', () => {
    const call = run({
      acts: [question],
      brain: (_, n) => (n <= 2 ? { text: 'Hi.', afterMs: 2_800 } : { text: 'Hi.' }),
      with: { replyTimeoutMs: 3_500 },
      untilMs: 8_000,
    });
    const [, filler, reply] = call.sounds;
    expect(filler?.text).toBe('One moment.');
    expect(filler?.from).toBe(2_500 + 1_000 + 50);
    expect(reply?.text).toBe('Hi.');
    // The record has what was heard, and the latency is that of the model's words.
    expect(spoken(call).at(-1)).toBe('agent: One moment. Hi.');
    const [latency] = latencies(call);
    expect(latency?.totalMs).toBe((reply?.from ?? 0) - 2_500);
  });

  it('is not bridged when it is fast', () => {
    const call = run({ acts: [question], untilMs: 8_000 });
    expect(call.sounds.map(({ text }) => text)).not.toContain('One moment.');
  });

  it('continues after the sentence at which the model broke off, and speaks nothing twice', () => {
    const asked: string[][] = [];
    const call = run({
      acts: [question],
      brain(history, n) {
        asked.push(history.map((item) => ('text' in item ? item.text : item.role)));
        // The first request prepared the reply, before the turn was certain.
        return n <= 2 ? { text: 'Sure. I have two', fails: 'for_now' } : { text: 'Two are free.' };
      },
      untilMs: 8_000,
    });
    expect(call.sounds.map(({ text }) => text).slice(1)).toEqual(['Sure.', 'Two are free.']);
    expect(asked.at(-1)).toEqual(['Hello this is Maya.', 'Hello there.', 'Sure.']);
  });

  it('leaves the floor to the caller when the model breaks off twice in a turn', () => {
    const call = run({
      acts: [question],
      brain: () => ({ text: 'Sure. And', fails: 'for_now' }),
      untilMs: 6_000,
    });
    expect(call.sounds.map(({ text }) => text).slice(1)).toEqual(['Sure.', 'Sure.']);
  });
});

describe('a lost voice, model or recogniser', () => {
  it('ends the call when the voice sends no packet', () => {
    let state = initialState(settings);
    const said: string[] = [];
    const feed = (event: TurnEvent): void => {
      const next = step(state, event);
      state = next.state;
      for (const effect of next.effects) if (effect.type === 'speak') said.push(effect.text);
    };
    feed({ type: 'answered', at: 0 });
    for (let at = 500; at <= 7_000; at += 500) feed({ type: 'wake', at });
    expect(said).toEqual(['Hello this is Maya.', 'Sorry, say it again.', 'We have a problem.']);
  });

  it.each([
    ['sends an empty reply', { brain: () => ({}) }],
    ['fails', { brain: () => ({ fails: 'for_now' as const }) }],
    ['hangs', { brain: () => ({ afterMs: null }) }],
  ])('apologises within 8 s when the model %s', (_what, world) => {
    const call = run({ with: quiet, acts: [question], untilMs: 12_000, ...world });
    expect(call.sounds.map(({ text }) => text)).toContain('Sorry, say it again.');
    const silences = call.sounds
      .slice(1)
      .map(({ from }, i) => from - Math.max(2_500, call.sounds[i]?.to ?? 0));
    expect(Math.max(...silences)).toBeLessThanOrEqual(8_000);
  });

  it('apologises when the recogniser is lost', () => {
    let state = initialState(settings);
    const said: string[] = [];
    for (const event of [
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 50 },
      { type: 'utterance_ended', utteranceId: 0, at: 1_000 },
      { type: 'stt_failed', retryable: false, at: 2_000 },
    ] as const) {
      const next = step(state, event);
      state = next.state;
      for (const effect of next.effects) if (effect.type === 'speak') said.push(effect.text);
    }
    expect(said.at(-1)).toBe('Sorry, say it again.');
  });
});
