import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findCall } from '../../store/history.ts';
import { isTerminal } from './transitions.ts';

/** Follows a call that lives in this process; null when none does. What is seen comes as plain JSON objects. */
export type Watch = (
  workspaceId: string,
  callId: string,
  watcher: (event: { readonly type: string }) => void,
) => (() => void) | null;

const POLL_MS = 500;

/**
 * Follows a call from wherever it is until the attempt under way is settled: waits while it is queued, replays
 * what has happened of a live one, and ends at once for one that is over. 404 for an unknown call. Resolves when
 * there is nothing more to come, or `signal` aborts.
 */
export async function watchCall(
  deps: { db: Db; watch: Watch },
  workspaceId: string,
  callId: string,
  signal: AbortSignal,
  onEvent: (event: object) => void,
): Promise<void> {
  const seen = { subStatus: '' };
  for (;;) {
    const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
    if (call === undefined) throw errors.callNotFound();
    if (signal.aborted) return;
    if (await follow(deps.watch, workspaceId, call.id, signal, onEvent)) return;
    const at = (call.ended_at ?? call.answered_at ?? call.created_at).getTime();
    if (isTerminal(call.status)) {
      onEvent({ type: 'ended', status: call.status, subStatus: call.sub_status, at });
      return;
    }
    if (call.sub_status !== seen.subStatus) {
      seen.subStatus = call.sub_status;
      onEvent({ type: 'status', status: call.status, subStatus: call.sub_status, at });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** True when the call lived here and its attempt was followed to its end. */
function follow(
  watch: Watch,
  workspaceId: string,
  callId: string,
  signal: AbortSignal,
  onEvent: (event: object) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    const end = (): void => {
      stop?.();
      resolve(true);
    };
    stop = watch(workspaceId, callId, (event) => {
      if (!signal.aborted) onEvent(event);
      if (event.type === 'ended') end();
    });
    if (stop === null) return resolve(false);
    signal.addEventListener('abort', end, { once: true });
    return undefined;
  });
}
