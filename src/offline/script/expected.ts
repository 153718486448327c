import { wordsOfQuestion } from './knowledge.ts';
import { asksForSensitive } from './tools.ts';
import type { Expected } from '@callwright/turns';
import type { Agent } from './turn.ts';
import type { Memory } from './memory.ts';

type Kind = Expected['kinds'][number];

/** Phrases possible at any point; a phrase recogniser needs them in every grammar. */
const CONTROL = [
  'hello',
  'thank you',
  'goodbye',
  'repeat please',
  'who is this',
  'why are you calling',
  'are you a robot',
  'not interested',
  'call me later',
  'speak to a human',
  'stop calling me',
  'hold on',
  'what',
  'i do not know',
] as const;

/** The answers expected next, for the recogniser. */
export function expectedAfter(agent: Agent, memory: Memory): Expected {
  const { kinds, phrases, choices } = answers(agent, memory);
  const control = agent.wording.locale === 'en' ? CONTROL : [];
  const expected = {
    kinds,
    phrases: [...new Set([...phrases, ...control])],
    ...(choices === undefined || choices.length === 0 ? {} : { choices }),
  };
  return isSensitive(agent, memory) ? { ...expected, sensitive: true } : expected;
}

/** Whether the pending question asks for an answer that goes to a sensitive parameter of a tool. */
function isSensitive(agent: Agent, { pending }: Memory): boolean {
  const at = pending.type === 'opening' ? agent.script.start : 'at' in pending ? pending.at : -1;
  const step = agent.script.steps[at];
  if (step?.type !== 'ask') return false;
  if (pending.type === 'opening' && agent.script.opening !== 'step') return false;
  const question = step.question === '' ? agent.introMessage : step.question;
  return asksForSensitive(`${step.slot} ${question}`, agent.tools.values());
}

interface Answers {
  kinds: Kind[];
  phrases: readonly string[];
  choices?: readonly string[];
}

function answers(agent: Agent, memory: Memory): Answers {
  const { pending } = memory;
  switch (pending.type) {
    case 'opening':
      return opening(agent);
    case 'step': {
      const step = agent.script.steps[pending.at];
      if (step?.type !== 'ask') return { kinds: ['yes_no'], phrases: [] };
      return { kinds: kindsOf(step.answer), phrases: step.choices, choices: step.choices };
    }
    case 'verify': {
      const step = agent.script.steps[pending.at];
      const own = step?.type === 'ask' ? kindsOf(step.answer) : [];
      return { kinds: [...new Set<Kind>(['yes_no', ...own])], phrases: [] };
    }
    case 'other_time':
      return { kinds: ['yes_no', 'date', 'time'], phrases: [] };
    case 'callback':
      return { kinds: ['date', 'time'], phrases: ['any time', 'in the morning', 'in the evening'] };
    case 'help':
    case 'anything_else':
      return { kinds: ['yes_no', 'free'], phrases: faqPhrases(agent) };
    case 'more':
      return { kinds: ['yes_no'], phrases: ['go on'] };
    case 'closed':
      break;
  }
  return { kinds: ['yes_no'], phrases: [] };
}

function opening(agent: Agent): Answers {
  const first = agent.script.steps[agent.script.start];
  if (agent.script.opening === 'step' && first?.type === 'ask') {
    return { kinds: kindsOf(first.answer), phrases: first.choices, choices: first.choices };
  }
  if (agent.script.opening === 'open') return { kinds: ['free', 'yes_no'], phrases: faqPhrases(agent) };
  return { kinds: ['yes_no'], phrases: ['speaking'] };
}

function kindsOf(answer: string): Kind[] {
  switch (answer) {
    case 'date':
      return ['date', 'time'];
    case 'number':
    case 'digits':
    case 'time':
    case 'choice':
    case 'name':
    case 'yes_no':
      return [answer];
    default:
      return ['free', 'yes_no'];
  }
}

/** FAQ questions short enough for a phrase recogniser. */
const faqPhrases = (agent: Agent): string[] =>
  agent.script.faqs
    .map(({ question }) => wordsOfQuestion(question))
    .filter((question) => question !== '' && question.split(' ').length <= 7)
    .slice(0, 8);
