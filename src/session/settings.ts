import type { BrainContext, LlmSession } from '../providers/ports/model.ts';
import type { SampleRate } from '@callwright/audio';
import type { SttOptions, SttProvider } from '../providers/ports/recogniser.ts';
import type { TtsOptions } from '../providers/ports/voice.ts';
import { joinSections, parsePrompt } from '../voice/prompt/build-prompt.ts';
import { speakable, spokenFirst } from '../voice/prompt/leave-out.ts';
import { markedValue, render } from '../voice/prompt/render.ts';
import { type AnswerSettings, type TurnSettings, turnSettings } from '@callwright/turns';
import type { CallSpec } from '../workers/protocol.ts';
import { menuSteps } from '@callwright/language';
import { LOOKUP_KNOWLEDGE } from './lookup-knowledge.ts';

/** Options of each provider session of a call. */
export interface Talk {
  readonly context: BrainContext;
  readonly hearing: Omit<SttOptions, 'onEvent'>;
  readonly voice: TtsOptions;
}

export const talkOf = (
  spec: CallSpec,
  stt: Pick<SttProvider, 'understands' | 'onlyPhrases'>,
  sampleRate: SampleRate,
): Talk => ({
  context: brainContext(spec, {
    understandsSpeech: stt.understands(spec.agent.language),
    onlyPhrases: stt.onlyPhrases?.(spec.agent.language) ?? false,
  }),
  hearing: {
    language: spec.agent.language,
    secondaryLanguage: spec.agent.secondaryLanguage,
    sampleRate,
    vocab: spec.agent.vocab,
  },
  voice: {
    voiceKey: spec.agent.voiceKey,
    language: spec.agent.language,
    speed: spec.agent.voiceSpeed,
    sampleRate,
  },
});

/** Placeholder that a model reads for a missing value, or one that a tool sets later. */
const UNKNOWN = '(unknown)';
const unknownUntil = (name: string): string => `(unknown until a tool sets ${name})`;

/**
 * The brain's context, variables rendered. The prompt is split into sections before values are inserted, so that no
 * value can open a section. The script engine drops text with missing values; a model reads that they are unknown.
 */
export function brainContext(
  spec: CallSpec,
  { understandsSpeech, onlyPhrases = false }: Pick<BrainContext, 'understandsSpeech' | 'onlyPhrases'>,
): BrainContext {
  const { agent, variables, knowledge = [], tools = [], llm } = spec;
  const setByTools = new Set(tools.flatMap((tool) => tool.sets ?? []));
  // Variables that a tool sets during the call keep their placeholders.
  const values = {
    ...Object.fromEntries([...setByTools].map((name) => [name, `{{${name}}}`])),
    ...variables,
  };
  const parts = parsePrompt(agent.prompt);
  const sections = parts.map(({ title, content }) => ({
    title: render(title, values).text,
    content: speakable(content, values, agent.language),
  }));
  const unknown = new Set<string>();
  const forModel = (text: string): string => {
    const read = render(text, variables, markedValue, (name) =>
      setByTools.has(name) ? unknownUntil(name) : UNKNOWN,
    );
    for (const name of read.unknown) unknown.add(name);
    return read.text;
  };
  const instructions = joinSections(
    parts.map(({ title, content }) => ({ title: forModel(title), content: forModel(content) })),
  );
  return {
    language: agent.language,
    secondaryLanguage: agent.secondaryLanguage,
    prompt: joinSections(sections),
    instructions,
    unknown: [...unknown].map((name) => ({ name, setByTool: setByTools.has(name) })),
    sections,
    introMessage: firstWords(spec),
    agentName: agent.name,
    variables,
    understandsSpeech,
    onlyPhrases,
    tools: [...(knowledge.length === 0 ? [] : [LOOKUP_KNOWLEDGE]), ...tools],
    knowledge,
    callDirection: spec.direction,
    ...(llm?.onModelFailure === 'script' ? { onModelFailure: 'script' as const } : {}),
    ...(llm === undefined ? {} : { sampling: { temperature: llm.temperature, maxTokens: llm.maxTokens } }),
  };
}

