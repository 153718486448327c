import type { ProviderSettings } from '../../../store/json/provider-settings.ts';
import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { AddressRules } from '../../../shared/address-rules.ts';
import type { Seal } from '../../../shared/seal.ts';
import type { AgentRow, VersionRow } from '../../../store/agents/agents.ts';
import type { Tx } from '../../../store/database.ts';
import type { OperatorProviders } from '../../../vendors/accounts.ts';
import type { PromptBook } from '../prompt-book.ts';
import type { VoiceCatalogue } from '../voice-catalogue.ts';

/** The locked agent, the version to edit and the transaction of the edit. */
export interface EditContext {
  tx: Tx;
  workspaceId: string;
  agent: AgentRow;
  version: VersionRow;
  /** The configuration of `version`. */
  config: VersionConfig;
  voices: VoiceCatalogue;
  prompts: PromptBook;
  /** The service's own web address. */
  publicUrl: string;
  /** The vendors of the environment and of the workspace. */
  providers: () => Promise<{ operator: OperatorProviders; settings: ProviderSettings }>;
  /** Encrypts secrets. */
  seal: Seal;
  /** Rules for the addresses that users enter. */
  guard: AddressRules;
  /** Destinations of ALLOWED_COUNTRIES; undefined: all. */
  countries: readonly string[] | undefined;
  at: Date;
}

/** The changes that `editAgent` stores; an operation on other tables writes its own rows and returns `{}`. */
export interface EditChange {
  config?: VersionConfig;
  displayName?: string;
  classificationLabels?: readonly string[];
  /** The id of the version that the operation created. */
  createdVersionId?: string;
}

/** One operation of PATCH /agent/v1. */
export interface EditOperation<I> {
  /** Checks rules that need no database, before the agent is looked up. Throws 422. */
  readonly check?: (input: I) => void;
  /** Throws what the operation refuses; the transaction then changes nothing. */
  readonly apply: (context: EditContext, input: I) => EditChange | Promise<EditChange>;
}

/** Names the type of an operation's fields. */
export const operation = <I>(
  apply: EditOperation<I>['apply'],
  check?: (input: I) => void,
): EditOperation<I> => ({ apply, ...(check === undefined ? {} : { check }) });

/** An operation that stores each of the named fields under the same key of the agent's settings; an absent field stays. */
export const agentSetting = <R extends keyof AgentConfig, O extends keyof AgentConfig = never>(
  required: readonly R[],
  optional: readonly O[] = [],
): EditOperation<Pick<AgentConfig, R> & Partial<Pick<AgentConfig, O>>> =>
  operation(({ config }, input) => {
    const names: readonly string[] = [...required, ...optional];
    const sent = Object.entries(input).filter(([name]) => names.includes(name));
    return withAgentConfig(config, Object.fromEntries(sent));
  });

type AgentConfig = VersionConfig['agentConfig'];

/** Lays changed keys over the version's own settings. */
export const withAgentConfig = (config: VersionConfig, change: Partial<AgentConfig>): EditChange => ({
  config: { ...config, agentConfig: { ...config.agentConfig, ...change } },
});
