import { failureClass, type FailureClass } from '@callwright/sip';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import type { Placed } from './carrier-trunk.ts';

/** A call that a carrier places for us. */
export interface PlacedCall {
  /**
   * `gate`: the request has not left. `placing`: it has, without an answer yet. `waiting`: the carrier has the call, or may
   * have it. `answered`: its stream is connected. `over`: its end is reported.
   */
  readonly phase: 'gate' | 'placing' | 'waiting' | 'answered' | 'over';
  /** The carrier's id of the call; null: not known yet. */
  readonly carrierCallId: string | null;
  readonly hasRung: boolean;
  /** The call was reported as over while the carrier may still have it: it is ended as soon as its id is known. */
  readonly isUnwanted: boolean;
}

export const UNPLACED: PlacedCall = { phase: 'gate', carrierCallId: null, hasRung: false, isUnwanted: false };

export type PlacedEvent =
  /** The dial gate is open: the request leaves now. */
  | { readonly type: 'gate_open' }
  | { readonly type: 'gate_closed' }
  | Placed
  | {
      readonly type: 'status';
      readonly carrierCallId: string;
      readonly state: CarrierCallState | null;
      readonly sipCode: number | null;
    }
  /** The carrier opened the stream of the call. */
  | { readonly type: 'connected' }
  | { readonly type: 'hangup'; readonly reason: string }
  /** The agent gave the far side to another party: its end is not ours. */
  | { readonly type: 'transferred' }
  | { readonly type: 'ring_timeout' }
  /** The dialling window closed. */
  | { readonly type: 'window_closed' }
  /** Neither answer nor report came of a request. */
  | { readonly type: 'no_proof' }
  /** The callee answered, but no stream came. */
  | { readonly type: 'no_stream' };

export type PlacedEffect =
  | { readonly type: 'place' }
  /** Ends the call at the carrier. */
  | { readonly type: 'end'; readonly carrierCallId: string }
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  | {
      readonly type: 'failed';
      readonly failure: FailureClass;
      readonly sipCode: number | null;
      readonly reason: string;
      readonly neverSent: boolean;
      readonly tooLate: boolean;
    }
  /** The far side ended the answered call. */
  | { readonly type: 'ended' }
  /** `no_proof` or `no_stream` follows, unless the call has ended or is connected. */
  | { readonly type: 'expect'; readonly what: 'no_proof' | 'no_stream' };

type Stepped = readonly [PlacedCall, readonly PlacedEffect[]];

/**
 * One call at a carrier, from the dial gate to its end. A place request leaves once; a lost answer is not repeated: the
 * carrier's reports, which name our attempt, say what became of the call. Reports may come late, twice and in any order. Pure.
 */
export function stepPlaced(call: PlacedCall, event: PlacedEvent): Stepped {
  if (call.phase === 'over') return unwanted(call, event);
  switch (event.type) {
    case 'gate_open':
      if (call.phase !== 'gate') return [call, []];
      return [{ ...call, phase: 'placing' }, [{ type: 'place' }]];
    case 'gate_closed':
      if (call.phase !== 'gate') return [call, []];
      return fail(call, { failure: 'failed', reason: 'too late to call', tooLate: true });
    case 'accepted':
      return call.phase === 'placing' ? [identified(call, event.carrierCallId), []] : [call, []];
    case 'refused':
    case 'unsent': {
      const { reason } = event;
      // A report or the stream came before: the call exists.
      if (call.phase !== 'placing' || call.carrierCallId !== null) return [call, []];
      const failure = event.type === 'refused' ? event.failure : 'failed';
      return over(call, false, { failure, reason, neverSent: true });
    }
    case 'lost':
      if (call.phase !== 'placing') return [call, []];
      return [
        { ...call, phase: 'waiting' },
        call.carrierCallId === null ? [{ type: 'expect', what: 'no_proof' }] : [],
      ];
    case 'no_proof':
      return call.phase === 'waiting' && call.carrierCallId === null
        ? fail(call, { failure: 'failed', reason: 'the carrier did not answer the request' })
        : [call, []];
    case 'status':
      return reported(call, event);
    case 'connected':
      return call.phase === 'answered' || call.phase === 'gate'
        ? [call, []]
        : [{ ...call, phase: 'answered' }, [{ type: 'answered' }]];
    case 'no_stream':
      return call.phase === 'answered'
        ? [call, []]
        : fail(call, { failure: 'failed', reason: 'no stream came' });
    case 'ring_timeout':
      return call.phase === 'answered'
        ? [call, []]
        : fail(call, { failure: 'no_answer', reason: 'ring timeout' });
    case 'window_closed':
      return call.phase === 'answered'
        ? [call, []]
        : fail(call, { failure: 'no_answer', reason: 'window closed', tooLate: call.phase === 'gate' });
    case 'hangup':
      // The worker closes the stream of an answered call, and the carrier ends the call with it.
      return call.phase === 'answered'
        ? [{ ...call, phase: 'over' }, []]
        : fail(call, { failure: 'cancelled', reason: event.reason });
    case 'transferred':
      return [{ ...call, phase: 'over' }, []];
  }
  event satisfies never;
  return [call, []];
}

