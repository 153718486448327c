import { describe, expect, it } from 'vitest';
import type { PlayedCall } from '../play/rehearsal.ts';
import type { RehearsalExpectation } from '../scenario/document.ts';
import { interactionOf } from './interaction.ts';
import { judgeCall } from './judge-call.ts';
import { alarmsOf, passToThe, tally } from './tally.ts';

type Said = readonly [text: string, from: number, to: number];
const call = (
  agent: readonly Said[],
  caller: readonly Said[],
  more: Partial<PlayedCall> = {},
): PlayedCall => ({
  seed: 1,
  settings: {} as PlayedCall['settings'],
  events: [],
  agent: agent.map(([text, from, to]) => ({ text, from, to, cut: false })),
  caller: caller.map(([text, from, to]) => ({ text, from, to, kind: 'turn' })),
  tools: [],
  end: { reason: 'AGENT_ENDED', at: 20_000 },
  failure: null,
  ...more,
});
const ALARMS = [{ detector: 'loop', at: 2_000, detail: 'three times' }] as const;
const judged = (expectation: RehearsalExpectation, played: PlayedCall): string => {
  const [verdict] = judgeCall([expectation], played, ALARMS);
  return `${verdict?.result}: ${verdict?.reason}`;
};

const talk = call(
  [
    ['Hello.', 0, 1_000],
    ['Your name?', 1_000, 2_000],
    ['Thank you.', 5_200, 6_000],
  ],
  [['Maria.', 3_000, 4_000]],
);

describe('expectations of words and tools', () => {
  it('count the turns of the caller', () => {
    expect(judged({ type: 'says', any_of: ['your name'], turn: 0 }, talk)).toMatch(/^held/);
    expect(judged({ type: 'says', any_of: ['hello your name'] }, talk)).toMatch(/^held/);
    expect(judged({ type: 'says', any_of: ['your name'], turn: 1 }, talk)).toMatch(/^not_held/);
    expect(judged({ type: 'never_says', any_of: ['goodbye'] }, talk)).toMatch(/^held/);
  });

  it('find tools by their arguments', () => {
    const tools = [{ name: 'book', args: { day: 'Tuesday' }, result: null, ok: true, at: 4_500, ms: 10 }];
    const booked = call([], [['Tuesday.', 3_000, 4_000]], { tools });
    expect(
      judged({ type: 'calls_tool', tool: 'book', arguments: { day: 'tuesday' }, turn: 1 }, booked),
    ).toMatch(/^held/);
    expect(judged({ type: 'never_calls_tool', tool: 'book' }, booked)).toMatch(/^not_held/);
  });

  it('know how the call ended', () => {
    expect(judged({ type: 'ends', as: ['AGENT_ENDED'] }, talk)).toMatch(/^held/);
    expect(judged({ type: 'ends', as: ['OPEN'] }, { ...talk, end: null })).toMatch(/^held/);
    expect(judged({ type: 'ends', as: ['OPEN'] }, talk)).toBe('not_held: It ended as AGENT_ENDED.');
  });
});

