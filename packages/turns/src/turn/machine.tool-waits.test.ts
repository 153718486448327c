import { describe, expect, it } from 'vitest';
import type { HistoryItem } from './ports.ts';
import { count, run, spoken } from '../../../../test/helpers/turns.ts';
import { toolKey } from './tool-keys.ts';
import type { TurnEffect } from './types.ts';

const question = { at: 2_000, says: 'Is Tuesday free?', forMs: 500 } as const;
const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };
const lookup = (args: Record<string, unknown> = { day: 'Tuesday', at: 10 }) => ({ name: 'lookup', args });
const toolsOf = (call: ReturnType<typeof run>): Extract<TurnEffect, { type: 'tool' }>[] =>
  call.effects.flatMap(({ effect }) => (effect.type === 'tool' ? [effect] : []));
const tools = (history: readonly HistoryItem[]) => history.filter((item) => item.role === 'tool');

describe('a tool call', () => {
  it('runs once in a turn for equal arguments in any order, and the next reply has its result', () => {
    const call = run({
      acts: [question],
      brain: (history, n) => {
        if (n === 1) return { tools: [lookup()] };
        if (n === 2) return { tools: [lookup({ at: 10, day: 'Tuesday' })] };
        return { text: `Found ${tools(history).length}.` };
      },
      with: quiet,
      untilMs: 9_000,
    });
    expect(toolsOf(call)).toHaveLength(1);
    expect(spoken(call).at(-1)).toBe('agent: Found 1.');
  });

  it('waits for the result of an equal call that still runs', () => {
    const call = run({
      acts: [question],
      brain: (_, n) => (n === 1 ? { tools: [lookup(), lookup()] } : { text: 'Yes.' }),
      with: quiet,
      toolMs: 700,
      untilMs: 9_000,
    });
    expect(toolsOf(call)).toHaveLength(1);
    expect(tools(call.state.history)).toHaveLength(1);
    expect(spoken(call).at(-1)).toBe('agent: Yes.');
  });

  it('may run again in another turn, under another key, and with other arguments', () => {
    const call = run({
      acts: [question, { at: 8_000, says: 'And again?', forMs: 500 }],
      brain: (history, n) =>
        n === 1 || n === 4
          ? { tools: [lookup()] }
          : n === 2
            ? { tools: [lookup({ day: 'Friday' })] }
            : { text: `Found ${tools(history).length}.` },
      with: quiet,
      untilMs: 14_000,
    });
    expect(new Set(toolsOf(call).map(({ key }) => key)).size).toBe(3);
    expect(spoken(call).at(-1)).toBe('agent: Found 3.');
  });

  it('may send the same keys again', () => {
    const call = run({
      acts: [question],
      brain: (_, n) => (n === 1 ? { tools: [{ name: 'press' }, { name: 'press' }] } : { text: 'Done.' }),
      with: { ...quiet, tools: { press: { repeats: true } } },
      untilMs: 9_000,
    });
    expect(toolsOf(call)).toHaveLength(2);
  });

  it('has a key of its name, arguments and turn', () => {
    const key = toolKey({ name: 'book', args: { a: 1, b: [{ c: 2, d: null }] } }, 3);
    expect(toolKey({ name: 'book', args: { b: [{ d: null, c: 2 }], a: 1 } }, 3)).toBe(key);
    const others = [
      toolKey({ name: 'book', args: { a: 1, b: [{ c: 2, d: null }] } }, 4),
      toolKey({ name: 'cook', args: { a: 1, b: [{ c: 2, d: null }] } }, 3),
      toolKey({ name: 'book', args: { a: '1', b: [{ c: 2, d: null }] } }, 3),
    ];
    expect(new Set([key, ...others]).size).toBe(4);
    expect(key).toMatch(/^3-[0-9a-f]{16}$/);
  });
});

