import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../domain/calls/attempt/next-step.ts';
import { canMove } from '../domain/calls/attempt/transitions.ts';
import { failureReason } from '../shared/failure-reason.ts';
import type { CallFailure } from '@callwright/sip';
import type { ConversationResult } from '../voice/conversation.ts';
import type { CallSpec } from '../session/protocol.ts';
import {
  GRACE_MS,
  PREPARING,
  RESULT_TIMEOUT_MS,
  step,
  type CallEffect,
  type CallEnd,
  type CallEvent,
  type CallState,
} from './call-machine.ts';

const MAX_CALL_MS = 60_000;
const SPEC = { maxCallMs: MAX_CALL_MS } as CallSpec;
const resultAt = (at: number, reason: ConversationResult['reason'] = 'USER_LEFT'): ConversationResult =>
  ({ reason, endedAt: at }) as ConversationResult;
const failureAt = (at: number, more: Partial<CallFailure> = {}): CallFailure => ({
  failure: 'cancelled',
  sipCode: 487,
  reason: 'cancelled',
  neverSent: false,
  at,
  ...more,
});

/** One event of each kind; the values that decide something vary. */
const EVENTS: readonly ((at: number) => CallEvent)[] = [
  (at) => ({ type: 'connecting', at, withinMs: 30_000 }),
  (at) => ({ type: 'ringing', at, sipCode: 180 }),
  (at) => ({ type: 'answered', at, sipCallId: 'sip', spec: SPEC }),
  (at) => ({ type: 'disowned', at }),
  (at) => ({ type: 'hangup_requested', at }),
  (at) => ({ type: 'cut', at, cause: 'stopped' }),
  (at) => ({ type: 'cut', at, cause: 'crashed' }),
  (at) => ({ type: 'remote_ended', at, by: 'caller', sipCode: null }),
  (at) => ({ type: 'remote_ended', at, by: 'system', sipCode: 481 }),
  (at) => ({ type: 'failed', at, failure: failureAt(at) }),
  (at) => ({ type: 'failed', at, failure: failureAt(at, { failure: 'busy', sipCode: 486, reason: 'busy' }) }),
  (at) => ({
    type: 'failed',
    at,
    failure: failureAt(at, { failure: 'no_answer', sipCode: null, reason: 'window closed' }),
  }),
  (at) => ({ type: 'not_dialled', at, toolLog: [] }),
  (at) => ({ type: 'released', at, stored: null }),
  (at) => ({ type: 'special_tones', at, isNumber: true }),
  (at) => ({ type: 'special_tones', at, isNumber: false }),
  (at) => ({ type: 'conversation_ended', at, failure: null }),
  (at) => ({ type: 'conversation_ended', at, failure: failureReason('VOICE_FAILED') }),
  (at) => ({ type: 'finished', at, result: resultAt(at) }),
  (at) => ({ type: 'finished', at, result: resultAt(at, 'FAILED') }),
  (at) => ({ type: 'worker_lost', at, why: 'ended' }),
  (at) => ({ type: 'guard', at }),
];
const GUARD = EVENTS.length - 1;

const life = fc
  .array(fc.nat({ max: EVENTS.length - 1 }), { maxLength: 12 })
  .map((kinds) => kinds.map((kind, index) => EVENTS[kind]!(1000 + index * 100)));
/** A life that the guard ends if nothing else has. */
const wholeLife = life.map((events) => [...events, EVENTS[GUARD]!(1000 + events.length * 100)]);

interface Lived {
  readonly states: readonly CallState[];
  readonly effects: readonly (readonly CallEffect[])[];
}

function live(events: readonly CallEvent[], from: CallState = PREPARING): Lived {
  const states = [from];
  const effects: (readonly CallEffect[])[] = [];
  for (const event of events) {
    const stepped = step(states.at(-1)!, event);
    states.push(stepped.state);
    effects.push(stepped.effects);
  }
  return { states, effects };
}
const after = (...events: CallEvent[]): CallState => live(events).states.at(-1)!;
const endsOf = ({ effects }: Lived) =>
  effects.flat().filter(({ type }) => type === 'settle' || type === 'leave');
const settledIn = ({ effects }: Lived): CallEnd | null => {
  const settle = effects.flat().find((effect) => effect.type === 'settle');
  return settle?.type === 'settle' ? settle.end : null;
};
const ring: CallEvent = { type: 'ringing', at: 1, sipCode: 180 };
const answer: CallEvent = { type: 'answered', at: 2, sipCallId: 'sip', spec: SPEC };

/** A state of each name, the ending ones with every cause. */
const STATES: Readonly<Record<string, CallState>> = {
  preparing: PREPARING,
  dialling: after({ type: 'connecting', at: 1, withinMs: 1 }),
  ringing: after(ring),
  answered: after(answer),
  'ending before the answer': after(ring, { type: 'hangup_requested', at: 3 }),
  'ending by tones': after(ring, { type: 'special_tones', at: 3, isNumber: true }),
  'ending by a cut': after(ring, { type: 'cut', at: 3, cause: 'stopped' }),
  'ending after the answer': after(answer, { type: 'remote_ended', at: 3, by: 'caller', sipCode: null }),
  'ending by a cut after the answer': after(answer, { type: 'cut', at: 3, cause: 'crashed' }),
  over: after(answer, { type: 'worker_lost', at: 3, why: 'ended' }),
};

