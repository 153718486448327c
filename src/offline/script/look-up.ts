import { asksSomething, type CallerLine } from '@callwright/language';
import { phrase, speak, type Agent, type Draft } from './turn.ts';

/** The statement that answers a line; after "What exactly would you like to know about?" the question before counts, too. */
export function lookUp(agent: Agent, draft: Draft, text: string): string | null {
  const { clarifying } = draft.memory;
  return agent.answerTo(text) ?? (clarifying === null ? null : agent.answerTo(`${clarifying} ${text}`));
}

/** Says that no statement answers a question; the first time that it is too short for one, asks what exactly is meant. */
export function leaveUnanswered(agent: Agent, draft: Draft, line: CallerLine): 'clarifies' | 'unknown' {
  const { memory } = draft;
  if (!memory.clarified && line.by !== 'keypad' && agent.isVague(line.text)) {
    speak(draft, phrase(agent, draft, 'clarify'));
    draft.memory = { ...memory, clarified: true, clarifying: line.text.slice(0, 200) };
    return 'clarifies';
  }
  speak(draft, phrase(agent, draft, 'cannotAnswer'));
  return 'unknown';
}

/** Handles the line after "What exactly would you like to know about?"; null leaves it to the pending question. */
export function clarified(agent: Agent, draft: Draft, line: CallerLine): 'answered' | 'unknown' | null {
  if (draft.memory.clarifying === null || line.by === 'keypad') return null;
  const answer = lookUp(agent, draft, line.text);
  draft.memory = { ...draft.memory, clarifying: null };
  if (answer !== null) speak(draft, answer);
  else if (!asksSomething(line.text, agent.wording)) return null;
  else speak(draft, phrase(agent, draft, 'cannotAnswer'));
  return answer === null ? 'unknown' : 'answered';
}
