import { EMPTY_BODY, type Header, headerLines, type SipRequest, type SipResponse } from '../message.ts';
import {
  cancel,
  type ClientEvent,
  deliver,
  type Effect,
  type Frame,
  send,
  start,
  stay,
  type Step,
  toUser,
} from './types.ts';

/** INVITE client transaction (RFC 3261 section 17.1.1 with RFC 6026's Accepted). */
export type InviteClientState = Frame &
  (
    | { readonly name: 'calling'; readonly intervalMs: number }
    | { readonly name: 'proceeding' }
    | { readonly name: 'completed'; readonly ack: SipRequest }
    | { readonly name: 'accepted' }
    | { readonly name: 'terminated' }
  );

type Stepped = Step<InviteClientState>;

/** At least 32 s on UDP, so that a retransmitted final response still finds its ACK (17.1.1.2). */
const TIMER_D_MS = 32_000;

export const inviteClient = (frame: Frame): InviteClientState => ({
  ...frame,
  name: 'calling',
  intervalMs: frame.timing.t1Ms,
});

export function stepInviteClient(state: InviteClientState, event: ClientEvent): Stepped {
  switch (state.name) {
    case 'calling':
      return calling(state, event);
    case 'proceeding':
      return proceeding(state, event);
    case 'completed':
      return completed(state, event);
    case 'accepted':
      return accepted(state, event);
    case 'terminated':
      break;
  }
  return stay(state);
}

const frameOf = ({ request, reliable, timing }: Frame): Frame => ({ request, reliable, timing });
const end = (state: InviteClientState, effects: readonly Effect[] = []): Stepped => ({
  state: { ...frameOf(state), name: 'terminated' },
  effects,
});

/** 17.1.1.2: the request is sent, no response yet. */
function calling(state: InviteClientState & { name: 'calling' }, event: ClientEvent): Stepped {
  if (event.kind === 'start') {
    const give = start('B', 64 * state.timing.t1Ms);
    const effects = state.reliable ? [give] : [start('A', state.intervalMs), give];
    return { state, effects: [send(state.request), ...effects] };
  }
  if (event.kind === 'timer' && event.timer === 'A') {
    const intervalMs = state.intervalMs * 2;
    return { state: { ...state, intervalMs }, effects: [send(state.request), start('A', intervalMs)] };
  }
  if (event.kind === 'stopRetransmitting') return { state, effects: [cancel('A')] };
  if (event.kind === 'timer' && event.timer === 'B') {
    return end(state, [cancel('A'), toUser({ kind: 'timeout' })]);
  }
  if (event.kind === 'transportError') {
    return end(state, [cancel('A'), cancel('B'), toUser({ kind: 'transportError' })]);
  }
  return event.kind === 'response'
    ? answered(state, event.response, [cancel('A'), cancel('B')])
    : stay(state);
}

/** 17.1.1.2: a provisional response stops retransmission; ringing may last as long as the user allows. */
function proceeding(state: InviteClientState, event: ClientEvent): Stepped {
  if (event.kind === 'transportError') return end(state, [toUser({ kind: 'transportError' })]);
  return event.kind === 'response' ? answered(state, event.response, []) : stay(state);
}

function answered(state: InviteClientState, response: SipResponse, stop: readonly Effect[]): Stepped {
  const frame = frameOf(state);
  if (response.status < 200) {
    return { state: { ...frame, name: 'proceeding' }, effects: [...stop, deliver(response)] };
  }
  if (response.status < 300) {
    const wait = start('M', 64 * state.timing.t1Ms);
    return { state: { ...frame, name: 'accepted' }, effects: [...stop, deliver(response), wait] };
  }
  const ack = ackForFailure(state.request, response);
  const effects = [...stop, send(ack), deliver(response)];
  if (state.reliable) return end(state, effects);
  return { state: { ...frame, name: 'completed', ack }, effects: [...effects, start('D', TIMER_D_MS)] };
}

/** 17.1.1.2: a retransmitted failure response is acknowledged again and not passed on. */
function completed(state: InviteClientState & { name: 'completed' }, event: ClientEvent): Stepped {
  if (event.kind === 'timer' && event.timer === 'D') return end(state);
  // The TU has its response, and a lost ACK is sent again when the peer retransmits the response.
  if (event.kind === 'transportError') return end(state, [cancel('D')]);
  const repeat = event.kind === 'response' && event.response.status >= 300;
  return repeat ? { state, effects: [send(state.ack)] } : stay(state);
}

/** RFC 6026 section 8.4: every 2xx, retransmitted or from another fork, goes to the TU, which acknowledges it. */
function accepted(state: InviteClientState, event: ClientEvent): Stepped {
  if (event.kind === 'timer' && event.timer === 'M') return end(state);
  const success = event.kind === 'response' && event.response.status >= 200 && event.response.status < 300;
  return success ? { state, effects: [deliver(event.response)] } : stay(state);
}

/** The ACK of a non-2xx final response: same branch, To from the response (RFC 3261 section 17.1.1.3). */
export function ackForFailure(invite: SipRequest, response: SipResponse): SipRequest {
  return {
    kind: 'request',
    method: 'ACK',
    uri: invite.uri,
    via: invite.via.slice(0, 1),
    from: invite.from,
    to: response.to,
    callId: invite.callId,
    cseq: { sequence: invite.cseq.sequence, method: 'ACK' },
    headers: [
      ...headerLines(invite, 'route').map((value) => ({ name: 'route', value })),
      { name: 'max-forwards', value: '70' },
    ],
    body: EMPTY_BODY,
  };
}

/**
 * CANCEL of a pending INVITE: its branch, Request-URI, Route and CSeq number (RFC 3261 section 9.1), and further headers
 * at the end.
 */
export function cancelOf(invite: SipRequest, headers: readonly Header[] = []): SipRequest {
  return {
    kind: 'request',
    method: 'CANCEL',
    uri: invite.uri,
    via: invite.via.slice(0, 1),
    from: invite.from,
    to: invite.to,
    callId: invite.callId,
    cseq: { sequence: invite.cseq.sequence, method: 'CANCEL' },
    headers: [
      ...headerLines(invite, 'route').map((value) => ({ name: 'route', value })),
      { name: 'max-forwards', value: '70' },
      ...headers,
    ],
    body: EMPTY_BODY,
  };
}
