import { postCallPayload, type PostCallPayload } from '../store/json/tools.ts';
import type { Wire } from '../shared/wire-names.ts';
import { logPostCall, runPostCall, type PostCallJob } from '../domain/tools/post-call.ts';
import type { ToolFetcher } from '../domain/tools/run-api-tool.ts';
import type { Clock } from '../shared/clock.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import type { DueJob, JobHandler } from './job-runner.ts';

class PostCallToolFailed extends Error {
  override readonly name = 'PostCallToolFailed';
}

/** Job that calls a post-call tool after its call has ended; the result is added to the call's tool log. */
export function postCallTool(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly fetcher: ToolFetcher;
  readonly seal: Seal;
}): JobHandler {
  return {
    async run(due) {
      const job = jobOf(due);
      const at = deps.clock.now();
      const from = deps.clock.monotonic();
      const end = await runPostCall(deps, job);
      if (end === null) return;
      if (end.again) {
        throw new PostCallToolFailed(
          `post-call tool ${job.tool.name} of call ${job.callId}: ${reasonOf(end.outcome.result)}`,
        );
      }
      await logPostCall(deps.db, job, end.outcome, { at, ms: Math.round(deps.clock.monotonic() - from) });
    },
    async gaveUp(due) {
      const times = { at: deps.clock.now(), ms: 0 };
      await logPostCall(deps.db, jobOf(due), { ok: false, result: { error: 'every attempt failed' } }, times);
    },
  };
}

/** The failure or status of an attempt; never a body, which may hold personal data. */
function reasonOf(result: unknown): string {
  const { status, error } = (result ?? {}) as { status?: unknown; error?: unknown };
  return typeof error === 'string' ? error : `status ${String(status)}`;
}

const jobOf = (due: DueJob): PostCallJob => ({
  id: due.id,
  workspaceId: due.workspaceId ?? '',
  ...postCallPayload.read(due.payload as unknown as Wire<PostCallPayload>),
});
