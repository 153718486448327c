import type { AgentType, VersionConfig } from '../../store/json/agent-version.ts';
import { isValidZone } from '../call-windows/call-window.ts';
import { toWindowLevels, windowInForce, type WindowLevels } from '../call-windows/calling-window.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { Language } from '@callwright/language';
import { insertAgent } from '../../store/agents/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import { isChatAgent, makesOutboundCalls, REQUIRED_VARIABLES } from './agent-version.ts';
import { DEFAULT_CALL_CONFIG, mergeCallConfig, type AgentCallConfigChange } from './call-config.ts';
import type { PromptFields } from './prompt-book.ts';
import { checkVoices, unheardSecondVoice, type VoiceCatalogue } from './voice-catalogue.ts';
import { scriptWarnings, type ScriptWarning, type WarningDeps } from './script-warnings.ts';
import { newPublicKey } from './public-key.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export interface CreateAgentInput extends PromptFields {
  agentName: string;
  primaryLanguage: Language;
  secondaryLanguage: Language | null;
  voiceId: string;
  /** Only an import brings one. */
  secondaryVoiceId?: string | null;
  introMessage: string;
  agentType: AgentType;
  customVariables: readonly string[];
  callConfig: AgentCallConfigChange;
}
export interface CreatedAgent {
  id: string;
  version: string;
  versionId: string;
  createdAt: Date;
}
/** A created agent with what of its script it cannot follow. */
export interface CreatedWithWarnings extends CreatedAgent {
  readonly warnings: readonly ScriptWarning[];
  /** When its calls leave; null: it makes none. */
  readonly window: WindowLevels | null;
}
export interface CreateAgentDeps extends WarningDeps {
  db: Db;
  clock: Clock;
  voices: VoiceCatalogue;
}

/** The stored variable list: without duplicates, and with the required variables first for an outbound agent. */
export function withRequiredVariables(type: AgentType, names: readonly string[]): string[] {
  return [...new Set([...(makesOutboundCalls(type) ? REQUIRED_VARIABLES : []), ...names])];
}

/** Throws 422 for a time zone that is not an unambiguous IANA zone. */
export function checkZone(change: { callTime?: { timezone?: string } | undefined }): void {
  const zone = change.callTime?.timezone;
  if (zone !== undefined && !isValidZone(zone)) {
    throw errors.invalid(
      'call_config.call_time.timezone',
      'must be an IANA zone in Region/City form, such as Asia/Kolkata (IST, PST and CST are ambiguous)',
    );
  }
}

/**
 * Creates an agent with its first version (interface, POST /public/agent). `onStored` runs in the same
 * transaction. Throws 422 and VOICE_LANGUAGE_MISMATCH.
 */
export async function createAgent(
  deps: CreateAgentDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: CreateAgentInput,
  onStored: (tx: Tx, created: CreatedWithWarnings) => Promise<void> = async () => undefined,
): Promise<CreatedWithWarnings> {
  const config = firstConfig(deps, input);
  return commitChange(deps.db, change, async (tx) => {
    const stored = await storeAgent(tx, new Date(deps.clock.now()), workspaceId, input, config);
    const { time, source } = windowInForce(config, { by: 'call', callTime: null });
    const created = {
      ...stored,
      window: makesOutboundCalls(input.agentType) ? toWindowLevels(time, source) : null,
      warnings: await scriptWarnings(deps, tx, workspaceId, config, input.agentType),
    };
    await onStored(tx, created);
    return created;
  });
}

/** The configuration of the first version: the sent values over the defaults. */
export function firstConfig(
  deps: Pick<CreateAgentDeps, 'voices' | 'prompts'>,
  input: CreateAgentInput,
): VersionConfig {
  checkZone(input.callConfig);
  const callConfig = mergeCallConfig(DEFAULT_CALL_CONFIG, input.callConfig);
  const choice = {
    voiceId: input.voiceId,
    language: input.primaryLanguage,
    secondaryLanguage: input.secondaryLanguage,
    secondaryVoiceId: input.secondaryVoiceId ?? null,
  };
  const { voiceId, secondaryVoiceId } = checkVoices(
    deps.voices,
    isChatAgent(input.agentType)
      ? { ...choice, secondaryVoiceId: unheardSecondVoice(deps.voices, choice) }
      : choice,
  );
  const sections = deps.prompts.build(input);
  return {
    language: input.primaryLanguage,
    secondaryLanguage: input.secondaryLanguage,
    voiceId,
    secondaryVoiceId,
    agentConfig: {
      agentPrompt: deps.prompts.join(sections),
      promptSections: sections,
      introMessage: input.introMessage,
      customVariables: withRequiredVariables(input.agentType, input.customVariables),
      vocab: [],
      voiceSpeed: 1,
      vadSettings: { interruptionSensitivity: 'default' },
      muteWhileBotSpeaking: false,
      preQueryResponsePhrases: [],
      preQueryPhraseProbability: 0,
    },
    callConfig: callConfig,
    ...(input.callConfig.callTime === undefined ? {} : { callTimeChosen: true }),
    eventSubscriptions: [],
  };
}

/** Inserts an agent and its first version. */
export async function storeAgent(
  tx: Tx,
  at: Date,
  workspaceId: string,
  input: Pick<CreateAgentInput, 'agentName' | 'agentType'>,
  config: VersionConfig,
): Promise<CreatedAgent> {
  const created = { id: newId(), version: 'v1', versionId: newId(), createdAt: at };
  await insertAgent(
    tx,
    workspaceId,
    {
      id: created.id,
      displayName: input.agentName,
      type: input.agentType,
      webcallPublicKey: newPublicKey(),
    },
    { id: created.versionId, slug: created.version, config },
    at,
  );
  return created;
}
