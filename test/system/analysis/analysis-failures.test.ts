import { ANALYSIS_JOB } from '../../../src/domain/calls/queue-analyses.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { analyseCall } from '../../../src/jobs/analyse-call.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { eventually } from '../../helpers/service/service.ts';
import { createAnalyses, type Analyses } from '../../helpers/analysis/analysis-api.ts';

let analyses: Analyses;
beforeAll(async () => {
  analyses = await createAnalyses();
});
beforeEach(() => analyses.renew());
afterEach(() => checkStoredEvents(analyses.db));
afterAll(() => analyses.close());

describe('analyses under failure', () => {
  it('repeated or concurrent runs emit and change nothing', async () => {
    const call = await analyses.endedCall();
    const handler = analyseCall(analyses.deps());
    const job = {
      id: call.callId,
      workspaceId: call.workspaceId,
      kind: ANALYSIS_JOB,
      payload: { ...call },
      attempt: 1,
    };
    await Promise.all([handler.run(job), handler.run(job), handler.run(job)]);
    const once = await analyses.eventsOf(call);
    expect(once).toHaveLength(3);
    await handler.run(job);
    await handler.gaveUp(job);
    expect(await analyses.eventsOf(call)).toEqual(once);
    expect((await analyses.recordOf(call)).platform_analysis.status).toBe('analyzed');
  });

  it('a job interrupted by a crash at any step is finished by the next process, with every event emitted once', async () => {
    const call = await analyses.endedCall();
    const handler = analyseCall(analyses.deps());
    // Dies before the analysis, then after its transaction but before the job was marked as done.
    let deaths = 0;
    const dying = new JobRunner({
      ...analyses.deps(),
      pollMs: 20,
      leaseMs: 1000,
      kind: ANALYSIS_JOB,
      parts: 1,
      handler: {
        async run(job) {
          deaths += 1;
          if (deaths === 2) await handler.run(job);
          return new Promise<void>(() => undefined);
        },
        gaveUp: () => Promise.resolve(),
      },
    });
    dying.start();
    await eventually('the first death', async () => (deaths >= 1 ? true : null));
    analyses.clock.advance(1500);
    await eventually('the second death', async () =>
      deaths >= 2 && (await analyses.eventsOf(call)).length === 3 ? true : null,
    );
    await dying.stop(10);
    analyses.clock.advance(1500);
    expect((await analyses.analysed(call)).platform_analysis.status).toBe('analyzed');
    expect(await analyses.eventsOf(call)).toHaveLength(3);
    expect((await analyses.jobs())[0]).toMatchObject({ state: 'done' });
  });
});