describe('expectations of timing', () => {
  it('measure the slowest reply', () => {
    expect(judged({ type: 'replies_within', seconds: 1.2 }, talk)).toMatch(/^held/);
    expect(judged({ type: 'replies_within', seconds: 1.1 }, talk)).toBe(
      'not_held: The slowest reply came 1.20 s after “Maria.”.',
    );
  });

  it('need a reply to the last turn, unless the call ends at once', () => {
    const open = call([], [['Maria.', 3_000, 4_000]], { end: null });
    expect(judged({ type: 'replies_within', seconds: 3 }, open)).toMatch(/^not_held: .* never after/);
    const left = { ...open, end: { reason: 'USER_LEFT' as const, at: 4_500 } };
    expect(judged({ type: 'replies_within', seconds: 3 }, left)).toMatch(/^held/);
  });

  it('leave out turns after which the caller goes on itself', () => {
    const two = call(
      [['Thank you.', 9_000, 9_500]],
      [
        ['Maria.', 1_000, 2_000],
        ['Lopez.', 8_000, 8_500],
      ],
    );
    expect(judged({ type: 'replies_within', seconds: 1 }, two)).toMatch(/^held/);
  });

  it('measure how long the agent speaks on after an interruption', () => {
    const cut = call([['A long sentence', 0, 2_400]], []);
    const interrupted = {
      ...cut,
      caller: [{ text: 'Stop.', kind: 'interruption' as const, from: 2_000, to: 2_600 }],
    };
    expect(judged({ type: 'stops_within', seconds: 0.4 }, interrupted)).toMatch(/^held/);
    expect(judged({ type: 'stops_within', seconds: 0.3 }, interrupted)).toMatch(/^not_held: .*0\.40 s/);
    expect(judged({ type: 'stops_within', seconds: 0.1 }, talk)).toMatch(/^held/);
  });

  it('give a caller who asks for it its time', () => {
    const wait = call([['Are you there?', 6_000, 7_000]], [['One moment, please.', 3_000, 4_000]]);
    expect(judged({ type: 'no_reply_for', seconds: 2, after: ['one moment'] }, wait)).toMatch(/^held/);
    expect(judged({ type: 'no_reply_for', seconds: 3, after: ['one moment'] }, wait)).toMatch(/^not_held/);
    expect(judged({ type: 'no_reply_for', seconds: 3, after: ['hold on'] }, wait)).toMatch(/^held/);
  });

  it('ask the detectors', () => {
    expect(judged({ type: 'no_alarm' }, talk)).toBe('not_held: loop at 2.00 s: three times');
    expect(judged({ type: 'no_alarm', of: ['dead_air'] }, talk)).toMatch(/^held/);
  });

  it('detect an agent that talks over a turn', () => {
    const over = call([['Thank you.', 3_200, 4_100]], [['Maria Lopez.', 3_000, 4_000]]);
    expect(judged({ type: 'no_overlap' }, over)).toMatch(/^not_held: The agent talked for 0\.80 s over/);
    expect(judged({ type: 'no_overlap', seconds: 1 }, over)).toMatch(/^held/);
    expect(judged({ type: 'no_overlap' }, talk)).toMatch(/^held/);
  });
});

describe('the results of a run', () => {
  const scenario = { name: 'One', persona: { goal: 'x' }, expect: [{ type: 'no_overlap' as const }] };
  it('count calls by scenario and expectation, and keep the first that did not pass', () => {
    const alarms = [{ detector: 'loop' as const, at: 1, detail: 'three times' }];
    const judgedCall = (call: number, result: 'held' | 'not_held', failure: string | null = null) => ({
      scenario: 0,
      call,
      seed: call,
      failure,
      alarms: call === 2 ? alarms : [],
      replyMs: null,
      interaction: interactionOf({ agent: [], caller: [] }),
      verdicts: failure === null ? [{ result, reason: `reason ${call}` }] : [],
    });
    const calls = [
      judgedCall(0, 'held'),
      judgedCall(1, 'not_held'),
      judgedCall(2, 'not_held'),
      judgedCall(3, 'held', 'x'),
    ];
    expect(alarmsOf(calls)).toEqual([
      { detector: 'loop', calls: 1, example: { call: 2, detail: 'three times' } },
    ]);
    expect(tally([scenario], calls)).toEqual([
      {
        name: 'One',
        passed: 1,
        calls: 3,
        errors: 1,
        expectations: [
          {
            expectation: { type: 'no_overlap' },
            held: 1,
            calls: 3,
            example: { call: 1, reason: 'reason 1' },
          },
        ],
      },
    ]);
  });

  it('give the chance that k calls in a row pass', () => {
    expect(passToThe(1, [{ passed: 3, calls: 4 }])).toBe(0.75);
    // Of six pairs out of four calls, three have no failed call.
    expect(passToThe(2, [{ passed: 3, calls: 4 }])).toBe(0.5);
    expect(passToThe(2, [{ passed: 1, calls: 4 }])).toBe(0);
    expect(passToThe(5, [{ passed: 4, calls: 4 }])).toBe(null);
  });
});
