import {
  analysisRunner,
  analystOf,
  ConversationModels,
  type ConversationModelsDeps,
} from '../../../src/app/analyses.ts';
import type { AnalystOf } from '../../../src/jobs/analyse-call.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { insertEndedCall, type EndedCall, type EndedCallOptions } from './ended-call.ts';
import { createGround, type Ground } from '../database/database-and-clock.ts';
import { eventually } from '../service/service.ts';

type Deps = Omit<Parameters<typeof analysisRunner>[0], 'retryAfterMs'>;
type Models = ConversationModelsDeps['installation'];

/** Analysts of an installation with these models, whose workspaces and agents choose none. */
export const analystsWith = (installation: Models = [], timeoutMs?: number): AnalystOf =>
  analystOf(
    new ConversationModels({
      installation,
      providers: () => Promise.resolve({}),
      allow: [],
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
  );

/** An API with ended calls whose analyses are run and read. */
export interface Analyses extends Ground {
  /** Inserts an ended call with its record and a queued analysis. */
  endedCall(options?: EndedCallOptions): Promise<EndedCall>;
  deps(): Deps;
  recordOf(call: EndedCall): Promise<any>;
  eventsOf(call: EndedCall): Promise<any[]>;
  jobs(): Promise<any[]>;
  /** Runs the analysis job until it has ended. */
  analysed(call: EndedCall, llm?: Models | AnalystOf): Promise<any>;
}

/** Uses a new database. */
export async function createAnalyses(): Promise<Analyses> {
  const ground = await createGround();
  const { db, url } = ground;
  const deps = () => ({
    db,
    clock: analyses.clock,
    log: silentLog,
    analystOf: analystsWith(),
    recordingUrl: (_: string, callId: string) => `http://localhost/${callId}.wav`,
    onEvents: () => undefined,
  });
  const recordOf = (call: EndedCall): Promise<any> =>
    db
      .selectFrom('call_records')
      .select(['platform_analysis', 'client_analysis', 'evaluations'])
      .where('call_id', '=', call.callId)
      .executeTakeFirstOrThrow();
  const eventsOf = (call: EndedCall): Promise<any[]> =>
    db.selectFrom('events').selectAll().where('call_id', '=', call.callId).orderBy('seq').execute();
  const jobs = (): Promise<any[]> => db.selectFrom('jobs').selectAll().execute();
  async function analysed(call: EndedCall, llm: Models | AnalystOf = []): Promise<any> {
    const runner = analysisRunner({
      ...deps(),
      analystOf: typeof llm === 'function' ? llm : analystsWith(llm),
      retryAfterMs: [0, 0, 0],
    });
    runner.start();
    try {
      await eventually('the job to end', async () =>
        (await jobs()).every((job) => job.state !== 'due') ? true : null,
      );
    } finally {
      await runner.stop();
    }
    return recordOf(call);
  }
  const analyses: Analyses = {
    db,
    url,
    clock: ground.clock,
    async renew() {
      await ground.renew();
      analyses.clock = ground.clock;
    },
    endedCall: (options = {}) => insertEndedCall(db, analyses.clock, options),
    deps,
    recordOf,
    eventsOf,
    jobs,
    analysed,
    close: () => ground.close(),
  };
  return analyses;
}