describe('the caller’s words while a tool runs', () => {
  const asked: HistoryItem[][] = [];
  /** The caller speaks at 4 s, while the tool of the first turn runs until `toolMs` after about 2.9 s. */
  const talked = (toolMs: number, afterMs: number) => {
    asked.length = 0;
    return run({
      acts: [question, { at: 4_000, says: 'In the morning please.', forMs: 1_000 }],
      toolMs,
      brain: (history, n) => {
        asked.push([...history]);
        return n === 1 ? { tools: [lookup()], afterMs: 50 } : { text: `Reply ${n}.`, afterMs };
      },
      with: quiet,
      untilMs: 14_000,
    });
  };

  it('are answered by a model that knows of the running call', () => {
    const call = talked(6_000, 100);
    const second = asked.find((history) =>
      history.some((item) => item.role === 'caller' && /morning/.test(item.text)),
    );
    expect(second).toContainEqual(
      expect.objectContaining({
        role: 'tool',
        name: 'lookup',
        result: expect.objectContaining({ status: 'running' }),
      }),
    );
    expect(toolsOf(call)).toHaveLength(1);
    // The record has the call once, with its result.
    expect(tools(call.state.history)).toHaveLength(1);
    expect(tools(call.state.history)[0]).toMatchObject({ result: { ok: true } });
  });

  it('and its result that comes during them get one reply', () => {
    // The result arrives at about 4.5 s, in the middle of the words.
    const call = talked(1_600, 100);
    expect(spoken(call).filter((line) => line.startsWith('agent: Reply'))).toHaveLength(1);
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(asked.at(-1)?.map((item) => item.role)).toContain('tool');
  });

  it('and its result that comes before the reply has text get one reply that knows both', () => {
    // Committed at about 5.35 s; the model needs 900 ms, and the result comes at 5.8 s.
    const call = talked(2_900, 900);
    expect(spoken(call).filter((line) => /^agent: .*Reply/.test(line))).toHaveLength(1);
    const last = asked.at(-1) ?? [];
    expect(tools(last)).toEqual([expect.objectContaining({ result: { ok: true } })]);
    expect(last).toContainEqual({ role: 'caller', text: 'In the morning please.', by: 'speech' });
  });
});

describe('a wait', () => {
  const fillers = { phrases: ['Let me look.'], probability: 1 };
  const started = (call: ReturnType<typeof run>, text: string): number | undefined =>
    call.sounds.find((sound) => sound.text === text)?.from;

  it('is filled with a phrase of the agent 900 ms after a tool started', () => {
    const call = run({
      acts: [question],
      toolMs: 2_000,
      brain: (_, n) => (n === 1 ? { tools: [lookup()], afterMs: 0 } : { text: 'Yes.' }),
      with: { ...quiet, fillers },
      untilMs: 9_000,
    });
    // The tool starts with the commit at 2850.
    expect(started(call, 'Let me look.')).toBe(2_850 + 900 + 50);
  });

  it('is filled while the model thinks, and the phrase is part of the reply', () => {
    const slow = (probability: number) =>
      run({
        acts: [question],
        brain: () => ({ text: 'Yes.', afterMs: 2_600 }),
        with: { ...quiet, fillers: { ...fillers, probability } },
        untilMs: 9_000,
      });
    expect(started(slow(1), 'Let me look.')).toBe(2_500 + 1_000 + 50);
    expect(spoken(slow(1)).at(-1)).toBe('agent: Let me look. Yes.');
    // Not drawn: the turn machine's own phrase.
    expect(started(slow(0), 'Let me look.')).toBe(undefined);
    expect(started(slow(0), 'One moment.')).toBe(2_500 + 1_000 + 50);
  });

  it('is not reached by a quick model or tool', () => {
    const call = run({
      acts: [question],
      toolMs: 300,
      brain: (_, n) => (n === 1 ? { tools: [lookup()], afterMs: 200 } : { text: 'Yes.', afterMs: 300 }),
      with: { ...quiet, fillers },
      untilMs: 9_000,
    });
    expect(spoken(call)).not.toContain('agent: Let me look.');
  });
});
