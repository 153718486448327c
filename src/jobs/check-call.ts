import { checkCall, type Detect } from '../domain/quality/check-call.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import type { DueJob, JobHandler } from './job-runner.ts';

const callOf = ({ payload }: DueJob) => [String(payload['workspaceId']), String(payload['callId'])] as const;

/** Job that runs the detectors over a call that has ended. */
export const checkingCalls = (deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly detect: Detect;
}): JobHandler => ({
  run: (job) => checkCall(deps, ...callOf(job)),
  gaveUp(job) {
    const [workspaceId, callId] = callOf(job);
    deps.log.warn({ workspaceId, callId }, 'the detectors could not read a call, which stays unchecked');
    return Promise.resolve();
  },
});
