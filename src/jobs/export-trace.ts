import { readTrace, type CallSpan, type SpanOptions } from '../domain/calls/trace.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import type { DueJob, JobHandler } from './job-runner.ts';

/** Sends the spans of one attempt; the same attempt has the same ids when it is sent again. Rejects when it was not accepted. */
export type SendTrace = (
  of: { readonly callId: string; readonly attempt: number },
  spans: readonly CallSpan[],
) => Promise<void>;

/** Job that sends the trace of a call which has ended. */
export function exportTrace(
  deps: { readonly db: Db; readonly log: Log; readonly send: SendTrace } & SpanOptions,
): JobHandler {
  return {
    async run(job) {
      const of = attemptOf(job);
      const spans = await readTrace(deps.db, of, deps);
      if (spans !== null) await deps.send(of, spans);
    },
    gaveUp(job) {
      deps.log.warn({ callId: attemptOf(job).callId }, 'the trace of a call was not sent and is dropped');
      return Promise.resolve();
    },
  };
}

const attemptOf = ({ workspaceId, payload }: DueJob) => ({
  workspaceId,
  callId: String(payload['callId']),
  attempt: Number(payload['attempt']),
});
