import type { ProviderSettings } from '../../../store/json/provider-settings.ts';
import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { Static, TObject, TProperties } from 'typebox';
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

/** One operation of PATCH /agent/v1: the schema of its fields, and its effect. */
export interface EditOperation<I> {
  readonly fields: TObject;
  /** Checks rules that need no database, before the agent is looked up. Throws 422. */
  readonly check?: (input: I) => void;
  /** Throws what the operation refuses; the transaction then changes nothing. */
  readonly apply: (context: EditContext, input: I) => EditChange | Promise<EditChange>;
}

/** Pairs a schema with an effect, which takes the type that the schema yields. */
export const operation = <P extends TProperties>(
  fields: TObject<P>,
  apply: EditOperation<Static<TObject<P>>>['apply'],
  check?: (input: Static<TObject<P>>) => void,
) => ({ fields, apply, ...(check === undefined ? {} : { check }) });

/** An operation that stores each sent field under the same key of `agent_config`; an absent field stays. */
export const agentSetting = <P extends { [K in keyof VersionConfig['agent_config']]?: TProperties[string] }>(
  fields: TObject<P & TProperties>,
) =>
  operation(fields, ({ config }, input) => {
    const names = Object.keys(fields.properties);
    const sent = Object.entries(input).filter(([name]) => names.includes(name));
    return withAgentConfig(config, Object.fromEntries(sent));
  });

/** Lays changed keys over the version's `agent_config`. */
export const withAgentConfig = (
  config: VersionConfig,
  change: Partial<VersionConfig['agent_config']>,
): EditChange => ({ config: { ...config, agent_config: { ...config.agent_config, ...change } } });
