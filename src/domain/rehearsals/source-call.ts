import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { findCall } from '../../store/calls/history.ts';
import { findEventLog } from '../../store/calls/records.ts';
import type { Db } from '../../store/database.ts';
import { unpackedLog } from '../calls/replay.ts';

/** Makes a scenario of a written event log: its caller says again what the person said. */
export type CallScenario = (
  log: string,
  facts: { readonly name: string; readonly variables: Readonly<Record<string, string>> },
  workspaceId: string,
) => Promise<object>;

/**
 * The scenario of a finished call. Throws 404 for an unknown call and for one without an event log, 422 beside other scenarios.
 */
export async function sourceCall(
  db: Db,
  callScenario: CallScenario,
  workspaceId: string,
  input: {
    readonly callId: string | null;
    readonly scenarios: readonly object[] | null;
    readonly scenarioFile: string | null;
  },
): Promise<{ readonly callId: string; readonly scenarios: readonly object[] }> {
  if (input.scenarios !== null || input.scenarioFile !== null)
    throw errors.invalid('call_id', 'cannot be sent beside scenarios');
  const call =
    input.callId !== null && isUuid(input.callId) ? await findCall(db, workspaceId, input.callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  const packed = await findEventLog(db, workspaceId, call.id);
  if (packed === null) throw errors.eventLogNotFound();
  const facts = { name: `Call ${call.id}`, variables: call.args };
  return { callId: call.id, scenarios: [await callScenario(await unpackedLog(packed), facts, workspaceId)] };
}
