import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { stepPlaced, UNPLACED, type PlacedCall, type PlacedEffect, type PlacedEvent } from './placed-call.ts';

const ID = 'CA1';

function run(events: readonly PlacedEvent[]): { call: PlacedCall; effects: PlacedEffect[] } {
  const effects: PlacedEffect[] = [];
  const call = events.reduce<PlacedCall>((before, event) => {
    const [after, done] = stepPlaced(before, event);
    effects.push(...done);
    return after;
  }, UNPLACED);
  return { call, effects };
}

const status = (state: CarrierCallState | null, sipCode: number | null = null): PlacedEvent => ({
  type: 'status',
  carrierCallId: ID,
  state,
  sipCode,
});
const OPEN: PlacedEvent = { type: 'gate_open' };
const ACCEPTED: PlacedEvent = { type: 'accepted', carrierCallId: ID };
const LOST: PlacedEvent = { type: 'lost', reason: 'the answer is lost' };
const HANGUP: PlacedEvent = { type: 'hangup', reason: 'cancelled' };
const failure = ({ effects }: ReturnType<typeof run>) =>
  effects.flatMap((effect) => (effect.type === 'failed' ? [[effect.failure, effect.neverSent]] : []));
const typesOf = ({ effects }: ReturnType<typeof run>): string[] => effects.map(({ type }) => type);

describe('a call that a carrier places', () => {
  it('rings, is answered with its stream, and ends with the far side', () => {
    const answered = [OPEN, ACCEPTED, status('ringing'), { type: 'connected' } as const, status('answered')];
    expect(typesOf(run(answered))).toEqual(['place', 'ringing', 'answered']);
    expect(typesOf(run([...answered, status('completed')]))).toEqual([
      'place',
      'ringing',
      'answered',
      'ended',
    ]);
  });

  it.each([
    ['busy', 486, 'busy'],
    ['no_answer', null, 'no_answer'],
    ['cancelled', null, 'cancelled'],
    ['invalid_number', null, 'invalid_number'],
    ['failed', 404, 'invalid_number'],
    ['failed', 503, 'failed'],
    ['failed', null, 'failed'],
    ['completed', null, 'failed'],
  ] as const)('ends by the report %s (SIP %s) as %s', (state, sipCode, expected) => {
    expect(failure(run([OPEN, ACCEPTED, status(state, sipCode)]))).toEqual([[expected, false]]);
  });

  it('is not placed when its gate closes or it is hung up before', () => {
    expect(run([{ type: 'gate_closed' }]).effects).toMatchObject([
      { failure: 'failed', neverSent: true, tooLate: true },
    ]);
    expect(failure(run([HANGUP, OPEN]))).toEqual([['cancelled', true]]);
    expect(typesOf(run([HANGUP, OPEN]))).not.toContain('place');
  });

  it('was never sent when the carrier refuses it, or its address cannot be reached', () => {
    expect(failure(run([OPEN, { type: 'refused', failure: 'invalid_number', reason: '' }]))).toEqual([
      ['invalid_number', true],
    ]);
    expect(failure(run([OPEN, { type: 'unsent', reason: '' }]))).toEqual([['failed', true]]);
  });

  it('goes on after a lost answer by the reports of the carrier, and fails without one', () => {
    expect(
      typesOf(run([OPEN, LOST, status('ringing'), { type: 'connected' }, { type: 'no_proof' }])),
    ).toEqual(['place', 'expect', 'ringing', 'answered']);
    expect(failure(run([OPEN, LOST, { type: 'no_proof' }]))).toEqual([['failed', false]]);
  });

  it('is ended at the carrier when it was hung up while its id was unknown, once', () => {
    const ended = run([OPEN, HANGUP, ACCEPTED, status('ringing'), status('answered')]);
    expect(typesOf(ended)).toEqual(['place', 'failed', 'end']);
    const late = run([OPEN, LOST, { type: 'no_proof' }, status('ringing'), status('ringing')]);
    expect(typesOf(late)).toEqual(['place', 'expect', 'failed', 'end']);
    expect(typesOf(run([OPEN, LOST, { type: 'no_proof' }, status('busy')]))).toEqual([
      'place',
      'expect',
      'failed',
    ]);
  });

  it('is ended at the carrier by a hangup, the ring timeout, the window, and an answer without a stream', () => {
    for (const event of [
      HANGUP,
      { type: 'ring_timeout' },
      { type: 'window_closed' },
      { type: 'no_stream' },
    ] as const)
      expect(typesOf(run([OPEN, ACCEPTED, event]))).toEqual(['place', 'end', 'failed']);
  });

  it('ignores reports on another call', () => {
    const other: PlacedEvent = { type: 'status', carrierCallId: 'CA2', state: 'busy', sipCode: null };
    expect(typesOf(run([OPEN, ACCEPTED, other]))).toEqual(['place']);
  });

  it('is placed once at most and reports one end at most, whatever comes in which order and however often', () => {
    const event = constantFrom<PlacedEvent>(
      OPEN,
      ACCEPTED,
      LOST,
      HANGUP,
      { type: 'gate_closed' },
      { type: 'refused', failure: 'failed', reason: '' },
      { type: 'unsent', reason: '' },
      { type: 'connected' },
      { type: 'transferred' },
      { type: 'ring_timeout' },
      { type: 'window_closed' },
      { type: 'no_proof' },
      { type: 'no_stream' },
      ...(
        [null, 'ringing', 'answered', 'completed', 'busy', 'no_answer', 'cancelled', 'failed'] as const
      ).map((state) => status(state)),
    );
    assert(
      property(array(event, { maxLength: 20 }), (events) => {
        const types = typesOf(run(events));
        const count = (...names: string[]): number => types.filter((type) => names.includes(type)).length;
        expect(count('place')).toBeLessThanOrEqual(1);
        expect(count('failed', 'ended')).toBeLessThanOrEqual(1);
        expect(count('answered')).toBeLessThanOrEqual(1);
        expect(count('ringing')).toBeLessThanOrEqual(1);
        expect(count('end')).toBeLessThanOrEqual(1);
        expect(count('answered') * count('failed')).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
