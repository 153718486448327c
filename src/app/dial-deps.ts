import { acceptAnswer, answerOffer, createOffer } from '@callwright/sip';
import type { Config } from '../config.ts';
import type { EarSlots } from '../dialer/ear-slots.ts';
import type { Listening, LiveCalls } from '../dialer/live-calls.ts';
import type { DialDeps } from '../dialer/outbound.ts';
import { toolPreparer } from '../dialer/prepare-call.ts';
import { TalkJournal } from '../dialer/talk-journal.ts';
import { transferJournal } from '../dialer/transfer.ts';
import { TrunkPauses } from '../dialer/trunk.ts';
import { nextAgent } from '../domain/agents/next-agent.ts';
import { previousSummary } from '../domain/calls/previous-summary.ts';
import { whyNoCallback } from '../domain/calls/schedule-callback.ts';
import { lookUpKnowledge } from '../domain/knowledge/look-up.ts';
import type { MeaningSearch } from '../domain/knowledge/meaning-search.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import type { FullStorage } from '../domain/workspaces/full-storage.ts';
import type { SafeFetcher } from '../net/safe-fetch.ts';
import { openMcp } from '../providers/mcp.ts';
import type { Log } from '../shared/log.ts';
import type { CallSignalling } from '../telephony/call-signalling.ts';
import type { CallWorkers } from '../workers/call-workers.ts';
import { specDeps } from './adapters.ts';
import { knowledgeReader } from './knowledge-meaning.ts';
import { providerReader } from './provider-reader.ts';
import type { openSeal } from './secrets.ts';

/** What settles an attempt. */
type SettleDeps = Pick<DialDeps, 'db' | 'clock' | 'rate' | 'recordingUrl' | 'disk' | 'traces'> &
  Required<Pick<DialDeps, 'countries'>>;

export interface DialParts {
  readonly settle: SettleDeps;
  readonly config: Config;
  readonly log: Log;
  readonly notices: CapNotices;
  readonly live: LiveCalls;
  readonly listening: Listening;
  readonly signalling: CallSignalling;
  readonly workers: CallWorkers;
  readonly slots: EarSlots;
  /** Reaches the servers of tools. */
  readonly fetcher: SafeFetcher;
  readonly seal: Awaited<ReturnType<typeof openSeal>>;
  readonly meaning: MeaningSearch | null;
  readonly full: FullStorage;
  onSettled(): void;
}

/** What carries a call from its permit to its settlement, in both directions. */
export function dialDeps(parts: DialParts): DialDeps {
  const { settle, config, log, live, listening, signalling, workers, fetcher, seal, meaning } = parts;
  const { db, clock, rate, countries } = settle;
  return {
    ...settle,
    log,
    live,
    talk: new TalkJournal({ db, clock, log }),
    onSettled: () => parts.onSettled(),
    listening,
    signalling,
    sdp: { createOffer, acceptAnswer, answerOffer },
    pauses: new TrunkPauses({ db, clock, log }),
    ...transferJournal({ db, clock, rate, countries, log, notices: parts.notices }),
    allocate: (callId, events, kind) => workers.allocate(callId, events, kind),
    spec: { ...specDeps, fullStorage: (workspaceId) => parts.full.of(workspaceId) },
    prepare: toolPreparer({
      fetcher,
      seal,
      clock,
      log,
      openMcp: ({ workspaceId, ...server }) => openMcp(fetcher.of(workspaceId).stream, server),
      remember: ({ workspaceId, callId }, version) => previousSummary(db, workspaceId, callId, version),
      whyNoCallback: (call, at) => whyNoCallback({ db, clock, countries }, call, at),
      lookUp: (at, args) =>
        lookUpKnowledge({ db, log, meaning, waitMs: config.embeddings?.waitMs ?? 0 }, at, args),
    }),
    next: (workspaceId, agentId, callId) => nextAgent(db, workspaceId, agentId, callId),
    knowledge: knowledgeReader(db, log, meaning),
    providers: providerReader(db, log, seal, config.providers),
    ears: parts.slots,
  };
}
