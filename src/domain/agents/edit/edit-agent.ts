import { errors } from '../../../errors.ts';
import type { AddressRules } from '../../../shared/address-rules.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid } from '../../../shared/ids.ts';
import type { Seal } from '../../../shared/seal.ts';
import {
  lockAgent,
  updateAgent,
  updateVersion,
  type AgentRow,
  type VersionRow,
} from '../../../store/agents/agents.ts';
import type { Db, Tx } from '../../../store/database.ts';
import { findProviders } from '../../../store/tenants/providers.ts';
import type { OperatorProviders } from '../../../vendors/accounts.ts';
import { commitChange, type ChangeEntry } from '../../audit/change-entry.ts';
import { checkUnchanged } from '../agent-tag.ts';
import { checkLanguage } from '../../providers/check-recognisers.ts';
import { toProviderSettings } from '../../providers/provider-settings.ts';
import type { PromptBook } from '../prompt-book.ts';
import { checkDraft } from '../draft/check-draft.ts';
import { versionToEdit } from '../version-choice.ts';
import { scriptWarnings, type ScriptWarning } from '../script-warnings.ts';
import type { VoiceCatalogue } from '../voice-catalogue.ts';
import type { EditChange, EditOperation } from './operation.ts';
import { EDIT_OPERATIONS, type OperationInput, type OperationName } from './operations.ts';

export interface EditAgentDeps {
  db: Db;
  clock: Clock;
  voices: VoiceCatalogue;
  prompts: PromptBook;
  link: { publicUrl: string };
  seal: Seal;
  guard: AddressRules;
  /** Vendors of the environment. */
  operator: OperatorProviders;
  /** Destinations of ALLOWED_COUNTRIES; absent: all. */
  countries?: readonly string[];
}

const OPERATIONS: { [O in OperationName]: EditOperation<OperationInput<O>> } = EDIT_OPERATIONS;

/**
 * Applies one operation of PATCH /agent/v1 to the named version, or to the one that `versionToEdit` chooses. Throws 404
 * for an unknown agent or version, 412 for an agent that changed since `ifMatch`, 409 for a draft that did or is closed,
 * and the error of an operation that refuses; then nothing changes.
 */
export async function editAgent<O extends OperationName>(
  deps: EditAgentDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  target: { agentId: string; versionId: string | null; ifMatch: string | null },
  name: O,
  input: OperationInput<O>,
): Promise<{ agentId: string; createdVersionId: string | null; warnings: readonly ScriptWarning[] }> {
  OPERATIONS[name].check?.(input);
  if (!isUuid(target.agentId)) throw errors.agentNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const agent = await lockAgent(tx, workspaceId, target.agentId);
    if (agent === undefined) throw errors.agentNotFound();
    const version = await versionToEdit(tx, workspaceId, agent, target.versionId);
    if (version.draft === null) await checkUnchanged(tx, workspaceId, agent, target.ifMatch);
    else await checkDraft(tx, workspaceId, agent, version, target.ifMatch);
    const at = new Date(deps.clock.now());
    const edit = await applyEdit({ ...deps, tx, workspaceId, at }, { agent, version }, name, input);
    const warnings =
      edit.config === undefined
        ? []
        : await scriptWarnings(deps, tx, workspaceId, edit.config, agent.agentType);
    return { agentId: agent.id, createdVersionId: edit.createdVersionId ?? null, warnings };
  });
}

/**
 * Applies one operation to a version of a locked agent within a transaction, and stores what it changes. Throws what the operation
 * refuses.
 */
export async function applyEdit<O extends OperationName>(
  deps: Omit<EditAgentDeps, 'db' | 'clock'> & { tx: Tx; workspaceId: string; at: Date },
  { agent, version }: { agent: AgentRow; version: VersionRow },
  name: O,
  input: OperationInput<O>,
): Promise<EditChange> {
  const { tx, workspaceId, at } = deps;
  const before = version.config;
  const providers = async () => ({
    operator: deps.operator,
    settings: toProviderSettings(await findProviders(tx, workspaceId)),
  });
  const edit = await OPERATIONS[name].apply(
    {
      tx,
      workspaceId,
      agent,
      version,
      config: before,
      providers,
      voices: deps.voices,
      prompts: deps.prompts,
      publicUrl: deps.link.publicUrl,
      seal: deps.seal,
      guard: deps.guard,
      countries: deps.countries,
      at,
    },
    input,
  );
  if (edit.config !== undefined) await checkLanguage(before, edit.config, providers);
  if (edit.config !== undefined) await updateVersion(tx, workspaceId, version.id, edit.config, at);
  const { displayName, classificationLabels } = edit;
  await updateAgent(
    tx,
    workspaceId,
    agent.id,
    {
      ...(displayName === undefined ? {} : { displayName }),
      ...(classificationLabels === undefined ? {} : { classificationLabels }),
    },
    at,
  );
  return edit;
}
