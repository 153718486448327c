import { agentOf } from './brain.ts';
import { expectedAfter } from './expected.ts';
import { freshMemory, readMemory } from './memory.ts';
import { respond, type Reply } from './respond.ts';
import type { BrainContext, Expected, HistoryItem } from '../../../voice/ports.ts';

/** A text call with the script brain, for tests: keeps history and memory as a session does. */
export interface Call {
  hear(text: string, by?: 'speech' | 'keypad' | 'text'): Reply;
  /** The same, as one string: text, then the tools in brackets. */
  say(text: string, by?: 'speech' | 'keypad' | 'text'): string;
  replyTo(history: readonly HistoryItem[], memory: unknown): Reply;
  readonly last: Reply;
  readonly expected: Expected;
}

export interface Settings extends Partial<Omit<BrainContext, 'sections'>> {
  objective?: string;
  guidelines?: string;
  script?: string;
  faq?: string;
}

export function callOf(settings: Settings): Call {
  const { objective = '', guidelines = '', script = '', faq = '', ...context } = settings;
  const agent = agentOf({
    language: 'en-US',
    secondaryLanguage: null,
    prompt: '',
    instructions: '',
    introMessage: 'Hello.',
    agentName: 'Maya',
    variables: {},
    understandsSpeech: true,
    tools: [],
    callDirection: 'outbound',
    ...context,
    sections: [
      { title: 'Objective', content: objective },
      { title: 'Response Guidelines', content: guidelines },
      { title: 'Conversation Script', content: script },
      { title: 'FAQs', content: faq },
    ],
  });
  const history: HistoryItem[] =
    agent.introMessage === '' ? [] : [{ role: 'agent', text: agent.introMessage, interrupted: false }];
  let last: Reply = { text: [], tools: [], memory: freshMemory() };
  let memory: unknown = null;
  const hear = (text: string, by: 'speech' | 'keypad' | 'text' = 'speech'): Reply => {
    history.push({ role: 'caller', text, by });
    last = respond(agent, history, memory);
    memory = structuredClone(last.memory);
    history.push({ role: 'agent', text: last.text.join(' '), interrupted: false });
    return last;
  };
  return {
    hear,
    say: (text, by = 'speech') => {
      const reply = hear(text, by);
      return [reply.text.join(' '), ...reply.tools.map((tool) => `[${tool.name}]`)].join(' ');
    },
    replyTo: (items, remembered) => respond(agent, items, remembered),
    get last() {
      return last;
    },
    get expected() {
      return expectedAfter(agent, readMemory(memory) ?? freshMemory());
    },
  };
}