describe('the call machine', () => {
  it.each(Object.entries(STATES))(
    'takes every event while it is %s, and the guard then ends it',
    (_, state) => {
      for (const event of EVENTS) {
        const lived = live([event(10), EVENTS[GUARD]!(20)], state);
        expect(lived.states.at(-1)).toEqual({ name: 'over' });
        expect(endsOf(lived)).toHaveLength(state.name === 'over' ? 0 : 1);
      }
    },
  );

  it('ends exactly once, whatever happens in which order', () => {
    fc.assert(
      fc.property(wholeLife, (events) => {
        expect(endsOf(live(events))).toHaveLength(1);
      }),
    );
  });

  it('has no effect after its end, and the end is its last effect', () => {
    fc.assert(
      fc.property(wholeLife, (events) => {
        const lived = live(events);
        const last = lived.effects.findIndex(
          (effects) => endsOf({ states: [], effects: [effects] }).length > 0,
        );
        expect(lived.effects[last]!.at(-1)!.type).toMatch(/settle|leave/);
        expect(lived.effects.slice(last + 1).flat()).toEqual([]);
      }),
    );
  });

  it('changes nothing in the state that it was given', () => {
    fc.assert(
      fc.property(life, (events) => {
        const { states } = live(events);
        const frozen = structuredClone(states);
        for (const [index, event] of events.entries()) step(states[index]!, event);
        expect(states).toEqual(frozen);
      }),
    );
  });

  it('moves the status of the call only along the table of transitions', () => {
    fc.assert(
      fc.property(wholeLife, (events) => {
        const lived = live(events);
        const published = lived.effects
          .flat()
          .flatMap((effect) => (effect.type === 'status' ? [effect.subStatus] : []));
        expect(published.join(' ')).toMatch(/^(RINGING ?)*(ACCEPTED)?$/);
        const end = settledIn(lived);
        expect(end === null || canMove('settle', 'ongoing', outcomeOf(end.end).final)).toBe(true);
      }),
    );
  });

  it('settles an answered call as answered or cut with its answer, any other without one', () => {
    fc.assert(
      fc.property(wholeLife, (events) => {
        const lived = live(events);
        const end = settledIn(lived);
        fc.pre(end !== null);
        const answers = lived.effects
          .flat()
          .flatMap((effect) => (effect.type === 'journal_answered' ? [effect.at] : []));
        expect(answers.length).toBeLessThanOrEqual(1);
        const [answeredAt = null] = answers;
        const kind = end?.end.kind;
        const isCut = kind === 'stopped' || kind === 'crashed';
        expect(end?.answeredAt).toBe(answeredAt);
        expect(end?.endedAt).toBeGreaterThanOrEqual(answeredAt ?? 0);
        expect(isCut || kind === (answeredAt === null ? 'not_answered' : 'answered')).toBe(true);
        expect(end?.result === null || answeredAt !== null).toBe(true);
      }),
    );
  });

  it('has a guard from the moment it connects or is answered', () => {
    fc.assert(
      fc.property(life, (events) => {
        const { states, effects } = live(events);
        events.forEach((event, index) => {
          const begins =
            states[index]!.name !== 'over' &&
            (event.type === 'connecting' ||
              effects[index]!.some(({ type }) => type === 'start_conversation'));
          expect(begins && !effects[index]!.some(({ type }) => type === 'guard')).toBe(false);
        });
      }),
    );
  });
});

/** What the first cause of these events says; written from the rules, not from the machine. */
function firstCause(events: readonly CallEvent[]): { by: string; cut: string | null; tones: boolean } | null {
  let isAnswered = false;
  for (const event of events) {
    const cause = { by: 'system', cut: null, tones: false };
    if (event.type === 'answered') isAnswered = true;
    if (event.type === 'hangup_requested') return cause;
    if (event.type === 'cut') return { ...cause, cut: event.cause };
    if (event.type === 'conversation_ended' || event.type === 'disowned') return { ...cause, by: 'agent' };
    if (event.type === 'special_tones' && !isAnswered) return { ...cause, tones: true };
    if (event.type === 'remote_ended' && isAnswered) return { ...cause, by: event.by };
    if (event.type === 'failed' && isAnswered) return cause;
  }
  return null;
}

