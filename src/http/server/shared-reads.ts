import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';

/**
 * The state of the workspace that a page has seen: the id of the last event of its stream, or `none` for one that polls. A page that sends it with a
 * read accepts an answer that was made for another page with the same role since that state.
 */
export const SEEN_HEADER = 'x-seen';
const MAX_SEEN = 200;

/** An answer is given to other pages for this long. */
const SHARED_MS = 1_000;
const MOST_ANSWERS = 1_000;
/** Longer answers are not kept. */
const MOST_CHARACTERS = 1_048_576;

/**
 * Reads that pages repeat by themselves, and that answer everybody of one role alike. None of them is audited: each page would
 * need an entry of its own.
 */
export const SHARED_READS: ReadonlySet<string> = new Set([
  'getOverview',
  'listCalls',
  'listCampaigns',
  'getCampaign',
  'getCampaignProgress',
  'getCampaignStatistics',
  'listCampaignContacts',
  'listCampaignMessages',
  'getUploadStatus',
  'getPlatformAnalytics',
  'getDrillDownAnalytics',
  'getNumberAnalytics',
  'getDurationDistribution',
  'getClassificationAnalytics',
  'getVendorAnalytics',
  'getEvaluationAnalytics',
  'getReactionAnalytics',
  'getHourAnalytics',
  'getComparisonAnalytics',
  'getChatAnalytics',
  'listDeliveries',
  'listFailures',
  'listKnowledgeBases',
  'getKnowledgeBase',
  'listKnowledgeChunks',
  'listCredits',
  'listChats',
  'listAgents',
  'getAgent',
  'listTestCases',
  'listTestRuns',
  'getTestRun',
  'listApiRequests',
]);

/** How a read ended for the page that made it; `null`: without an answer for others. */
type Outcome = { readonly status: number; readonly payload: string } | null;

interface Entry {
  readonly outcome: Promise<Outcome>;
  /** Monotonic ms; null: it is being made. */
  madeAt: number | null;
}

/** Answers of the last second, by who may read them. */
export class SharedAnswers {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The answer that another page gets or got; null: the caller makes it, and passes it to `finish` in any case. */
  find(key: string): Promise<Outcome> | { readonly finish: (outcome: Outcome) => void } {
    const found = this.#entries.get(key);
    if (found !== undefined && !this.#isOld(found)) return found.outcome;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const entry: Entry = { outcome: promise, madeAt: null };
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= MOST_ANSWERS && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, entry);
    const finish = (outcome: Outcome): void => {
      if (entry.madeAt !== null) return;
      entry.madeAt = this.#clock.monotonic();
      const isKept = outcome !== null && outcome.status === 200 && outcome.payload.length <= MOST_CHARACTERS;
      if (!isKept && this.#entries.get(key) === entry) this.#entries.delete(key);
      resolve(outcome);
    };
    return { finish };
  }

  #isOld({ madeAt }: Entry): boolean {
    return madeAt !== null && this.#clock.monotonic() - madeAt >= SHARED_MS;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives the answer of the request to the pages that wait for it. */
    finishShared: ((outcome: Outcome) => void) | null;
  }
}

/** The reads that may share an answer; null: this one is made for its caller alone. */
function keyOf(request: FastifyRequest): string | null {
  const seen = request.headers[SEEN_HEADER];
  const { operationId = '' } = (request.routeOptions.schema ?? {}) as { readonly operationId?: string };
  if (typeof seen !== 'string' || seen.length > MAX_SEEN || !SHARED_READS.has(operationId)) return null;
  const { workspaceId, principal } = request.caller;
  if (principal.kind !== 'session') return null;
  return JSON.stringify([workspaceId, principal.role, principal.isOperator, seen, request.url]);
}

/** Makes each answer that many pages of a workspace ask for at once one time. Every request is authenticated by itself. */
export function shareReads(app: FastifyInstance, clock: Clock): void {
  const answers = new SharedAnswers(clock);
  app.decorateRequest('finishShared', null);
  app.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request);
    if (key === null) return undefined;
    for (;;) {
      const found = answers.find(key);
      if ('finish' in found) {
        request.finishShared = found.finish;
        return undefined;
      }
      const outcome = await found;
      // The page that made it has gone.
      if (outcome === null) continue;
      // What waits for a database that is away does not ask it again.
      if (outcome.status >= 500) throw errors.databaseUnavailable();
      return reply.type('application/json; charset=utf-8').code(outcome.status).send(outcome.payload);
    }
  });
  app.addHook('onSend', async ({ finishShared }, reply, payload) => {
    if (finishShared !== null && typeof payload === 'string')
      finishShared({ status: reply.statusCode, payload });
    return payload;
  });
  app.addHook('onResponse', async ({ finishShared }) => finishShared?.(null));
}
