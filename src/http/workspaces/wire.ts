import type { AuditPage } from '../../domain/audit/read-audit.ts';
import { toCredits } from '../../domain/credits/price.ts';
import type { ErasureProgress } from '../../domain/privacy/erase-numbers.ts';
import type { Retention } from '../../domain/privacy/retention.ts';
import type { OwnWorkspace, ReachableWorkspace } from '../../domain/workspaces/read-workspaces.ts';
import type { SubWorkspace } from '../../domain/workspaces/sub-workspaces.ts';
import type { WorkspaceSettings } from '../../domain/workspaces/workspace-settings.ts';
import { iso, isoOrNull } from '../common/values.ts';

interface Balance {
  readonly credits: number;
  readonly lockedCredits: number;
  readonly unlimited: boolean;
}
const toBalance = ({ credits, lockedCredits, unlimited }: Balance) => ({
  credits: toCredits(credits),
  locked_credits: toCredits(lockedCredits),
  unlimited,
});

/** The key's workspace (interface, Workspace). */
export const toWorkspace = (workspace: OwnWorkspace) => ({
  id: workspace.id,
  name: workspace.name,
  created_at: iso(workspace.createdAt),
  ...toBalance(workspace),
  api_key: workspace.maskedKey,
});

export const toReachableWorkspace = (workspace: ReachableWorkspace) => ({
  id: workspace.id,
  name: workspace.name,
  created_at: iso(workspace.createdAt),
  role: workspace.role,
  parent_workspace_id: workspace.parentWorkspaceId,
  ...toBalance(workspace),
});

export const toSettings = (settings: WorkspaceSettings) => ({
  strict_variables: settings.strictVariables,
  rehearses_drafts: settings.rehearsesDrafts,
  checked_calls_percent: settings.checkedCallsPercent,
  announces_people: settings.announcesPeople,
  joining_texts: [...settings.joiningTexts],
  notice_addresses: [...settings.noticeAddresses],
  timezone: settings.timezone,
  timezone_change: settings.timezoneChange,
  country: settings.country,
  outbound_paused: settings.outboundPaused,
  only_destinations: settings.onlyDestinations === null ? null : [...settings.onlyDestinations],
  open_destinations: settings.openDestinations === 'all' ? ('all' as const) : [...settings.openDestinations],
});

export const toSubWorkspace = (child: SubWorkspace) => ({
  id: child.id,
  name: child.name,
  created_at: iso(child.createdAt),
  parent_workspace_id: child.parentWorkspaceId,
  ...toBalance(child),
  concurrency: child.concurrency,
  concurrency_shared: child.sharesConcurrency,
  has_api_key: child.hasApiKey,
  archived_at: isoOrNull(child.archivedAt),
  numbers: child.numbers.map(({ id, number, poolId }) => ({ id, number, number_pool_id: poolId })),
  number_pools: child.pools.map(({ id, name }) => ({ id, name })),
});

export const toRetention = (rules: Retention) => ({
  recording_days: rules.recordingDays,
  transcript_days: rules.transcriptDays,
  contact_days: rules.contactDays,
  test_days: rules.testDays,
  audit_days: rules.auditDays,
});

export const toErasure = (erasure: ErasureProgress) => ({
  erasure_id: erasure.id,
  status: erasure.status,
  erased_calls: erasure.erasedCalls,
  waiting_calls: erasure.waitingCalls,
  waiting_files: erasure.waitingFiles,
  requested_at: iso(erasure.requestedAt),
  done_at: isoOrNull(erasure.doneAt),
});

export const toAuditPage = (
  { entries, limit, nextBefore }: AuditPage,
  names: ReadonlyMap<string, string>,
) => ({
  entries: entries.map((entry) => ({
    id: entry.id,
    at: iso(entry.at),
    actor: { type: entry.actorType, name: entry.actor },
    action: entry.action,
    method: entry.method,
    route: entry.route,
    status: entry.status,
    objects: entry.objects,
    request_id: entry.requestId,
    address: entry.address,
  })),
  names: Object.fromEntries(names),
  limit,
  next_before: nextBefore,
});
