import { expect, it } from 'vitest';
import { writeEntry, writeHeader, type TurnEvent } from '@callwright/turns';
import { flowPath } from './flow-path.ts';

const done = (at: number, steps?: readonly string[]) =>
  ({
    type: 'reply_done',
    replyId: 1,
    memory: null,
    expected: null,
    at,
    ...(steps === undefined ? {} : { steps }),
  }) as unknown as TurnEvent;
const heard = (at: number, text: string) => ({ type: 'final', text, at }) as unknown as TurnEvent;

it('reads the moves of a log with their times', () => {
  const events = [
    done(1_000.5, ['greet → want (default)']),
    heard(2_000, 'the "steps":["greet → bye (lie)"] they said'),
    done(2_500.5, ['want → reason (book)', "reason → desk (reason == 'pain')"]),
    done(3_000.5),
  ];
  const header = writeHeader({ version: 1, startedAt: 1_000, settings: {} as never, cutMs: null });
  const log = header + events.map((event) => writeEntry({ event, decision: '' }, 1_000)).join('');
  expect(flowPath(log)).toEqual([
    { ms: 0.5, from: 'greet', to: 'want', by: 'default' },
    { ms: 1_500.5, from: 'want', to: 'reason', by: 'book' },
    { ms: 1_500.5, from: 'reason', to: 'desk', by: "reason == 'pain'" },
  ]);
});

it('reads no moves of damaged lines and of other texts', () => {
  expect(flowPath('')).toEqual([]);
  expect(flowPath('[1,"",{"steps":["a → b (c)"')).toEqual([]);
  expect(flowPath('[1,"",{"steps":[7,"a b","a → b (c)"]}]')).toEqual([
    { ms: 1, from: 'a', to: 'b', by: 'c' },
  ]);
});
