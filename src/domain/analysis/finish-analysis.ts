import type { Clock } from '../../shared/clock.ts';
import { lockEnds, saveAnalyses, type CallEnd } from '../../store/analyses.ts';
import { lockCall, type CallFacts } from '../../store/call-facts.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { lastEvent } from '../calls/last-event.ts';
import type { CallEventType } from '../webhooks/envelope.ts';
import { appendEvent } from '../webhooks/events.ts';

export interface FinishDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The link under which a call's recording can be fetched. */
  readonly recordingUrl: (workspaceId: string, callId: string) => string;
}

export interface Analyses {
  readonly platform: JsonObject;
  readonly client: JsonObject | null;
  /** The name of what made them. */
  readonly analyst: string;
  /** False: every try failed, and that is all the analysis says. */
  readonly isMade: boolean;
}

/**
 * Stores a call's analyses and tells of them and of the end of all processing, in one transaction: whatever is repeated
 * after it changes nothing. Null analyses are those of a call that has none. A conversation erased meanwhile stays so.
 */
export async function finishAnalysis(
  deps: FinishDeps,
  workspaceId: string,
  callId: string,
  analyses: Analyses | null,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const call = await lockCall(tx, workspaceId, callId);
    if (call === null) return;
    const end = (await lockEnds(tx, workspaceId, [callId])).get(callId);
    if (end === undefined || end.isFinished) return;
    const at = new Date(deps.clock.now());
    const kept = end.transcript === null ? null : analyses;
    if (kept !== null) await saveAnalyses(tx, workspaceId, callId, kept, at);
    await tell(tx, deps, call, { end, analyses: kept, at });
  });
}

async function tell(
  tx: Tx,
  deps: FinishDeps,
  call: CallFacts,
  done: { readonly end: CallEnd; readonly analyses: Analyses | null; readonly at: Date },
): Promise<void> {
  const { end, analyses, at } = done;
  const append = (type: CallEventType, more: JsonObject): Promise<boolean> =>
    appendEvent(tx, call, { type, attempt: null, at, toolLog: end.toolLog ?? [], more });
  if (analyses?.isMade === true) {
    await append('platform_analysis_completed', { analysis_data: analyses.platform });
    if (analyses.client !== null)
      await append('client_analysis_completed', {
        analysis_data: analyses.client,
        analyzed_by: analyses.analyst,
      });
  }
  const last = lastEvent(
    end,
    {
      recordingUrl: deps.recordingUrl(call.workspaceId, call.id),
      platformAnalysis: analyses?.platform ?? null,
      clientAnalysis: analyses?.client ?? null,
    },
    at,
  );
  await appendEvent(tx, call, last);
}
