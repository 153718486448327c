import { asksSomething } from '@callwright/language';
import type { Meaning } from '../meaning/meaning.ts';
import type { Answers } from './answer/answers.ts';
import { type Reply, respond } from './respond.ts';
import type { Agent } from './turn.ts';

/** A question that waits longer for its answer is answered by its words alone. */
const WAIT_MS = 400;

/** The reply by the search of words, and the questions that it left unanswered. */
export function respondByWords(
  agent: Agent,
  history: Parameters<typeof respond>[1],
  memory: unknown,
): { readonly reply: Reply; readonly unanswered: readonly string[] } {
  const unanswered: string[] = [];
  const answerTo = (text: string): string | null => {
    const found = agent.answerTo(text);
    if (found === null && asksSomething(text, agent.wording)) unanswered.push(text);
    return found;
  };
  return { reply: respond({ ...agent, answerTo }, history, memory), unanswered };
}

/** Answers to questions by their meaning; empty when no fact is near, or the meanings are not there in time. */
export async function answersByMeaning(
  agent: Answers,
  meaning: Meaning,
  questions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const vectors = await meaning.vectorsOf([...questions, ...agent.compared()], WAIT_MS);
  if (vectors === null) return new Map();
  return new Map(
    questions.flatMap((question) => {
      const answer = agent.byMeaning(question, vectors);
      return answer === null ? [] : [[question, answer] as const];
    }),
  );
}

/** The agent that knows these answers, too. */
export const knowing = (agent: Agent, answers: ReadonlyMap<string, string>): Agent => ({
  ...agent,
  answerTo: (text) => agent.answerTo(text) ?? answers.get(text) ?? null,
});
