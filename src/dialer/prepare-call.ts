import type { DtmfSettings, VersionConfig } from '../store/json/agent-version.ts';
import type { CallTime } from '../store/json/call-config.ts';
import { flowOf, handsOver } from '../domain/agents/flow/flow-of.ts';
import type { SearchPlace } from '../domain/knowledge/meaning-search.ts';
import { voiceIdsIn } from '../domain/agents/flow/known-agent.ts';
import { firstSpeakerOf } from '../domain/agents/call-config.ts';
import { callWindow } from '../domain/call-windows/call-window.ts';
import { recordingPath } from '../domain/calls/recordings.ts';
import {
  prepareTools,
  type CallTools,
  type LookUp,
  type PreparedTools,
  type ToolDeps,
} from '../domain/tools/call-tools.ts';
import { toolVariables, type ToolFacts } from '../wire/tools/variables.ts';
import { modelSettings } from '../domain/agents/model-settings.ts';
import type { StorageKind } from '../domain/workspaces/storage-quotas.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Log } from '../shared/log.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import type { ToolLogEntry } from '../voice/conversation.ts';
import type { AgentSnapshot, CallSpec } from '../session/protocol.ts';
import { Handovers, type FoundAgent } from '../domain/agents/handovers.ts';
import type { CallHandovers } from './tool-use.ts';
import type { EarSlots, HeardCall } from './ear-slots.ts';

/** What preparing a call needs from the process. */
export interface PrepareDeps {
  readonly log: Log;
  readonly spec: SpecDeps;
  readonly prepare: PrepareTools;
  /** The knowledge of the agent's version; never rejects. */
  knowledge(workspaceId: string, config: VersionConfig): Promise<readonly KnowledgeItem[]>;
  /** The providers that agent and workspace chose; never rejects. */
  providers(workspaceId: string, config: VersionConfig): Promise<CallProviders>;
  /** An agent of the workspace with the version that the call would have. Absent: calls are not handed over. */
  next?(workspaceId: string, agentId: string, callId: string): Promise<FoundAgent | null>;
  /** The slots of this machine's recognisers; absent: any number of calls. */
  readonly ears?: Pick<EarSlots, 'take'>;
}

/** A claimed or taken call, before its tools have run. */
export type UnpreparedCall = Omit<SpecInput, 'knowledge' | 'providers'> &
  Omit<ToolCaller, 'budgetMs'> & { readonly versionId?: string };

export type PreparedCall =
  | {
      readonly ready: true;
      readonly spec: CallSpec;
      readonly tools: CallTools;
      /** Null: the agent hands no call over. */
      readonly handovers: CallHandovers | null;
    }
  /** A pre-call tool that the call depends on failed. */
  | { readonly ready: false; readonly log: readonly ToolLogEntry[] }
  /** Every recogniser of this machine is in use; no tool has run. */
  | { readonly ready: false; readonly log: 'no ears' };

/** Time for all pre-call tools; an inbound caller hears ringing meanwhile. */
const OUTBOUND_BUDGET_MS = 30_000;
export const INBOUND_BUDGET_MS = 8_000;

/**
 * Runs the pre-call tools and meanwhile reads knowledge and providers, for calls of every direction; first the call gets
 * the slot of a recogniser, if it needs one. Never rejects.
 */
export async function prepareCall(deps: PrepareDeps, call: UnpreparedCall): Promise<PreparedCall> {
  const { workspaceId, config } = call;
  let read: Promise<CallProviders> | null = null;
  const chosen = (): Promise<CallProviders> => (read ??= deps.providers(workspaceId, config));
  if ((await deps.ears?.take(heardCall(call), chosen)) === false) {
    return { ready: false, log: 'no ears' };
  }
  const budgetMs = call.direction === 'outbound' ? OUTBOUND_BUDGET_MS : INBOUND_BUDGET_MS;
  const [prepared, knowledge, providers] = await Promise.all([
    deps.prepare({ ...call, budgetMs }),
    deps.knowledge(workspaceId, config),
    chosen(),
  ]);
  if (!prepared.ready) return prepared;
  const { tools } = prepared;
  try {
    const spec = callSpec(deps.spec, { ...call, knowledge, providers });
    const handovers = handoversOf(deps, call, tools.learnt);
    return { ready: true, tools, handovers, spec: ofAgent(spec, tools, handovers !== null) };
  } catch (error) {
    deps.log.error({ err: error, callId: call.callId }, 'a call could not be prepared; it is not dialled');
    await tools.close();
    return { ready: false, log: tools.log };
  }
}

