import { readPurpose } from './purpose.ts';
import { sentences } from './text.ts';
import type { BrainContext } from '../../../voice/ports.ts';

const LONGEST = 400;

/**
 * Who calls and why, in the agent's own words: what its first message states, and the purpose its objective names. A
 * question in it would wait for an answer that a machine does not give.
 */
export function introduced(context: BrainContext): { introduces?: string } {
  const objective =
    context.sections.find(({ title }) => /objective|introduction/i.test(title))?.content ?? '';
  const purpose = readPurpose(objective, context.agentName);
  const told = sentences(context.introMessage).filter((sentence) => !/[?？؟]["'”’)]?$/u.test(sentence));
  const who = told.join(' ') || purpose.who;
  const text = [who, purpose.why].filter((part) => part !== null && part !== '').join(' ');
  return text === '' ? {} : { introduces: text.slice(0, LONGEST) };
}
