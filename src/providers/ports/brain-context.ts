import type { Language } from '@callwright/language';
import { joinSections } from '../../shared/prompt-text.ts';
import { parsePrompt } from '../../voice/prompt/build-prompt.ts';
import { speakable, spokenFirst } from '../../voice/prompt/leave-out.ts';
import { markedValue, render } from '../../voice/prompt/render.ts';
import type { BrainContext, FlowOfAgent, ToolSpec } from './model.ts';

/** What a brain needs of an agent and its conversation, before variables are rendered. */
export interface BrainSpec {
  readonly agent: {
    readonly name: string;
    readonly language: Language;
    readonly secondaryLanguage: Language | null;
    readonly prompt: string;
    readonly introMessage: string;
    readonly flow?: FlowOfAgent;
  };
  readonly variables: Readonly<Record<string, string>>;
  readonly knowledge?: BrainContext['knowledge'];
  /** The agent's own tools, in addition to the built-in ones. */
  readonly tools?: readonly ToolSpec[];
  readonly direction: BrainContext['callDirection'];
  readonly handsOver?: true;
  readonly returnsTo?: string;
  readonly llm?: NonNullable<BrainContext['sampling']> & { readonly onModelFailure?: 'script' };
}

/**
 * The tool that searches the agent's knowledge bases. The service runs the search; when it cannot in time, the session
 * searches the passages that the call carries.
 */
export const LOOKUP_KNOWLEDGE: ToolSpec = {
  name: 'lookup_knowledge',
  description:
    "Looks a question up in the business's own documents. Use it before you answer a question of the caller that your instructions do not answer; if nothing fits, say that you do not know.",
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'The question in full, in its own words.' } },
    required: ['question'],
    additionalProperties: false,
  },
};

/** Placeholder that a model reads for a missing value, or one that a tool sets later. */
const UNKNOWN = '(unknown)';
const unknownUntil = (name: string): string => `(unknown until a tool sets ${name})`;

/**
 * The brain's context, variables rendered. The prompt is split into sections before values are inserted, so that no
 * value can open a section. The script engine drops text with missing values; a model reads that they are unknown.
 */
export function brainContext(
  spec: BrainSpec,
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
    ...(agent.flow === undefined ? {} : { flow: agent.flow }),
    ...(spec.handsOver === true ? { handsOver: true as const } : {}),
    ...(spec.returnsTo === undefined ? {} : { returnsTo: spec.returnsTo }),
    ...(llm?.onModelFailure === 'script' ? { onModelFailure: 'script' as const } : {}),
    ...(llm === undefined ? {} : { sampling: { temperature: llm.temperature, maxTokens: llm.maxTokens } }),
  };
}

/** The first message, variables rendered; what lacks a value is left out. */
export const firstWords = ({ agent, variables }: BrainSpec): string =>
  spokenFirst(agent.introMessage, variables, agent.language);