describe('the first cause of an end', () => {
  it('says who hung up an answered call, and that this process cut a call', () => {
    fc.assert(
      fc.property(wholeLife, (events) => {
        const lived = live(events);
        const end = settledIn(lived);
        fc.pre(end !== null);
        const last = lived.effects.findIndex((effects) => effects.some(({ type }) => type === 'settle'));
        const cause = firstCause(events.slice(0, last));
        const { kind } = end.end;
        const isCut = kind === 'stopped' || kind === 'crashed';
        const cutBy = end.result !== null || isCut ? (cause?.cut ?? null) : null;
        expect(isCut ? kind : null).toBe(cutBy);
        const hungUpBy = isCut || end.result === null ? 'system' : (cause?.by ?? 'system');
        expect(end.hangupBy).toBe(kind === 'not_answered' ? null : hungUpBy);
      }),
    );
  });

  it('keeps an announcement of the network as the reason of a call that was not answered', () => {
    fc.assert(
      fc.property(wholeLife, (events) => {
        const lived = live([ring, { type: 'special_tones', at: 2, isNumber: true }, ...events]);
        const end = settledIn(lived);
        const isAnswered = lived.effects.flat().some(({ type }) => type === 'start_conversation');
        const isOther = events.some(({ type }) => type === 'not_dialled' || type === 'released');
        fc.pre(!isAnswered && !isOther);
        expect(end).toMatchObject({
          end: { kind: 'not_answered', failure: 'invalid_number' },
          reason: 'special information tones while it rang',
        });
      }),
    );
  });

  /** What ends a ringing call by itself, and how. */
  const DECISIVE: Readonly<
    Record<string, { event: (at: number) => CallEvent; failure: string; reason: string }>
  > = {
    guard: {
      event: (at) => ({ type: 'guard', at }),
      failure: 'failed',
      reason: 'the call outlived every limit',
    },
    'worker loss': {
      event: (at) => ({ type: 'worker_lost', at, why: 'ended' }),
      failure: 'failed',
      reason: 'the call worker ended',
    },
    'caller gone': {
      event: (at) => ({ type: 'remote_ended', at, by: 'caller', sipCode: 487 }),
      failure: 'cancelled',
      reason: 'the caller gave up',
    },
    'window closing': {
      event: (at) => ({
        type: 'failed',
        at,
        failure: failureAt(at, { failure: 'no_answer', reason: 'window closed' }),
      }),
      failure: 'no_answer',
      reason: 'window closed',
    },
  };
  /** What makes a ringing call end, and waits for one of the above. */
  const CAUSES: Readonly<Record<string, (at: number) => CallEvent>> = {
    hangup: (at) => ({ type: 'hangup_requested', at }),
    fence: (at) => ({ type: 'cut', at, cause: 'crashed' }),
    tones: (at) => ({ type: 'special_tones', at, isNumber: false }),
  };

  it('decides in every order of guard, hangup, cancel, worker loss, fence, tones and window closing', () => {
    const different: unknown[] = [];
    for (const order of permutations([...Object.keys(DECISIVE), ...Object.keys(CAUSES)])) {
      const lived = live([
        ring,
        ...order.map((name, index) => (DECISIVE[name]?.event ?? CAUSES[name]!)(100 + index)),
      ]);
      const decisive = order.findIndex((name) => name in DECISIVE);
      const { failure, reason } = DECISIVE[order[decisive]!]!;
      const [cause] = order.slice(0, decisive);
      const expected =
        cause === 'tones'
          ? ['failed', null, 'special information tones while it rang']
          : cause === 'fence' && failure === 'cancelled'
            ? ['crashed', 'system', 'node lost']
            : [failure, null, reason];
      const end = settledIn(lived);
      const how = end?.end.kind === 'not_answered' ? end.end.failure : end?.end.kind;
      const seen = [how, end?.hangupBy, end?.reason];
      if (endsOf(lived).length !== 1 || String(seen) !== String(expected))
        different.push({ order, seen, expected });
    }
    expect(different).toEqual([]);
  });
});

describe('the end of an answered call', () => {
  it('waits for the result of the conversation after the caller hung up', () => {
    const { state, effects } = step(STATES['answered']!, EVENTS[7]!(5000));
    expect(state).toMatchObject({ name: 'ending', by: 'caller' });
    expect(effects).toEqual([
      { type: 'remote_hangup', at: 5000 },
      { type: 'end_transfer', by: 'caller' },
      { type: 'guard', ms: RESULT_TIMEOUT_MS },
    ]);
  });

  it('hangs up again when the answer crosses our CANCEL, and still takes the result', () => {
    const { state, effects } = step(STATES['ending before the answer']!, { ...answer, at: 7 });
    expect(effects).toEqual([
      { type: 'start_conversation', at: 7, spec: SPEC },
      { type: 'status', subStatus: 'ACCEPTED', at: 7 },
      { type: 'journal_answered', at: 7 },
      { type: 'guard', ms: MAX_CALL_MS + GRACE_MS },
      { type: 'hangup', cause: 'cancelled' },
    ]);
    const end = settledIn(live([{ type: 'finished', at: 9, result: resultAt(9) }], state));
    expect(end).toMatchObject({ end: { kind: 'answered' }, hangupBy: 'system', answeredAt: 7 });
  });

  it('keeps the failure that the conversation reported before its worker was lost', () => {
    const voice = failureReason('VOICE_FAILED');
    const end = settledIn(
      live([
        answer,
        { type: 'conversation_ended', at: 3, failure: voice },
        { type: 'worker_lost', at: 4, why: 'ended' },
      ]),
    );
    expect(end).toMatchObject({ reason: 'the call worker ended', failure: voice, hangupBy: 'system' });
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}
