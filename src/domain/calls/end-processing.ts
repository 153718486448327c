import { callsToProcess, lockEnds } from '../../store/analyses.ts';
import type { CallFacts } from '../../store/call-facts.ts';
import type { Tx } from '../../store/database.ts';
import { queueAnalyses } from '../analysis/queue-analysis.ts';
import { appendEvents } from '../webhooks/events.ts';
import { lastEvent } from './last-event.ts';

const NOTHING = { recordingUrl: null, platformAnalysis: null, clientAnalysis: null };

/** How long the end of all processing waits for a recording to be found or stored. */
const RECORDING_WAIT_MS = 120_000;

/**
 * What follows the end of calls that are never tried again, whichever of their attempts was the last: where any of
 * them talked, the analysis, whose job tells of the end of all processing; of the others that is told at once. The
 * calls are of one workspace, locked, and as they are now. The job waits for a recording that cannot be fetched yet.
 */
export async function endProcessing(
  tx: Tx,
  workspaceId: string,
  calls: readonly CallFacts[],
  at: Date,
  now = at.getTime(),
): Promise<void> {
  if (calls.length === 0) return;
  const attempted = calls.filter((call) => call.attempt > 0).map((call) => call.id);
  const found = attempted.length === 0 ? [] : await callsToProcess(tx, workspaceId, attempted);
  const [due, ready] = [true, false].map((is) =>
    found.filter((call) => call.isRecordingDue === is).map((call) => call.id),
  );
  await queueAnalyses(tx, workspaceId, ready ?? [], at);
  await queueAnalyses(tx, workspaceId, due ?? [], at, new Date(now + RECORDING_WAIT_MS));
  const waiting = new Set(found.map((call) => call.id));
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
