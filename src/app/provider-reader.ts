import { modelNamesIn, voiceIdsIn } from '../domain/agents/flow/known-agent.ts';
import { handsOver } from '../domain/agents/flow/flow-of.ts';
import type { VersionConfig } from '../store/json/agent-version.ts';
import { agentsModel, toProviderSettings } from '../domain/providers/provider-settings.ts';
import { resolveProviders, stepModelsOf } from '../domain/providers/resolve-providers.ts';
import { callVoice, vendorOfKey } from '../providers/voice-book.ts';
import { voiceById } from '../providers/voices.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import { type CallProviders, type CallVoices, type OperatorProviders } from '../vendors/accounts.ts';
import { isVendorOf } from '../vendors/catalogue.ts';
import type { Db } from '../store/database.ts';
import { findProviders } from '../store/tenants/providers.ts';
import { findChosenVoices, type ChosenVoice } from '../store/tenants/voices.ts';

export type ReadProviders = (workspaceId: string, config: VersionConfig) => Promise<CallProviders>;

/**
 * Reads the providers of a conversation when it starts. One whose settings cannot be read uses the agent's own model, and
 * else those of the installation.
 */
export const providerReader =
  (db: Db, log: Log, seal: Seal, operator: OperatorProviders): ReadProviders =>
  async (workspaceId, config) => {
    const open = ({ sealed }: { sealed: string }): string | null => seal.open(sealed);
    try {
      const own = vendorVoiceIds(config);
      const ofSteps = voiceIdsIn(config.flow).filter((id) => voiceById(id) === undefined);
      const ids = [...new Set([...own, ...ofSteps])];
      const [stored, known] = await Promise.all([
        findProviders(db, workspaceId),
        ids.length === 0 ? [] : findChosenVoices(db, workspaceId, ids),
      ]);
      const { stt = null, llm = null, s2s = null } = config.agentConfig;
      const speakers = own
        .flatMap((id) => known.find((voice) => voice.id === id)?.voiceKey ?? [])
        .map(vendorOfKey)
        .filter((name) => isVendorOf('tts', name));
      const settings = toProviderSettings(stored);
      const resolved = resolveProviders(operator, settings, { stt, llm, s2s, speakers }, open);
      const names = modelNamesIn(config.flow);
      const ofFlow = {
        ...withoutTalker(resolved),
        ...(names.length === 0 ? {} : { stepModels: stepModelsOf(operator, settings, llm, names, open) }),
      };
      const providers = config.flow == null && !handsOver(config) ? resolved : ofFlow;
      if (ids.length === 0) return providers;
      const chain = providers.tts?.map(({ name }) => name) ?? operator.chains.tts;
      const voices = callVoices(config, known, chain, ofSteps);
      const first = known.find(({ id }) => id === own[0]) ?? known.find(({ id }) => own.includes(id));
      return { ...providers, ...talkerWith(providers, s2s?.voice ?? null, first?.voiceKey), voices };
    } catch (error) {
      log.error({ err: error, workspaceId }, 'the providers of a call could not be read');
      const own = agentsModel(config.agentConfig?.llm ?? null, open);
      return own === null ? {} : { llm: [own] };
    }
  };

/** Agents with a flow or handoffs use the pipeline of recogniser, model and voice: a speech-to-speech model would choose its own words. */
function withoutTalker(chosen: CallProviders): CallProviders {
  const { s2s: _, ...pipeline } = chosen;
  return pipeline;
}

/** Speech to speech with the agent's own voice, unless the agent names another one for it. */
function talkerWith(
  { s2s }: CallProviders,
  named: string | null,
  voiceKey: string | undefined,
): Pick<CallProviders, 's2s'> {
  if (s2s === undefined || voiceKey === undefined || named !== null) return {};
  const [vendor, voice] = [vendorOfKey(voiceKey), voiceKey.slice(voiceKey.indexOf(':') + 1)];
  return vendor === s2s.name ? { s2s: { ...s2s, settings: { ...s2s.settings, voice } } } : {};
}

/** The agent's voices that are of no engine of this machine, the first language's first. */
const vendorVoiceIds = ({ voiceId: first, secondaryVoiceId: second }: VersionConfig): string[] =>
  [first, ...(second === null ? [] : [second])].filter((id) => voiceById(id) === undefined);

function callVoices(
  config: VersionConfig,
  known: readonly ChosenVoice[],
  speakers: readonly string[],
  ofSteps: readonly string[],
): CallVoices {
  const voiceOf = (id: string, language: string) =>
    callVoice(
      id,
      language,
      known.find((voice) => voice.id === id),
      speakers,
    );
  const { voiceId: firstId, secondaryVoiceId: secondId, secondaryLanguage: secondLanguage } = config;
  const first = voiceOf(firstId, config.language);
  const second = secondId === null || secondLanguage === null ? null : voiceOf(secondId, secondLanguage);
  const replaced = first.replaced ?? second?.replaced ?? null;
  return {
    voiceKey: first.voiceKey,
    ...(second === null ? {} : { secondaryVoiceKey: second.voiceKey }),
    ...(ofSteps.length === 0
      ? {}
      : {
          stepVoices: Object.fromEntries(
            ofSteps.map((id) => [id, voiceOf(id, config.language).voiceKey] as const),
          ),
        }),
    ...(replaced === null ? {} : { replaced }),
  };
}
