import { type AnswerKind, sentences } from '@callwright/language';
import type { BrainContext } from '../../providers/ports/model.ts';
import { agentOf } from './brain.ts';
import { plainText } from './text.ts';

/** What a prompt has the agent ask and know. */
export interface PromptContents {
  readonly questions: readonly {
    readonly text: string;
    readonly answer: AnswerKind;
    readonly choices: readonly string[];
  }[];
  /** Questions of callers, with the answer that the prompt gives. */
  readonly facts: readonly { readonly question: string; readonly answer: string }[];
  readonly statements: readonly string[];
}

const MOST_STATEMENTS = 500;

/** Reads the prompt of an agent as the built-in engine does. */
export function promptContents(context: BrainContext): PromptContents {
  const { script } = agentOf(context);
  const texts = [context.prompt, ...context.sections.map(({ content }) => content)];
  return {
    questions: script.steps.flatMap((step) =>
      step.type === 'ask' ? [{ text: step.question, answer: step.answer, choices: step.choices }] : [],
    ),
    facts: script.faqs,
    statements: [...new Set(texts.flatMap((text) => sentences(plainText(text))))].slice(0, MOST_STATEMENTS),
  };
}
