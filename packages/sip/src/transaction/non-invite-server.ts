import { cancel, repeat, send, start, stay, toUser } from './types.ts';
import type { Effect, ServerEvent, ServerFrame, Step } from './types.ts';

/** Non-INVITE server transaction (RFC 3261 section 17.2.2). */
export type NonInviteServerState = ServerFrame &
  (
    | { readonly name: 'trying' }
    | { readonly name: 'proceeding'; readonly last: string }
    | { readonly name: 'completed'; readonly last: string }
    | { readonly name: 'terminated' }
  );

type Stepped = Step<NonInviteServerState>;

export const nonInviteServer = (frame: ServerFrame): NonInviteServerState => ({ ...frame, name: 'trying' });

export function stepNonInviteServer(state: NonInviteServerState, event: ServerEvent): Stepped {
  switch (state.name) {
    case 'trying':
      return unanswered(state, event, []);
    case 'proceeding':
      return unanswered(state, event, [repeat(state.last)]);
    case 'completed':
      return completed(state, event);
    case 'terminated':
      break;
  }
  return stay(state);
}

const frameOf = ({ reliable, timing }: ServerFrame): ServerFrame => ({ reliable, timing });
const end = (state: NonInviteServerState, effects: readonly Effect[] = []): Stepped => ({
  state: { ...frameOf(state), name: 'terminated' },
  effects,
});

/** 17.2.2 Trying and Proceeding: a retransmitted request gets the last provisional response, if any. */
function unanswered(state: NonInviteServerState, event: ServerEvent, again: readonly Effect[]): Stepped {
  if (event.kind === 'request') return { state, effects: again };
  if (event.kind === 'transportError') return end(state, [toUser({ kind: 'transportError' })]);
  if (event.kind !== 'respond') return stay(state);
  const { response, text } = event;
  if (response.status < 200) {
    return { state: { ...frameOf(state), name: 'proceeding', last: text }, effects: [send(response)] };
  }
  if (state.reliable) return end(state, [send(response)]);
  const effects = [send(response), start('J', 64 * state.timing.t1Ms)];
  return { state: { ...frameOf(state), name: 'completed', last: text }, effects };
}

/** 17.2.2 Completed: a retransmitted request gets the final response until timer J. */
function completed(state: NonInviteServerState & { name: 'completed' }, event: ServerEvent): Stepped {
  if (event.kind === 'timer' && event.timer === 'J') return end(state);
  if (event.kind === 'transportError') return end(state, [cancel('J')]);
  return event.kind === 'request' ? { state, effects: [repeat(state.last)] } : stay(state);
}
