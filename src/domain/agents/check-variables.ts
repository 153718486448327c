import type { VersionConfig } from '../../store/json/agent-version.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent, findVersion } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import type { Warning } from '../warnings.ts';
import { agentVariables, asProblems, variableWarnings } from './agent-variables.ts';

type Values = Readonly<Record<string, string>>;

/** Warnings about the values of a chat or browser call. Throws 422 for them in a workspace with `strict_variables`. */
export function checkVariables(
  config: VersionConfig,
  isStrict: boolean,
  sent: Values,
  given: Values = {},
): Warning[] {
  const warnings = variableWarnings(agentVariables(config), sent, given);
  if (isStrict && warnings.length > 0) throw errors.validationFailed(asProblems(warnings));
  return warnings;
}

/** The same for an agent by its id: of the given version, else of the active one. Throws 404. */
export async function checkAgentVariables(
  db: Db,
  who: { readonly workspaceId: string; readonly strictVariables: boolean },
  agent: { readonly agentId: string; readonly versionId: string | null },
  sent: Values,
  given: Values = {},
): Promise<Warning[]> {
  const { workspaceId, strictVariables } = who;
  const found = isUuid(agent.agentId) ? await findAgent(db, workspaceId, agent.agentId) : undefined;
  if (found === undefined) throw errors.agentNotFound();
  const versionId = agent.versionId ?? found.activeVersionId;
  const version = isUuid(versionId) ? await findVersion(db, workspaceId, found.id, versionId) : undefined;
  if (version === undefined) throw errors.versionNotFound();
  return checkVariables(version.config, strictVariables, sent, given);
}
