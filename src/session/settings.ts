import type { BrainContext, Expected } from '../voice/ports.ts';
import { joinSections, parsePrompt } from '../voice/prompt/build-prompt.ts';
import { render } from '../voice/prompt/render.ts';
import { turnSettings } from '../voice/prompt/settings.ts';
import type { AnswerSettings } from '../voice/answer/answer.ts';
import type { TurnSettings } from '../voice/turn/types.ts';
import type { CallSpec } from '../workers/protocol.ts';
import { LOOKUP_KNOWLEDGE } from './lookup-knowledge.ts';

/**
 * What the brain is told, variables rendered. The prompt is split before values are put in, so that no value
 * can open a section of its own.
 */
export function brainContext(spec: CallSpec, understandsSpeech: boolean): BrainContext {
  const { agent, variables, knowledge = [], tools = [], llm } = spec;
  const later = new Set(tools.flatMap((tool) => tool.sets ?? []));
  // What a tool finds out during the call has its place kept until then.
  const values = { ...Object.fromEntries([...later].map((name) => [name, `{{${name}}}`])), ...variables };
  const fill = (text: string): string => render(text, values).text;
  const sections = parsePrompt(agent.prompt).map(({ title, content }) => ({
    title: fill(title),
    content: fill(content),
  }));
  return {
    language: agent.language,
    secondaryLanguage: agent.secondaryLanguage,
    prompt: joinSections(sections),
    sections,
    introMessage: firstWords(spec),
    agentName: agent.name,
    variables,
    understandsSpeech,
    tools: [...(knowledge.length === 0 ? [] : [LOOKUP_KNOWLEDGE]), ...tools],
    knowledge,
    callDirection: spec.direction,
    ...(llm === undefined ? {} : { sampling: { temperature: llm.temperature, maxTokens: llm.maxTokens } }),
  };
}

/** What is done about machines on this call; null where nobody looks for them. `introduces` is the brain's own word. */
export function answerSettings(spec: CallSpec, introduces: string | undefined): AnswerSettings | null {
  const { voicemail } = spec.agent;
  if (voicemail === undefined || spec.direction !== 'outbound') return null;
  const introduction = introduces ?? statements(firstWords(spec));
  const messages = {
    end: '',
    summarise: introduction,
    static_message: render(voicemail.staticMessage ?? '', spec.variables).text.trim(),
  };
  const message = messages[voicemail.action];
  return { message: message === '' ? null : message, introduction };
}

/** A first message without its questions: nobody answers them. All of it where nothing else is left. */
function statements(text: string): string {
  const told = text
    .match(/[^.!?。！？।؟]+[.!。！।]+/gu)
    ?.join('')
    .trim();
  return told === undefined || told === '' ? text : told;
}

/** The first message as it will be spoken. */
export const firstWords = ({ agent, variables }: CallSpec): string =>
  render(agent.introMessage, variables).text.trim();

const SENSITIVITIES = ['low', 'default', 'high'] as const;

/** How the conversation behaves on this call. */
export function conversationSettings(
  spec: CallSpec,
  context: BrainContext,
  introExpected: Expected | undefined,
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
    direction: spec.direction,
    muteWhileAgentSpeaks: agent.muteWhileAgentSpeaks,
    interruptionSensitivity:
      SENSITIVITIES.find((level) => level === agent.interruptionSensitivity) ?? 'default',
    affordableMs: spec.maxCallMs,
    ...(agent.keys === undefined ? {} : { keys: agent.keys }),
    tools: toolRules(context.tools),
    ...(spec.fillers === undefined ? {} : { fillers: spec.fillers }),
    understandsSpeech: context.understandsSpeech,
    ...(introExpected === undefined ? {} : { introExpected }),
  });
}

const toolRules = (tools: BrainContext['tools']): NonNullable<TurnSettings['tools']> =>
  Object.fromEntries(
    tools.map(({ name, timeoutMs, keys }) => [
      name,
      {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(keys === undefined ? {} : { keys }),
      },
    ]),
  );