/** Settings of machine detection; null: off. `introduces`: the brain's own introduction, if any. */
export function answerSettings(spec: CallSpec, introduces: string | undefined): AnswerSettings | null {
  const { voicemail } = spec.agent;
  if (voicemail === undefined || spec.direction !== 'outbound') return null;
  const introduction = introduces ?? statements(firstWords(spec));
  const messages = {
    end: '',
    summarise: introduction,
    static_message: spokenFirst(voicemail.staticMessage ?? '', spec.variables, spec.agent.language),
  };
  const message = messages[voicemail.action];
  const task = speakable(spec.agent.prompt, spec.variables, spec.agent.language);
  return { message: message === '' ? null : message, introduction, menu: menuSteps(task) };
}

/** The first message without its questions, which a machine does not answer; the whole message if only questions remain. */
function statements(text: string): string {
  const stated = text
    .match(/(?<![^.!?。！？।؟])[^.!?。！？।؟]+[.!。！।]+/gu)
    ?.join('')
    .trim();
  return stated === undefined || stated === '' ? text : stated;
}

/** The first message, variables rendered; what lacks a value is left out. */
export const firstWords = ({ agent, variables }: CallSpec): string =>
  spokenFirst(agent.introMessage, variables, agent.language);

const SENSITIVITIES = ['low', 'default', 'high'] as const;

/** Settings of the turn machine for this call. */
export function conversationSettings(
  spec: CallSpec,
  context: BrainContext,
  { expectsFirst, checksIn }: Pick<LlmSession, 'expectsFirst' | 'checksIn'>,
): TurnSettings {
  const { agent } = spec;
  return turnSettings({
    callConfig: {
      max_call_length: spec.maxCallMs / 1000,
      idle_timeout_warning: agent.idleWarningSeconds,
      idle_timeout_end: agent.idleEndSeconds,
      mute_during_intro: agent.muteDuringIntro,
    },
    introMessage: context.introMessage,
    language: agent.language,
    secondaryLanguage: agent.secondaryLanguage,
    direction: spec.direction,
    muteWhileAgentSpeaks: agent.muteWhileAgentSpeaks,
    interruptionSensitivity:
      SENSITIVITIES.find((level) => level === agent.interruptionSensitivity) ?? 'default',
    ...startOf(spec),
    affordableMs: spec.maxCallMs,
    ...(agent.keys === undefined ? {} : { keys: agent.keys }),
    tools: toolRules(context.tools),
    ...(spec.fillers === undefined ? {} : { fillers: spec.fillers }),
    understandsSpeech: context.understandsSpeech,
    ...(context.onlyPhrases === true ? { onlyPhrases: true } : {}),
    ...(expectsFirst === undefined ? {} : { introExpected: expectsFirst }),
    ...(checksIn === undefined ? {} : { checksIn }),
  });
}

/** On outbound calls the agent waits this long for a hello. */
const HELLO_MS = 700;

/** The start rule; none: the agent speaks at once. */
function startOf({ agent, direction }: CallSpec): { start?: NonNullable<TurnSettings['start']> } {
  const { mode, delayMs, limitMs } = agent.firstSpeaker;
  if (mode === 'caller') return { start: { after: 'caller', waitMs: limitMs } };
  if (mode === 'agent') return delayMs === 0 ? {} : { start: { after: 'delay', waitMs: delayMs } };
  return direction === 'outbound' ? { start: { after: 'hello', waitMs: HELLO_MS } } : {};
}

const toolRules = (tools: BrainContext['tools']): NonNullable<TurnSettings['tools']> =>
  Object.fromEntries(
    tools.map(({ name, kind, timeoutMs, keys }) => [
      name,
      {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(keys === undefined ? {} : { keys }),
        ...(kind === 'send_keys' || kind === 'wait_for_keys' ? { repeats: true } : {}),
      },
    ]),
  );
