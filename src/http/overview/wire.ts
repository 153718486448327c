import { readReason } from '../../domain/campaigns/state-reason.ts';
import { toCredits } from '../../domain/credits/price.ts';
import type { LedgerEntry } from '../../domain/credits/read-ledger.ts';
import type { Overview } from '../../domain/workspaces/overview.ts';
import type { KindUse, WorkspaceUsage } from '../../domain/workspaces/storage-quotas.ts';
import { iso, isoOrNull } from '../common/values.ts';

/** The body of GET /workspace/overview. */
export const toOverview = (overview: Overview) => ({
  live_calls: overview.live,
  queued: overview.waiting.map(({ reason, calls, nextAttemptAt }) => ({
    reason,
    calls,
    next_attempt_at: isoOrNull(nextAttemptAt),
  })),
  campaigns: overview.campaigns.map((campaign) => ({
    id: campaign.id,
    name: campaign.name,
    campaign_status: campaign.state,
    message: campaign.message,
    reason: readReason(campaign.message),
    waiting: campaign.waiting,
    waiting_reason: campaign.reason,
    next_attempt_at: isoOrNull(campaign.nextAttemptAt),
  })),
  webhooks: overview.deliveries,
  latency: {
    turns: overview.latency.turns,
    p50_ms: overview.latency.p50,
    p95_ms: overview.latency.p95,
  },
});

const toKindUse = ({ bytes, quotaBytes, isFull }: KindUse) => ({
  bytes,
  quota_bytes: quotaBytes,
  is_full: isFull,
});

/** The body of GET /workspace/usage. */
export const toUsage = ({ storage, countedAt }: WorkspaceUsage) => ({
  storage: {
    recordings: toKindUse(storage.recordings),
    call_records: toKindUse(storage.callRecords),
    chats: toKindUse(storage.chats),
    tests: toKindUse(storage.tests),
  },
  counted_at: isoOrNull(countedAt),
});

export const toLedgerEntry = (entry: LedgerEntry) => ({
  call_id: entry.callId,
  attempt: entry.attempt,
  kind: entry.kind,
  credits: toCredits(entry.amount),
  at: iso(entry.at),
  to_number: entry.toNumber,
  campaign_id: entry.campaignId,
});
