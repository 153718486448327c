import { ApiError } from '../../errors/api-error.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import {
  findAgent,
  findVersion,
  listAgents,
  lockAgent,
  type AgentRow,
  type VersionRow,
} from '../../store/agents/agents.ts';
import { insertDraft } from '../../store/agents/drafts.ts';
import type { Db, Tx } from '../../store/database.ts';
import { listKnowledgeBases } from '../../store/knowledge/bases.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { firstConfig, storeAgent, type CreateAgentInput } from './create-agent.ts';
import { draftOf } from './draft/open-draft.ts';
import { applyEdit, type EditAgentDeps } from './edit/edit-agent.ts';
import type { OperationInput, OperationName } from './edit/operations.ts';

/** One version with what its settings may name. */
export interface Described {
  readonly agent: AgentRow;
  readonly version: VersionRow;
  /** Of the workspace. */
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly bases: readonly { readonly id: string; readonly name: string }[];
}
/** One operation of an import. `refused` words the error of the operation for the document. */
export interface ImportEdit {
  readonly name: OperationName;
  readonly input: OperationInput<OperationName>;
  readonly refused: (error: ApiError) => ApiError;
}
/** Where a document goes: into a new agent, or into a new draft of an agent. */
export type ImportInto =
  | { readonly create: CreateAgentInput }
  | { readonly agentId: string; readonly author: string };

/** The version, the active one for null, with what an export names. Throws 404. */
export async function describeVersion(
  db: Db,
  workspaceId: string,
  agentId: string,
  versionId: string | null,
): Promise<Described> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  return described(db, workspaceId, agent, versionId ?? agent.activeVersionId);
}

async function described(
  db: Db,
  workspaceId: string,
  agent: AgentRow,
  versionId: string,
): Promise<Described> {
  const version = isUuid(versionId) ? await findVersion(db, workspaceId, agent.id, versionId) : undefined;
  if (version === undefined) throw errors.versionNotFound();
  const { agents } = await listAgents(db, workspaceId, { limit: null, offset: 0 });
  const bases = await listKnowledgeBases(db, workspaceId);
  return {
    agent,
    version,
    agents: agents.map(({ id, displayName }) => ({ id, name: displayName })),
    bases: bases.map(({ id, name }) => ({ id, name })),
  };
}

/**
 * Makes an agent, or a draft of one, and applies the edits that `plan` gives for it: all or none. Throws 404, 409 for an agent whose
 * draft has changes, and what an operation refuses.
 */
export async function importAgent(
  deps: EditAgentDeps & { clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  into: ImportInto,
  plan: (described: Described, tx: Tx) => Promise<readonly ImportEdit[]>,
): Promise<{ agentId: string; versionId: string }> {
  const first = 'create' in into ? firstConfig(deps, into.create) : null;
  return commitChange(deps.db, change, async (tx) => {
    const at = new Date(deps.clock.now());
    const made =
      'create' in into && first !== null ? await storeAgent(tx, at, workspaceId, into.create, first) : null;
    const id = 'create' in into ? (made?.id ?? '') : into.agentId;
    const agent = isUuid(id) ? await lockAgent(tx, workspaceId, id) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    const versionId =
      'create' in into ? agent.activeVersionId : await freshDraft(tx, workspaceId, agent, into.author, at);
    for (const edit of await plan(await described(tx, workspaceId, agent, versionId), tx)) {
      const version = await findVersion(tx, workspaceId, agent.id, versionId);
      if (version === undefined) throw errors.versionNotFound();
      await applyEdit({ ...deps, tx, workspaceId, at }, { agent, version }, edit.name, edit.input).catch(
        (error: unknown) => {
          throw error instanceof ApiError ? edit.refused(error) : error;
        },
      );
    }
    return { agentId: agent.id, versionId };
  });
}

/** The id of a draft without changes. */
async function freshDraft(
  tx: Tx,
  workspaceId: string,
  agent: AgentRow,
  author: string,
  at: Date,
): Promise<string> {
  const open = await draftOf(tx, workspaceId, agent);
  if (open !== null && (open.difference.draft.length > 0 || open.difference.live.length > 0))
    throw errors.draftOpen();
  if (open !== null) return open.draft.id;
  const copy = { id: newId(), baseVersionId: agent.activeVersionId, author };
  await insertDraft(tx, workspaceId, agent.id, copy, at);
  return copy.id;
}