const ofAgent = (spec: CallSpec, tools: CallTools, handsOver: boolean): CallSpec => ({
  ...spec,
  variables: { ...spec.variables, ...tools.learnt },
  tools: tools.specs,
  toolLog: tools.log,
  ...(handsOver ? { handsOver: true } : {}),
});

/** Hands a call over whose flow has handoffs; null: it has none. */
function handoversOf(
  deps: PrepareDeps,
  call: UnpreparedCall,
  learnt: Readonly<Record<string, string>>,
): CallHandovers | null {
  const { workspaceId, callId } = call;
  const find = deps.next?.bind(deps);
  if (find === undefined || !handsOver(call.config)) return null;
  const reads = new Map<string, { of: string; read: ReturnType<typeof read> }>();
  const read = (config: VersionConfig) =>
    Promise.all([deps.knowledge(workspaceId, config), deps.providers(workspaceId, config)]);
  /** What was read ahead of the handover, unless the agent has changed since. */
  const readOnce = (id: string, config: VersionConfig): ReturnType<typeof read> => {
    const of = JSON.stringify(config);
    const known = reads.get(id);
    if (known?.of === of) return known.read;
    const made = { of, read: read(config) };
    reads.set(id, made);
    return made.read;
  };
  const ofNext = ({ id, name, config: whole }: FoundAgent, passed: Readonly<Record<string, string>>) => {
    const config = { ...whole, preCallTools: [] };
    const variables = { ...call.variables, ...learnt, ...passed };
    return { ...call, agentId: id, agentName: name, config, variables };
  };
  const first = { id: call.agentId ?? '', name: call.agentName, config: call.config };
  return new Handovers({
    first,
    find: (agentId) => find(workspaceId, agentId, callId),
    async ahead(agent) {
      const own = ofNext(agent, {});
      const [knowledge, providers] = await readOnce(agent.id, own.config);
      const spec = callSpec(deps.spec, { ...own, knowledge, providers });
      return { id: agent.id, spec: { ...spec, recordingPath: null } };
    },
    async prepare(agent, { variables, returnsTo, again }) {
      const { id } = agent;
      const own = ofNext(agent, variables);
      const { config } = own;
      // A recogniser of this machine may have to hear the call from now on.
      const chosen = (): Promise<CallProviders> => deps.providers(workspaceId, call.config);
      const heard = { ...heardCall({ ...call, config }), versionId: null };
      if ((await deps.ears?.take(heard, chosen)) === false) return null;
      const [prepared, [knowledge, providers]] = await Promise.all([
        deps.prepare({ ...own, budgetMs: INBOUND_BUDGET_MS }),
        readOnce(id, config),
      ]);
      if (!prepared.ready) return null;
      const { tools } = prepared;
      const spec = callSpec(deps.spec, { ...own, knowledge, providers });
      const whole = ofAgent({ ...spec, recordingPath: null }, tools, handsOver(config));
      return {
        tools,
        next: {
          id,
          spec: returnsTo === null ? whole : { ...whole, returnsTo },
          ...(again === null ? {} : { again }),
        },
      };
    },
  });
}

const heardCall = ({ callId, versionId, config }: UnpreparedCall): HeardCall => ({
  callId,
  versionId: versionId ?? null,
  languages: [config.language, ...(config.secondaryLanguage === null ? [] : [config.secondaryLanguage])],
});

/** Why a call was refused for lack of a recogniser, for logs and records. */
export const NO_EARS = 'every recogniser of this machine is in use';

/** Closes the connections of a call that ended while it was prepared. */
export const discard = async (preparing: Promise<PreparedCall>): Promise<void> => {
  const prepared = await preparing;
  if (prepared.ready) await prepared.tools.close();
};

