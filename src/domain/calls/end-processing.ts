import { callsToProcess, lockEnds } from '../../store/analyses.ts';
import type { CallFacts } from '../../store/call-facts.ts';
import type { Tx } from '../../store/database.ts';
import { queueAnalyses } from '../analysis/queue-analysis.ts';
import { appendEvents } from '../webhooks/events.ts';
import { lastEvent } from './last-event.ts';

const NOTHING = { recordingUrl: null, platformAnalysis: null, clientAnalysis: null };

/**
 * What follows the end of calls that are never tried again, whichever of their attempts was the last: where any of
 * them talked, the analysis, whose job tells of the end of all processing; of the others that is told at once. The
 * calls are of one workspace, locked, and as they are now.
 */
export async function endProcessing(
  tx: Tx,
  workspaceId: string,
  calls: readonly CallFacts[],
  at: Date,
): Promise<void> {
  if (calls.length === 0) return;
  const attempted = calls.filter((call) => call.attempt > 0).map((call) => call.id);
  const waiting =
    attempted.length === 0 ? new Set<string>() : await callsToProcess(tx, workspaceId, attempted);
  await queueAnalyses(tx, workspaceId, [...waiting], at);
  await tellEnds(
    tx,
    workspaceId,
    calls.filter((call) => !waiting.has(call.id)),
    at,
  );
}

/** Tells of the end of all processing of calls with nothing to link to and no analysis. */
export async function tellEnds(
  tx: Tx,
  workspaceId: string,
  calls: readonly CallFacts[],
  at: Date,
): Promise<void> {
  const ends = await lockEnds(
    tx,
    workspaceId,
    calls.map((call) => call.id),
  );
  await appendEvents(
    tx,
    calls.flatMap((call) => {
      const end = ends.get(call.id);
      return end === undefined ? [] : [{ call, event: lastEvent(end, NOTHING, at) }];
    }),
  );
}
