import { wordsOfQuestion } from './faq.ts';
import type { Expected } from '../../../voice/ports.ts';
import type { Agent } from './turn.ts';
import type { Memory } from './memory.ts';

type Kind = Expected['kinds'][number];

/** Said at any time; a phrase recogniser needs them in its grammar whatever is asked. */
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

/** What the caller is likely to say next, for the recogniser. */
export function expectedAfter(agent: Agent, memory: Memory): Expected {
  const { kinds, phrases } = answers(agent, memory);
  const control = agent.wording.locale === 'en' ? CONTROL : [];
  return { kinds, phrases: [...new Set([...phrases, ...control])] };
}

function answers(agent: Agent, memory: Memory): { kinds: Kind[]; phrases: readonly string[] } {
  const { pending } = memory;
  switch (pending.type) {
    case 'opening':
      return opening(agent);
    case 'step': {
      const step = agent.script.steps[pending.at];
      if (step?.type !== 'ask') return { kinds: ['yes_no'], phrases: [] };
      return { kinds: kindsOf(step.answer), phrases: step.choices };
    }
    case 'verify': {
      const step = agent.script.steps[pending.at];
      const own = step?.type === 'ask' ? kindsOf(step.answer) : [];
      return { kinds: [...new Set<Kind>(['yes_no', ...own])], phrases: [] };
    }
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

function opening(agent: Agent): { kinds: Kind[]; phrases: readonly string[] } {
  const first = agent.script.steps[agent.script.start];
  if (agent.script.opening === 'step' && first?.type === 'ask') {
    return { kinds: kindsOf(first.answer), phrases: first.choices };
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

/** Short FAQ questions as callers would put them. */
const faqPhrases = (agent: Agent): string[] =>
  agent.script.faqs
    .map(({ question }) => wordsOfQuestion(question))
    .filter((question) => question !== '' && question.split(' ').length <= 7)
    .slice(0, 8);
