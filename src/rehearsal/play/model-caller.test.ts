import { setImmediate } from 'node:timers/promises';
import { array, assert, asyncProperty, constantFrom, integer, nat } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneQuestion, rehearsedAgent, saidBy } from '../../../test/helpers/agents/rehearsed.ts';
import { refusedLine, type CallerLine, type CallerLines } from '../../domain/rehearsals/caller-lines.ts';
import { bytesOf, mostAsked, mostLines } from '../caller/model-request.ts';
import { playCall } from './play-call.ts';
import { timingOf } from './timing.ts';

const said = (text: string, hangsUp = false): CallerLine => ({ text, hangsUp, refused: null });
const LINES = [
  said('Yes, Tuesday is fine.'),
  said('Sorry, who is this?'),
  said('Could we make it Wednesday?'),
  said('No.'),
  said('I have had enough.', true),
  refusedLine('unanswered'),
  refusedLine('empty'),
];

/** A model that gives these lines in turn, after so many turns of the event loop; records what it gave. */
function modelOf(lines: readonly CallerLine[], delays: readonly number[] = [0]) {
  const recorded = new Map<string, CallerLine>();
  const requests: { readonly system: string; readonly user: string }[] = [];
  const model: CallerLines = {
    async line(request) {
      const at = requests.push(request) - 1;
      for (let waited = delays[at % delays.length]!; waited > 0; waited--) await setImmediate();
      const line = lines[at % lines.length]!;
      expect(recorded.has(request.key)).toBe(false);
      recorded.set(request.key, line);
      return line;
    },
  };
  const replay: CallerLines = {
    line: ({ key }) => Promise.resolve(recorded.get(key) ?? refusedLine('unanswered')),
  };
  return { model, replay, requests, recorded };
}

const play = (lines: CallerLines | undefined, persona = {}, seed = 1) =>
  playCall({
    agent: rehearsedAgent(),
    scenario: oneQuestion({ lines: 'model', ...persona }),
    seed,
    timing: timingOf('usual'),
    ...(lines === undefined ? {} : { lines }),
  });

describe('a caller whose lines a model words', () => {
  it('says them, and the model gets goal, facts, temper, language and conversation', async () => {
    const { model, requests } = modelOf([said('Sure, Tuesday at ten suits me.')]);
    const played = await play(model, { temper: 'hurried', patience_seconds: 9 });
    expect(saidBy(played)[0]).toBe('Sure, Tuesday at ten suits me.');
    expect(played.lines).toEqual({ byModel: requests.length, refused: [] });
    expect(played.end?.reason).toBe('AGENT_ENDED');
    const [first] = requests;
    for (const part of [
      'To come on Tuesday.',
      'still suit you: Yes, it does.',
      'in a hurry',
      '9 s',
      'en-US',
      'Priya',
    ])
      expect(first!.system).toContain(part);
    expect(JSON.parse(first!.user).conversation.at(-1)).toMatchObject({
      speaker: 'agent',
      text: expect.stringContaining('still suit you'),
    });
  });

  it('says the words of the rules where the model fails, and the call says so', async () => {
    const { model } = modelOf([refusedLine('out_of_character')]);
    const played = await play(model);
    expect(saidBy(played)[0]).toBe('Yes, it does.');
    expect(played.lines?.byModel).toBe(0);
    expect(played.lines?.refused[0]).toMatchObject({ reason: 'out_of_character' });
    const withoutModel = await play(undefined);
    expect(saidBy(withoutModel)[0]).toBe('Yes, it does.');
    expect(withoutModel.lines?.refused[0]?.reason).toBe('unanswered');
  });

  it('hangs up when it has had enough', async () => {
    const played = await play(modelOf([said('I have had enough.', true)]).model);
    expect(played.end?.reason).toBe('USER_LEFT');
  });

  it('ends the call with the error of lines that cannot be had', async () => {
    const lines: CallerLines = { line: () => Promise.reject(new Error('stopped')) };
    await expect(play(lines)).rejects.toThrow('stopped');
  });

  it('plays the same call to the last bit from recorded lines, however long the model took', async () => {
    await assert(
      asyncProperty(
        array(constantFrom(...LINES), { minLength: 1, maxLength: 6 }),
        array(nat(4), { minLength: 1, maxLength: 5 }),
        integer({ min: 1, max: 1_000 }),
        async (lines, delays, seed) => {
          const habits = { asks_twice: 0.3, interrupts: 0.4, holds: 0.3, backchannels: 0.3, hands_over: 0.2 };
          const { model, replay } = modelOf(lines, delays);
          const played = await play(model, { habits }, seed);
          expect(await play(replay, { habits }, seed)).toEqual(played);
          const slower = modelOf(lines, [7]);
          expect(await play(slower.model, { habits }, seed)).toEqual(played);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('asks for no more lines and bytes than a budget counts with', async () => {
    await assert(
      asyncProperty(
        array(constantFrom(...LINES.slice(0, 4)), { minLength: 1, maxLength: 4 }),
        integer({ min: 1, max: 8 }),
        integer({ min: 1, max: 1_000 }),
        async (lines, turns, seed) => {
          const persona = { most_turns: turns, otherwise: 'Why? '.repeat(80), habits: { interrupts: 1 } };
          const scenario = oneQuestion({ lines: 'model', ...persona });
          const most = mostAsked(scenario, 'en-US', seed);
          const { model, requests } = modelOf(lines);
          await play(model, persona, seed);
          expect(most.lines).toBe(mostLines(scenario.persona));
          expect(requests.length).toBeLessThanOrEqual(most.lines);
          for (const { system, user } of requests)
            expect(bytesOf(system) + bytesOf(user)).toBeLessThan(most.bytes);
        },
      ),
      { numRuns: 40 },
    );
    expect(mostAsked(oneQuestion(), 'en-US', 1).lines).toBe(0);
  });
});