/** The call is known by its id from now on; an answer that comes after the first report changes nothing. */
const identified = (call: PlacedCall, carrierCallId: string): PlacedCall => ({
  ...call,
  phase: call.phase === 'placing' ? 'waiting' : call.phase,
  carrierCallId: call.carrierCallId ?? carrierCallId,
});

const ENDS = {
  completed: { failure: 'failed', reason: 'the call ended before its stream came' },
  busy: { failure: 'busy', reason: 'busy' },
  no_answer: { failure: 'no_answer', reason: 'no answer' },
  cancelled: { failure: 'cancelled', reason: 'cancelled at the carrier' },
  invalid_number: { failure: 'invalid_number', reason: 'the carrier knows no such number' },
} as const;

function reported(
  call: PlacedCall,
  { carrierCallId, state, sipCode }: Extract<PlacedEvent, { type: 'status' }>,
): Stepped {
  if (call.phase === 'gate') return [call, []];
  if (call.carrierCallId !== null && call.carrierCallId !== carrierCallId) return [call, []];
  const known = identified(call, carrierCallId);
  if (state === null) return [known, []];
  if (call.phase === 'answered') {
    const isEnd = state !== 'ringing' && state !== 'answered';
    return isEnd ? [{ ...known, phase: 'over' }, [{ type: 'ended' }]] : [known, []];
  }
  if (state === 'ringing')
    return known.hasRung ? [known, []] : [{ ...known, hasRung: true }, [{ type: 'ringing' }]];
  if (state === 'answered') return [known, [{ type: 'expect', what: 'no_stream' }]];
  if (state === 'failed') {
    const failure = sipCode === null ? 'failed' : failureClass(sipCode);
    return over(known, false, { failure, sipCode, reason: 'the carrier could not connect the call' });
  }
  return over(known, false, { ...ENDS[state], sipCode });
}

/** What comes after the end: a call that the carrier may have is ended there, once. */
function unwanted(call: PlacedCall, event: PlacedEvent): Stepped {
  if (!call.isUnwanted) return [call, []];
  if (event.type === 'refused' || event.type === 'unsent') return [{ ...call, isUnwanted: false }, []];
  if (event.type !== 'accepted' && event.type !== 'status') return [call, []];
  const { carrierCallId } = event;
  const isLive = event.type === 'accepted' || [null, 'ringing', 'answered'].includes(event.state);
  return [{ ...call, carrierCallId, isUnwanted: false }, isLive ? [{ type: 'end', carrierCallId }] : []];
}

interface Why {
  readonly failure: FailureClass;
  readonly reason: string;
  readonly sipCode?: number | null;
  readonly neverSent?: boolean;
  readonly tooLate?: boolean;
}

/** Ends the call from our side: what the carrier has of it is ended, too. */
function fail(call: PlacedCall, why: Why): Stepped {
  const { phase, carrierCallId } = call;
  if (phase === 'gate') return over(call, false, { ...why, neverSent: true });
  const [ended, effects] = over(call, carrierCallId === null, why);
  return [ended, carrierCallId === null ? effects : [{ type: 'end', carrierCallId }, ...effects]];
}

const over = (
  call: PlacedCall,
  isUnwanted: boolean,
  { failure, reason, sipCode = null, neverSent = false, tooLate = false }: Why,
): Stepped => [
  { ...call, phase: 'over', isUnwanted },
  [{ type: 'failed', failure, sipCode, reason, neverSent, tooLate }],
];
