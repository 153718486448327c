import { describe, expect, it } from 'vitest';
import { count, run, settings, spoken, times } from '../../../../test/helpers/turns.ts';
import type { Act, Simulation, World } from '../../../../test/rigs/turn/simulate.ts';
import { initialState, step } from './machine.ts';
import type { StartRule, TurnSettings } from './types.ts';
const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };
const HELLO: StartRule = { after: 'hello', waitMs: 700 };
const begin = (
  start: StartRule,
  acts: readonly Act[],
  world: Partial<World> & { with?: Partial<TurnSettings> } = {},
): Simulation => run({ untilMs: 5_000, ...world, acts, with: { start, ...world.with } });
const firstAt = (call: Simulation): number | undefined => call.sounds[0]?.from;

describe('the first message', () => {
  it('comes 700 ms after the answer when the callee says nothing, without any further wait for its audio', () => {
    const call = begin(HELLO, []);
    expect(times(call, 'speak')).toEqual([0]);
    expect(firstAt(call)).toBe(700);
    expect(spoken(call)[0]).toBe('agent: Hello this is Maya.');
  });

  it('comes as soon as the callee has said hello, if that is sooner', () => {
    const call = begin(HELLO, [{ at: 100, says: 'Hello?', forMs: 300 }]);
    // The gate knows the end of the hello 120 ms later.
    expect(firstAt(call)).toBe(520);
    expect(spoken(call)).toEqual(['caller: Hello?', 'agent: Hello this is Maya.']);
    expect(count(call, 'generate')).toBe(0);
  });

  it('does not begin in the middle of a hello, but speaks to one who goes on talking', () => {
    expect(firstAt(begin(HELLO, [{ at: 500, says: 'Hello hello?', forMs: 600 }]))).toBe(1_220);
    expect(firstAt(begin(HELLO, [{ at: 500, says: 'blah', forMs: 9_000 }]))).toBe(2_000);
  });

  it('follows a hello that the recogniser did not understand, and is not asked for again', () => {
    const call = begin(HELLO, [{ at: 100, says: '', forMs: 400, finalMs: null }]);
    expect(call.sounds.map(({ text }) => text)[0]).toBe('Hello this is Maya.');
    expect(call.sounds.map(({ text }) => text)).not.toContain('Pardon?');
  });

  it.each([true, false])(
    'is whole, and a question before it is answered after it (muted: %s)',
    (muteDuringIntro) => {
      for (const finalMs of [130, 500]) {
        const call = begin(HELLO, [{ at: 100, says: 'Who is this?', forMs: 450, finalMs }], {
          with: { muteDuringIntro },
        });
        expect(call.sounds[0]).toMatchObject({ text: 'Hello this is Maya.', cut: false });
        expect(spoken(call).toSorted()).toEqual([
          'agent: All right.',
          'agent: Hello this is Maya.',
          'caller: Who is this?',
        ]);
        expect(count(call, 'generate')).toBe(1);
      }
    },
  );

  it('comes after a delay of its own, hello or not', () => {
    const start: StartRule = { after: 'delay', waitMs: 1_500 };
    expect(firstAt(begin(start, []))).toBe(1_500);
    expect(firstAt(begin(start, [{ at: 100, says: 'Hello?', forMs: 300 }]))).toBe(1_500);
  });

  it('waits for the first words of the caller, and at most for the limit', () => {
    const start: StartRule = { after: 'caller', waitMs: 6_000 };
    expect(firstAt(begin(start, [], { untilMs: 8_000 }))).toBe(6_000);
    const hello = begin(start, [{ at: 2_000, says: 'Hello?', forMs: 400 }]);
    expect(firstAt(hello)).toBe(2_750);
    expect(spoken(hello)).toEqual(['caller: Hello?', 'agent: Hello this is Maya.']);
    const question = begin(start, [{ at: 2_000, says: 'I want to book.', forMs: 900 }], {
      untilMs: 7_000,
    });
    expect(spoken(question).at(-1)).toBe('agent: All right.');
    expect(count(question, 'generate')).toBe(1);
  });

  it('waits when it is generated, too', () => {
    const quiet = begin(HELLO, [], { with: { introMessage: '' } });
    expect(times(quiet, 'generate')[0]).toBe(700);
    const asks = begin(HELLO, [{ at: 100, says: 'Who is this?', forMs: 300 }], {
      with: { introMessage: '' },
    });
    expect(count(asks, 'generate')).toBe(1);
    expect(spoken(asks)[0]).toBe('caller: Who is this?');
  });

  it('is not spoken to a machine that answered during the wait', () => {
    let state = initialState({ ...settings, start: HELLO });
    const types: string[] = [];
    for (const event of [
      { type: 'answered', at: 0 },
      { type: 'machine_answered', before: 'machine', at: 300 },
      { type: 'wake', at: 800 },
      { type: 'wake', at: 3_000 },
    ] as const) {
      const next = step(state, event);
      state = next.state;
      types.push(...next.effects.map(({ type }) => type));
    }
    expect(types).toContain('cancel_reply');
    expect(types).not.toContain('release');
  });

  it('is spoken after a hold that came before it', () => {
    let state = initialState({ ...settings, start: HELLO });
    const released: number[] = [];
    for (const event of [
      { type: 'answered', at: 0 },
      { type: 'held', at: 200 },
      { type: 'wake', at: 900 },
      { type: 'resumed', at: 4_000 },
    ] as const) {
      const next = step(state, event);
      state = next.state;
      if (next.effects.some(({ type }) => type === 'release')) released.push(event.at);
    }
    expect(released).toEqual([4_000]);
  });
});

describe('a silent or muted start', () => {
  it('begins after the wait when the callee never says hello', () => {
    const call = run({ with: { ...quiet, start: { after: 'hello', waitMs: 700 } }, untilMs: 3_000 });
    expect(call.sounds[0]).toMatchObject({ text: 'Hello this is Maya.', from: 700 });
  });

  it('answers words over a muted first message after it', () => {
    const call = run({ with: quiet, acts: [{ at: 200, says: 'Who is this?', forMs: 700 }], untilMs: 6_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call)).toEqual(['agent: Hello this is Maya.', 'caller: Who is this?', 'agent: All right.']);
  });
});
