import type { Language } from '@callwright/language';
import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { findAgent } from '../../../store/agents/agents.ts';
import type { Db } from '../../../store/database.ts';
import { checkFlow, type CheckedFlow } from '../../../voice/flow/check/check-flow.ts';
import { versionToEdit } from '../version-choice.ts';
import type { VoiceCatalogue } from '../voice-catalogue.ts';
import { knownOf } from './known-agent.ts';

/**
 * What would be refused of a flow, and what its author may not expect, for the version that an edit would change.
 * `judges`: whether a model of meanings on this machine judges `when`. Changes nothing. Throws 404 for an unknown agent or version.
 */
export async function checkAgentFlow(
  db: Db,
  workspaceId: string,
  target: { readonly agentId: string; readonly versionId: string | null },
  document: unknown,
  {
    voices,
    judges,
  }: { readonly voices: Pick<VoiceCatalogue, 'byId'>; readonly judges: (language: Language) => boolean },
): Promise<CheckedFlow> {
  const agent = isUuid(target.agentId) ? await findAgent(db, workspaceId, target.agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const { config } = await versionToEdit(db, workspaceId, agent, target.versionId);
  const known = await knownOf(db, workspaceId, config, document, voices);
  return checkFlow(document, { ...known, judgesMeaning: judges(config.language) });
}
