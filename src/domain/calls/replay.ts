import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { findCall } from '../../store/calls/history.ts';
import { findEventLog } from '../../store/calls/records.ts';
import type { Db } from '../../store/database.ts';
import type { Difference, TimeLineEntry } from '@callwright/turns';

/** Largest unpacked event log, bytes. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** A call that was run through the conversation core again. */
export interface ReplayedLog {
  readonly events: number;
  /** The log has no events after this time; null: it is whole. */
  readonly cutMs: number | null;
  /** Null: the replay decides the same. */
  readonly difference: Difference | null;
  readonly timeLine: readonly TimeLineEntry[];
}

/** Runs a written event log of the workspace through the conversation core. */
export type ReplayLog = (log: string, workspaceId: string) => Promise<ReplayedLog>;

export interface ReplayedCall extends ReplayedLog {
  readonly callId: string;
  /** The event log in its written form. */
  readonly log: string;
}

/** Replays the conversation of an ended call. Throws 404 for an unknown call, and for one without an event log. */
export async function replayCall(
  deps: { readonly db: Db; readonly replayLog: ReplayLog },
  workspaceId: string,
  callId: string,
): Promise<ReplayedCall> {
  const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  const packed = await findEventLog(deps.db, workspaceId, call.id);
  if (packed === null) throw errors.eventLogNotFound();
  const log = await unpackedLog(packed);
  return { callId: call.id, log, ...(await deps.replayLog(log, workspaceId)) };
}

/** The written form of a stored event log. */
export const unpackedLog = async (packed: Buffer): Promise<string> =>
  (await promisify(gunzip)(packed, { maxOutputLength: MAX_LOG_BYTES })).toString();
