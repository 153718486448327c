import { cancel, repeat, send, start, stay, toUser } from './types.ts';
import type { Effect, ServerEvent, ServerFrame, Step } from './types.ts';

/** INVITE server transaction (RFC 3261 section 17.2.1 with RFC 6026's Accepted). */
export type InviteServerState = ServerFrame &
  (
    | { readonly name: 'proceeding'; readonly last: string | null }
    | { readonly name: 'completed'; readonly last: string; readonly intervalMs: number }
    | { readonly name: 'confirmed' }
    | { readonly name: 'accepted' }
    | { readonly name: 'terminated' }
  );

type Stepped = Step<InviteServerState>;

export const inviteServer = (frame: ServerFrame): InviteServerState => ({
  ...frame,
  name: 'proceeding',
  last: null,
});

export function stepInviteServer(state: InviteServerState, event: ServerEvent): Stepped {
  switch (state.name) {
    case 'proceeding':
      return proceeding(state, event);
    case 'completed':
      return completed(state, event);
    case 'confirmed':
      return event.kind === 'timer' && event.timer === 'I' ? end(state) : stay(state);
    case 'accepted':
      return accepted(state, event);
    case 'terminated':
      break;
  }
  return stay(state);
}

const frameOf = ({ reliable, timing }: ServerFrame): ServerFrame => ({ reliable, timing });
const end = (state: InviteServerState, effects: readonly Effect[] = []): Stepped => ({
  state: { ...frameOf(state), name: 'terminated' },
  effects,
});

/** 17.2.1: the TU has not given a final response yet. */
function proceeding(state: InviteServerState & { name: 'proceeding' }, event: ServerEvent): Stepped {
  if (event.kind === 'transportError') return end(state, [toUser({ kind: 'transportError' })]);
  if (event.kind === 'request' && event.request.method === 'INVITE') {
    return { state, effects: state.last === null ? [] : [repeat(state.last)] };
  }
  if (event.kind !== 'respond') return stay(state);
  const { response, text } = event;
  const frame = frameOf(state);
  const giveUp = 64 * state.timing.t1Ms;
  if (response.status < 200) {
    return { state: { ...frame, name: 'proceeding', last: text }, effects: [send(response)] };
  }
  if (response.status < 300) {
    return { state: { ...frame, name: 'accepted' }, effects: [send(response), start('L', giveUp)] };
  }
  const intervalMs = state.timing.t1Ms;
  const effects = [send(response), start('H', giveUp)];
  return {
    state: { ...frame, name: 'completed', last: text, intervalMs },
    effects: state.reliable ? effects : [...effects, start('G', intervalMs)],
  };
}

/** 17.2.1: a failure response is retransmitted until its ACK or timer H. */
function completed(state: InviteServerState & { name: 'completed' }, event: ServerEvent): Stepped {
  const { t1Ms, t2Ms, t4Ms } = state.timing;
  if (event.kind === 'timer' && event.timer === 'G') {
    const intervalMs = Math.min(state.intervalMs * 2, Math.max(t1Ms, t2Ms));
    return { state: { ...state, intervalMs }, effects: [repeat(state.last), start('G', intervalMs)] };
  }
  if (event.kind === 'timer' && event.timer === 'H') {
    return end(state, [cancel('G'), toUser({ kind: 'timeout' })]);
  }
  if (event.kind === 'transportError') return end(state, [cancel('G'), cancel('H')]);
  if (event.kind !== 'request') return stay(state);
  if (event.request.method !== 'ACK') return { state, effects: [repeat(state.last)] };
  const effects = [cancel('G'), cancel('H')];
  if (state.reliable) return end(state, effects);
  return { state: { ...frameOf(state), name: 'confirmed' }, effects: [...effects, start('I', t4Ms)] };
}

/** RFC 6026 section 8.7: retransmitted INVITEs are absorbed; the TU retransmits its 2xx until the ACK. */
function accepted(state: InviteServerState, event: ServerEvent): Stepped {
  if (event.kind === 'timer' && event.timer === 'L') return end(state);
  if (event.kind === 'respond' && event.response.status >= 200 && event.response.status < 300) {
    return { state, effects: [send(event.response)] };
  }
  if (event.kind === 'request' && event.request.method === 'ACK') {
    return { state, effects: [toUser({ kind: 'ack', request: event.request })] };
  }
  return stay(state);
}
