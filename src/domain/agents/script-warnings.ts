import type { OperatorProviders } from '../../shared/vendor-accounts.ts';
import { findProviders } from '../../store/tenants/providers.ts';
import type { Tx } from '../../store/database.ts';
import { toProviderSettings, type ProviderSettings } from '../providers/provider-settings.ts';
import { resolveProviders } from '../providers/resolve-providers.ts';
import type { VersionConfig } from './agent-version.ts';
import type { PromptBook, UnfollowedPart } from './prompt-book.ts';

/** A part of the script that the agent cannot follow as it is configured, and what happens instead. */
export interface ScriptWarning extends UnfollowedPart {
  readonly message: string;
}

export interface WarningDeps {
  readonly prompts: PromptBook;
  readonly operator: OperatorProviders;
}

const WITHOUT = 'Without a language model the agent';
const MESSAGES: Readonly<Record<UnfollowedPart['reason'], string>> = {
  left_out: `${WITHOUT} leaves this out.`,
  not_done: `${WITHOUT} says that it has noted this, and does nothing.`,
  vague: `${WITHOUT} asks a general question instead.`,
  no_step: 'The script has no step with this number: the conversation ends here.',
};

/** What an agent's version cannot follow; none where a language model holds its conversations. */
export async function scriptWarnings(
  { prompts, operator }: WarningDeps,
  tx: Tx,
  workspaceId: string,
  config: VersionConfig,
): Promise<readonly ScriptWarning[]> {
  const settings = toProviderSettings(await findProviders(tx, workspaceId));
  if (hasModel(operator, settings, config)) return [];
  const parts = await prompts.unfollowed(config);
  return parts.map((part) => ({ ...part, message: MESSAGES[part.reason] }));
}

function hasModel(
  operator: OperatorProviders,
  settings: ProviderSettings,
  { agent_config: agent }: VersionConfig,
): boolean {
  const llm = agent.llm ?? null;
  if (llm !== null && llm.provider !== 'default') return true;
  const chosen = resolveProviders(operator, settings, { llm }, () => '').llm;
  return (chosen ?? operator.chains.llm).length > 0;
}
