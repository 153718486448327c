import { useEffect } from 'react';
import { useWorkspaceId } from '../session/workspace.ts';
import { ApiFailure, call, type OperationName } from './client.ts';
import { untilConnected } from './connection.ts';
import { noteSeen } from './seen.ts';
import { around, reconnectMs, upTo } from './spread.ts';
import { queryClient } from './queries.ts';
import { readEvents } from './server-events.ts';

/** What each topic of the stream changes; open queries of these operations are read again. */
const READS: Readonly<Record<string, readonly OperationName[]>> = {
  calls: [
    'getOverview',
    'listCalls',
    'listCampaigns',
    'getCampaign',
    'getCampaignProgress',
    'getCampaignStatistics',
    'listCampaignContacts',
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
  ],
  campaigns: [
    'getOverview',
    'listCampaigns',
    'getCampaign',
    'getCampaignProgress',
    'getCampaignStatistics',
    'listCampaignContacts',
    'listCampaignMessages',
    'getUploadStatus',
    'checkCampaignBalance',
  ],
  webhooks: ['getOverview', 'listDeliveries', 'getDelivery', 'listFailures'],
  knowledge: ['listKnowledgeBases', 'getKnowledgeBase', 'listKnowledgeChunks'],
  credits: ['getWorkspace', 'listCredits'],
  chats: ['listChats', 'getChat', 'getChatAnalytics'],
  // A result of a test case is old once its version has changed.
  agents: [
    'listAgents',
    'getAgent',
    'getDraft',
    'getDraftDifference',
    'listAgentVersions',
    'listTestCases',
    'getProviders',
  ],
  tests: ['listTestCases', 'listTestRuns', 'getTestRun'],
  requests: ['listApiRequests'],
};
/** An installation with many calls changes every second; its pages read at most this often. */
const READ_EVERY_MS = 5_000;
/** All pages of a workspace hear of a change in the same moment. */
const FIRST_READ_MS = 300;

/** Reads again what changed: soon, then about every READ_EVERY_MS at most. */
class Refresher {
  readonly #changed = new Set<OperationName>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  add(topics: readonly string[]): void {
    for (const topic of topics) for (const name of READS[topic] ?? []) this.#changed.add(name);
    if (this.#timer === null && this.#changed.size > 0) this.#readIn(upTo(FIRST_READ_MS));
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #read(): void {
    const names = new Set(this.#changed);
    this.#changed.clear();
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) => names.has(queryKey[1] as OperationName),
    });
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#changed.size > 0) this.#read();
    }, around(READ_EVERY_MS));
  }

  #readIn(ms: number): void {
    this.#timer = setTimeout(() => this.#read(), ms);
  }
}

/** What the window with the stream tells the others. */
interface News {
  readonly id: string | null;
  readonly topics: readonly string[];
}
const TOPICS = Object.keys(READS);

/**
 * Follows the workspace while the page is visible. The visible windows of a browser share one stream, since a browser
 * opens only six connections to a host: the window that holds the lock reads it and tells the others, and the next one
 * continues after the last event that it was told.
 */
export function useLiveUpdates(): void {
  const workspace = useWorkspaceId();
  useEffect(() => {
    if (workspace === null) return undefined;
    const refresher = new Refresher();
    const name = `live ${workspace}`;
    const windows = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
    let lastId: string | null = null;
    let leave: AbortController | null = null;
    const hear = ({ id, topics }: News): void => {
      lastId = id;
      noteSeen(id);
      refresher.add(topics);
    };
    windows?.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data));
    const read = async (signal: AbortSignal, onOpen: () => void): Promise<void> => {
      const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
      const stream = await call('watchWorkspace', {}, signal, headers);
      onOpen();
      await readEvents(stream, (events) => {
        for (const { id, data } of events) {
          const news = { id, topics: (data as { topics: readonly string[] }).topics };
          hear(news);
          windows?.postMessage(news);
        }
      });
    };
    const lead = async (signal: AbortSignal): Promise<void> => {
      let failures = 0;
      while (!signal.aborted) {
        try {
          await read(signal, () => (failures = 0));
          // The service ended it: it stops, or another workspace needs the place.
          await pause(reconnectMs(1, 0), signal);
        } catch (error) {
          if (signal.aborted) return;
          const status = error instanceof ApiFailure ? error.status : 0;
          noteSeen(status === 429 ? 'none' : null);
          failures += 1;
          await pause(reconnectMs(failures, status), signal);
        }
        await untilConnected(signal);
      }
    };
    const follow = (): void => {
      leave?.abort();
      leave = null;
      if (document.visibilityState !== 'visible') return;
      leave = new AbortController();
      const { signal } = leave;
      // Without TLS browsers have locks on localhost only; elsewhere each window has a stream of its own.
      const following =
        'locks' in navigator && windows !== null
          ? navigator.locks.request(name, { signal }, () => lead(signal))
          : lead(signal);
      following.catch(() => undefined);
    };
    const show = (): void => {
      follow();
      // While hidden it heard the other windows only if there were any.
      if (document.visibilityState === 'visible') refresher.add(TOPICS);
    };
    follow();
    document.addEventListener('visibilitychange', show);
    return () => {
      document.removeEventListener('visibilitychange', show);
      leave?.abort();
      windows?.close();
      refresher.stop();
      noteSeen(null);
    };
  }, [workspace]);
}

/** Resolves after a time; rejects when `signal` aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
