import { useEffect } from 'react';
import { useWorkspaceId } from '../session/workspace.ts';
import { ApiFailure, call, type OperationName } from './client.ts';
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
  webhooks: ['getOverview', 'listDeliveries', 'getDelivery'],
  knowledge: ['listKnowledgeBases', 'getKnowledgeBase', 'listKnowledgeChunks'],
  credits: ['getWorkspace', 'listCredits'],
  chats: ['listChats', 'getChat', 'getChatAnalytics'],
  // A result of a test case is old once its version has changed.
  agents: ['listAgents', 'getAgent', 'listTestCases'],
  tests: ['listTestCases', 'listTestRuns', 'getTestRun'],
  requests: ['listApiRequests'],
};
/** An installation with many calls changes every second; its pages read at most this often. */
const READ_EVERY_MS = 5_000;
const RECONNECT_MS = 5_000;
/** After 429, which says that other tabs hold all streams of the workspace. */
const CROWDED_MS = 60_000;

/** Reads again what changed: at once, then at most every READ_EVERY_MS. */
class Refresher {
  readonly #changed = new Set<OperationName>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  add(topics: readonly string[]): void {
    for (const topic of topics) for (const name of READS[topic] ?? []) this.#changed.add(name);
    if (this.#timer === null && this.#changed.size > 0) this.#read();
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
    }, READ_EVERY_MS);
  }
}

/** Follows the workspace with one stream while the page is visible, and continues it after a lost connection. */
export function useLiveUpdates(): void {
  const workspace = useWorkspaceId();
  useEffect(() => {
    if (workspace === null) return undefined;
    const refresher = new Refresher();
    let lastId: string | null = null;
    let leave: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = async (signal: AbortSignal): Promise<void> => {
      let waitMs = 0;
      try {
        const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
        await readEvents(await call('watchWorkspace', {}, signal, headers), (events) => {
          for (const { id, data } of events) {
            lastId = id;
            refresher.add((data as { topics: readonly string[] }).topics);
          }
        });
      } catch (error) {
        const status = error instanceof ApiFailure ? error.status : 0;
        waitMs = status === 429 ? CROWDED_MS : RECONNECT_MS;
      }
      if (!signal.aborted) timer = setTimeout(() => void connect(signal), waitMs);
    };
    const follow = (): void => {
      leave?.abort();
      clearTimeout(timer);
      leave = null;
      if (document.visibilityState !== 'visible') return;
      leave = new AbortController();
      void connect(leave.signal);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      leave?.abort();
      clearTimeout(timer);
      refresher.stop();
    };
  }, [workspace]);
}
