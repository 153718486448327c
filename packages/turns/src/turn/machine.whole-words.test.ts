import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerTexts, latencies, settings, spoken, times } from '../../../../test/helpers/turns.ts';
import { simulate, type Act, type Simulation, type World } from '../../../../test/rigs/turn/simulate.ts';
import { turnSettings } from '../settings.ts';
import { initialState, step } from './machine.ts';
import type { TurnEvent } from './types.ts';

const INTRO = 'Hello, this is Maya.';
const REPLY = 'I can tell you all about that and it takes a little while to say.';
const FIRST_AT = INTRO.length * 60 + 1_000;
/** From the first sound of a turn to that of the next one. */
const APART_MS = 9_000;
const SOUND_MS = 900;

const call = (acts: readonly Act[], world: Partial<World> = {}): Simulation =>
  simulate({
    settings: turnSettings({
      callConfig: { idle_timeout_warning: 0, idle_timeout_end: 60, max_call_length: 240 },
      introMessage: INTRO,
      language: 'en-US',
      direction: 'outbound',
    }),
    acts,
    brain: () => ({ text: REPLY }),
    untilMs: FIRST_AT + 10 * APART_MS,
    ...world,
  });

const said = (at: number, says: string, more: object = {}): Act => ({
  at,
  says,
  forMs: SOUND_MS,
  finalMs: 60,
  ...more,
});

/** The nth turn in two whole pieces with a pause between them. */
const paused = (n: number, pieces: readonly [string, string], pauseMs: number): Act[] => {
  const at = FIRST_AT + n * APART_MS;
  return [said(at, pieces[0]), said(at + SOUND_MS + pauseMs, pieces[1])];
};

const callerLines = (simulation: Simulation): string[] =>
  spoken(simulation).filter((line) => line.startsWith('caller'));

describe('a whole question', () => {
  it('is taken as a turn after 200 ms, a whole statement after 280 ms', () => {
    const waits = latencies(
      call([
        said(FIRST_AT, 'What time do you open?'),
        said(FIRST_AT + APART_MS, 'I want to book a table.'),
        said(FIRST_AT + 2 * APART_MS, 'Is there a train at nine?'),
      ]),
    ).map(({ endpointingMs }) => endpointingMs);
    expect(waits).toEqual([200, 280, 200]);
  });

  it('is waited on like a statement once the caller has gone on after whole words', () => {
    const simulation = call([
      ...paused(0, ['I want to book a table.', 'It is for two.'], 190),
      said(FIRST_AT + APART_MS, 'What time do you open?'),
      ...paused(2, ['What time do you open?', 'And when do you close?'], 190),
    ]);
    expect(callerLines(simulation)).toEqual([
      'caller: I want to book a table. It is for two.',
      'caller: What time do you open?',
      'caller: What time do you open? And when do you close?',
    ]);
    expect(latencies(simulation)[1]?.endpointingMs).toBe(280);
  });

  it('is no longer waited on after a noise in the pause', () => {
    const simulation = call([
      said(FIRST_AT, 'What time do you open?'),
      { at: FIRST_AT + SOUND_MS + 150, says: '', forMs: 100, finalMs: null },
      said(FIRST_AT + APART_MS, 'What time do you open?'),
    ]);
    expect(latencies(simulation)[1]?.endpointingMs).toBe(200);
  });
});

