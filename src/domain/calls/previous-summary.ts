import type { VersionConfig } from '../../store/json/agent-version.ts';
import { findPreviousSummary } from '../../store/analysis/previous-summary.ts';
import { PREVIOUS_SUMMARY } from '../agents/agent-variables.ts';
import type { Db } from '../../store/database.ts';

/**
 * The variable, if the agent's prompt, messages or tools name it and there is such a call. The number must not be on the
 * do-not-call list, and erased calls are not found.
 */
export async function previousSummary(
  db: Db,
  workspaceId: string,
  callId: string,
  config: VersionConfig,
): Promise<Readonly<Record<string, string>>> {
  if (!JSON.stringify(config).includes(PREVIOUS_SUMMARY)) return {};
  const summary = await findPreviousSummary(db, workspaceId, callId);
  return summary === null ? {} : { [PREVIOUS_SUMMARY]: summary };
}
