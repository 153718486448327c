import { cancel, deliver, send, start, stay, toUser } from './types.ts';
import type { ClientEvent, Effect, Frame, Step } from './types.ts';

/** Non-INVITE client transaction (RFC 3261 section 17.1.2). */
export type NonInviteClientState = Frame &
  (
    | { readonly name: 'trying'; readonly intervalMs: number }
    | { readonly name: 'proceeding' }
    | { readonly name: 'completed' }
    | { readonly name: 'terminated' }
  );

type Stepped = Step<NonInviteClientState>;

export const nonInviteClient = (frame: Frame): NonInviteClientState => ({
  ...frame,
  name: 'trying',
  intervalMs: frame.timing.t1Ms,
});

export function stepNonInviteClient(state: NonInviteClientState, event: ClientEvent): Stepped {
  switch (state.name) {
    case 'trying':
      return trying(state, event);
    case 'proceeding':
      return proceeding(state, event);
    case 'completed':
      return event.kind === 'timer' && event.timer === 'K' ? end(state) : stay(state);
    case 'terminated':
      break;
  }
  return stay(state);
}

const frameOf = ({ request, reliable, timing }: Frame): Frame => ({ request, reliable, timing });
const end = (state: NonInviteClientState, effects: readonly Effect[] = []): Stepped => ({
  state: { ...frameOf(state), name: 'terminated' },
  effects,
});

/** 17.1.2.2: retransmitted at T1, 2*T1, ... up to T2. */
function trying(state: NonInviteClientState & { name: 'trying' }, event: ClientEvent): Stepped {
  if (event.kind === 'start') {
    const give = start('F', 64 * state.timing.t1Ms);
    const effects = state.reliable ? [give] : [start('E', state.intervalMs), give];
    return { state, effects: [send(state.request), ...effects] };
  }
  if (event.kind === 'timer' && event.timer === 'E') {
    const intervalMs = Math.min(state.intervalMs * 2, state.timing.t2Ms);
    return { state: { ...state, intervalMs }, effects: [send(state.request), start('E', intervalMs)] };
  }
  return either(state, event);
}

/** 17.1.2.2: after a provisional response the request is retransmitted every T2. */
function proceeding(state: NonInviteClientState, event: ClientEvent): Stepped {
  if (event.kind === 'timer' && event.timer === 'E') {
    return { state, effects: [send(state.request), start('E', state.timing.t2Ms)] };
  }
  return either(state, event);
}

function either(state: NonInviteClientState, event: ClientEvent): Stepped {
  if (event.kind === 'timer' && event.timer === 'F') {
    return end(state, [cancel('E'), toUser({ kind: 'timeout' })]);
  }
  if (event.kind === 'transportError') {
    return end(state, [cancel('E'), cancel('F'), toUser({ kind: 'transportError' })]);
  }
  if (event.kind !== 'response') return stay(state);
  const { response } = event;
  if (response.status < 200) {
    return { state: { ...frameOf(state), name: 'proceeding' }, effects: [deliver(response)] };
  }
  const effects = [cancel('E'), cancel('F'), deliver(response)];
  if (state.reliable) return end(state, effects);
  return {
    state: { ...frameOf(state), name: 'completed' },
    effects: [...effects, start('K', state.timing.t4Ms)],
  };
}
