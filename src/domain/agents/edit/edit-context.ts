import type { AgentRow, VersionRow } from '../../../store/agents.ts';
import type { Seal } from '../../../shared/seal.ts';
import type { Tx } from '../../../store/database.ts';
import type { VersionConfig } from '../agent-version.ts';
import type { PromptBook } from '../prompt-book.ts';
import type { VoiceCatalogue } from '../voice-catalogue.ts';

/** What one edit sees: the locked agent, the version it changes, and the transaction. */
export interface EditContext {
  tx: Tx;
  workspaceId: string;
  agent: AgentRow;
  /** The version the edit is for, and its configuration. */
  version: VersionRow;
  config: VersionConfig;
  voices: VoiceCatalogue;
  prompts: PromptBook;
  /** The service's own web address. */
  publicUrl: string;
  /** What is kept encrypted. */
  seal: Seal;
  at: Date;
}

/** What one edit changes of the version or the agent; an edit of other rows writes them itself. */
export interface EditChange {
  config?: VersionConfig;
  displayName?: string;
  classificationLabels?: readonly string[];
  /** A version the edit made. */
  createdVersionId?: string;
}

/** Lays changed keys over the version's `agent_config`. */
export const withAgentConfig = (
  config: VersionConfig,
  change: Partial<VersionConfig['agent_config']>,
): EditChange => ({ config: { ...config, agent_config: { ...config.agent_config, ...change } } });