/** What a call needs to know of its agent and itself, before variables are rendered. */
export interface SpecInput {
  readonly callId: string;
  readonly workspaceId: string;
  readonly attempt: number;
  readonly direction: CallSpec['direction'];
  readonly agentName: string;
  readonly config: VersionConfig;
  readonly variables: Readonly<Record<string, string>>;
  readonly capMs: number;
  readonly knowledge?: readonly KnowledgeItem[];
  /** Absent: those of the installation. */
  readonly providers?: CallProviders;
}

export interface SpecDeps {
  /** The speech engine's key of a voice; a voice that has left the catalogue falls back to one of the language. */
  voiceKey(voiceId: string, language: string): string;
  /** The kinds of data whose storage quota the workspace has reached. */
  fullStorage?(workspaceId: string): readonly StorageKind[];
}

/** Freezes the agent's version for one attempt. */
export function callSpec(deps: SpecDeps, input: SpecInput): CallSpec {
  const { workspaceId, callId, attempt } = input;
  const wantsRecording = input.config.callConfig.recording?.enabled !== false;
  const full = deps.fullStorage?.(workspaceId) ?? [];
  const hasSpace = !full.includes('recordings');
  const notKept = { recording: wantsRecording && !hasSpace, eventLog: full.includes('callRecords') };
  const spec: CallSpec = {
    callId,
    workspaceId,
    attempt,
    direction: input.direction,
    agent: snapshot(deps, input.agentName, input.config),
    variables: input.variables,
    ...(input.knowledge === undefined ? {} : { knowledge: input.knowledge }),
    ...modelSettings(input.config.agentConfig.llm ?? null),
    ...fillersOf(input.config),
    maxCallMs: input.capMs,
    recordingPath: wantsRecording && hasSpace ? recordingPath(workspaceId, callId, attempt) : null,
    ...(full.length === 0 ? {} : { notKept }),
  };
  return input.providers === undefined ? spec : withProviders(spec, input.providers);
}

/** The call with the providers and voices that were chosen for it. */
function withProviders(spec: CallSpec, { voices, ...providers }: CallProviders): CallSpec {
  if (voices === undefined) return { ...spec, providers };
  const { replaced, stepVoices, ...keys } = voices;
  const ofSteps = stepVoices === undefined ? {} : { stepVoices: { ...spec.agent.stepVoices, ...stepVoices } };
  const agent = {
    ...spec.agent,
    ...keys,
    ...ofSteps,
    ...(replaced === undefined ? {} : { replacedVoice: replaced }),
  };
  return { ...spec, agent, providers };
}

function fillersOf({ agentConfig: agent }: VersionConfig): Pick<CallSpec, 'fillers'> {
  const phrases = agent.preQueryResponsePhrases;
  return phrases.length === 0 ? {} : { fillers: { phrases, probability: agent.preQueryPhraseProbability } };
}

function snapshot(deps: SpecDeps, name: string, config: VersionConfig): AgentSnapshot {
  const { agentConfig: agent, callConfig: call } = config;
  return {
    name,
    language: config.language,
    secondaryLanguage: config.secondaryLanguage,
    voiceKey: deps.voiceKey(config.voiceId, config.language),
    ...(config.secondaryVoiceId === null || config.secondaryLanguage === null
      ? {}
      : { secondaryVoiceKey: deps.voiceKey(config.secondaryVoiceId, config.secondaryLanguage) }),
    ...stepVoices(deps, config),
    voiceSpeed: agent.voiceSpeed,
    prompt: agent.agentPrompt,
    introMessage: agent.introMessage,
    ...flowOf(config),
    vocab: agent.vocab,
    firstSpeaker: firstSpeaker(call),
    muteDuringIntro: call.muteDuringIntro,
    muteWhileAgentSpeaks: agent.muteWhileBotSpeaking,
    interruptionSensitivity: agent.vadSettings.interruptionSensitivity ?? 'default',
    idleWarningSeconds: call.idleTimeoutWarning,
    idleEndSeconds: call.idleTimeoutEnd,
    noiseSuppression: call.noiseFilterConfig.filterNoise
      ? call.noiseFilterConfig.noiseSuppressionLevel
      : null,
    ...machineRules(call),
    ...(agent.dtmfSettings === undefined ? {} : { keys: keyRules(agent.dtmfSettings) }),
  };
}