describe('a caller who pauses after whole clauses', () => {
  const clauses = fc.constantFrom<readonly [string, string]>(
    ['What time do you open?', 'On a Saturday, I mean.'],
    ['I want to book a table.', 'It is for two people.'],
    ['Do you have a room for tonight?', 'With a view, please.'],
    ['नमस्ते, आप कब खुलते हैं?', 'शनिवार को, मेरा मतलब है।'],
  );
  const pauses = fc.integer({ min: 130, max: 700 });

  it('is cut into at most once: later pauses of that length or less stay in one turn', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ pieces: clauses, share: fc.double({ min: 0.2, max: 1, noNaN: true }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        clauses,
        pauses,
        (later, first, pauseMs) => {
          const simulation = call([
            ...paused(0, first, pauseMs),
            ...later.flatMap(({ pieces, share }, i) =>
              paused(i + 1, pieces, Math.max(130, Math.round(pauseMs * share))),
            ),
          ]);
          const lines = callerLines(simulation);
          expect(lines.slice(-later.length)).toEqual(
            later.map(({ pieces }) => `caller: ${pieces.join(' ')}`),
          );
          expect(lines.length).toBeLessThanOrEqual(later.length + 2);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has no reply in a pause, once one pause of that length was heard', () => {
    fc.assert(
      fc.property(clauses, pauses, (pieces, pauseMs) => {
        const simulation = call([...paused(0, pieces, pauseMs), ...paused(1, pieces, pauseMs)]);
        const from = FIRST_AT + APART_MS;
        const to = from + 2 * SOUND_MS + pauseMs;
        const cuts = simulation.sounds.filter((sound) => sound.from >= from && sound.from < to);
        expect(cuts).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('words that look whole before the recogniser has ended them', () => {
  const question = 'What time do you open?';
  const partials = [
    [300, 'What time'],
    [800, question],
  ] as const;

  it('have their reply prepared as soon as the caller is quiet, and it sounds when the wait is over', () => {
    const simulation = call([said(FIRST_AT, question, { partials, finalMs: 180 })]);
    const end = FIRST_AT + SOUND_MS;
    expect(times(simulation, 'generate')).toEqual([end + 20]);
    expect(simulation.sounds[1]?.from).toBe(end + 200);
    expect(latencies(simulation)[0]).toMatchObject({ prepared: true, endpointingMs: 200 });
  });

  it('have it prepared after a pause in them that the recogniser has not ended either', () => {
    let state = initialState(settings);
    const feed = (event: TurnEvent): readonly string[] => {
      const next = step(state, event);
      state = next.state;
      return next.effects.map(({ type }) => type);
    };
    feed({ type: 'answered', at: 0 });
    feed({ type: 'utterance_started', utteranceId: 0, at: 50 });
    feed({ type: 'utterance_ended', utteranceId: 0, at: 1_000 });
    feed({ type: 'speech_started', since: 2_000, at: 2_060 });
    feed({ type: 'partial', text: 'What time', at: 2_300 });
    feed({ type: 'speech_stopped', since: 2_400, at: 2_480 });
    feed({ type: 'speech_started', since: 2_500, at: 2_560 });
    feed({ type: 'partial', text: question, at: 2_900 });
    expect(feed({ type: 'speech_paused', isPaused: true, at: 2_920 })).toEqual(['generate']);
    feed({ type: 'speech_stopped', since: 2_900, at: 2_980 });
    feed({ type: 'final', text: question, at: 3_000 });
    expect(feed({ type: 'wake', at: 3_250 })).toEqual(['release']);
  });

  it('have it dropped unheard when they turn out to be others', () => {
    const simulation = call([said(FIRST_AT, 'What time do you open on Sunday?', { partials, finalMs: 180 })]);
    expect(times(simulation, 'cancel_reply')).toHaveLength(1);
    expect(callerTexts(simulation.state.history)).toEqual(['What time do you open on Sunday?']);
    expect(simulation.sounds.map(({ text }) => text).slice(1, 2)).toEqual([REPLY]);
  });

  it('have none when they are the middle of a sentence', () => {
    const middle = [[300, 'I want to']] as const;
    const simulation = call([said(FIRST_AT, 'I want to book.', { partials: middle, finalMs: 500 })]);
    expect(times(simulation, 'generate')).toEqual([FIRST_AT + SOUND_MS + 500]);
  });

  it('have at most three in one turn, and never two for the same words', () => {
    const others = [question, 'When do you close?', question, 'Is it far?', 'May I come by?'];
    const grown = others.map((text, i) => [920 + i * 10, text] as const);
    const simulation = call([said(FIRST_AT, 'Where is the shop?', { partials: grown, finalMs: 300 })]);
    expect(times(simulation, 'generate')).toHaveLength(4);
    expect(callerTexts(simulation.state.history)).toEqual(['Where is the shop?']);
  });
});