/** The voices of steps, by their ids; of those of vendors, substitutes of this machine. */
function stepVoices(deps: SpecDeps, { flow, language }: VersionConfig): Pick<AgentSnapshot, 'stepVoices'> {
  const ids = voiceIdsIn(flow);
  if (ids.length === 0) return {};
  return { stepVoices: Object.fromEntries(ids.map((id) => [id, deps.voiceKey(id, language)] as const)) };
}

function firstSpeaker(call: VersionConfig['callConfig']): AgentSnapshot['firstSpeaker'] {
  const { mode, delay, limit } = firstSpeakerOf(call);
  return { mode, delayMs: delay * 1000, limitMs: limit * 1000 };
}

const DEFAULT_VOLUME = 0.5;

/** Versions stored before these settings existed lack them. */
function machineRules({ voicemail, backgroundAudioConfig: background }: VersionConfig['callConfig']) {
  return {
    ...(voicemail?.detect
      ? { voicemail: { action: voicemail.action, staticMessage: voicemail.staticMessage } }
      : {}),
    ...(background?.audioId == null ? {} : { backgroundVolume: background.volume ?? DEFAULT_VOLUME }),
  };
}

function keyRules({ dtmfCapturingEnabled: enabled, dtmfInput: keys }: DtmfSettings) {
  return {
    enabled,
    digits: keys.digits,
    pauseMs: keys.timeout === null ? null : keys.timeout * 1000,
    end: keys.end,
    reset: keys.reset,
  };
}

export interface ToolCaller extends ToolFacts {
  readonly workspaceId: string;
  readonly config: VersionConfig;
  /** Variables of the prompt. */
  readonly variables: Readonly<Record<string, string>>;
  /** The window of the call or its campaign, merged over the agent's. */
  readonly callTime: Partial<CallTime> | null;
  /** An inbound caller or a page with the public key began the call. */
  readonly byStranger: boolean;
  readonly budgetMs: number;
}
/** Runs pre-call tools and opens on-call tools. Never rejects. */
export type PrepareTools = (caller: ToolCaller) => Promise<PreparedTools>;

export const toolPreparer =
  (
    deps: ToolDeps & {
      readonly log: Log;
      lookUp(at: SearchPlace, args: Parameters<LookUp>[0]): ReturnType<LookUp>;
      /** Variables of earlier calls with the person; absent: none. */
      remember?(
        call: { workspaceId: string; callId: string },
        config: VersionConfig,
      ): Promise<Readonly<Record<string, string>>>;
      /** Absent: only the settlement decides on callbacks. */
      whyNoCallback?(call: { workspaceId: string; callId: string }, at: number): Promise<string | null>;
    },
  ): PrepareTools =>
  async (caller) => {
    const { config, callTime, byStranger, budgetMs, workspaceId, callId } = caller;
    const remembered = await deps.remember?.({ workspaceId, callId }, config).catch((error: unknown) => {
      deps.log.warn({ err: error, callId }, 'a call goes on without the summary of the previous one');
      return {};
    });
    const person = caller.direction === 'inbound' ? caller.from : caller.to;
    const kbIds = config.knowledgeBaseIds ?? [];
    return prepareTools(deps, {
      workspaceId,
      config,
      variables: toolVariables(caller.variables, caller),
      ...(remembered === undefined ? {} : { remembered: without(remembered, caller.variables) }),
      window: callWindow(config.callConfig.callTime, callTime, person),
      lookUp: (args) => deps.lookUp({ workspaceId, kbIds, byStranger }, args),
      whyNoCallback: async (at) =>
        deps.whyNoCallback?.({ workspaceId, callId }, at).catch((error: unknown) => {
          deps.log.warn({ err: error, callId }, 'a callback was not checked before the settlement');
          return null;
        }) ?? null,
      budgetMs,
    }).catch((error: unknown): PreparedTools => {
      deps.log.error({ err: error, callId: caller.callId }, 'the tools of a call could not be prepared');
      return { ready: false, log: [] };
    });
  };

/** A value that the call was given comes first. */
const without = (
  remembered: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(remembered).filter(([name]) => !Object.hasOwn(given, name)));
