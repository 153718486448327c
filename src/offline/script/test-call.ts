import { agentOf } from './brain.ts';
import { expectedAfter } from './expected.ts';
import { freshMemory, readMemory } from './memory.ts';
import { respond, type Reply } from './respond.ts';
import type { Agent } from './turn.ts';
import type { BrainContext } from '../../providers/ports/model.ts';
import type { Expected, HistoryItem } from '@callwright/turns';

/** A text call with the script brain, for tests: keeps history and memory as a session does. */
export interface Call {
  hear(text: string, by?: 'speech' | 'keypad' | 'text'): Reply;
  /** The same, as one string: text, then the tools in brackets. */
  say(text: string, by?: 'speech' | 'keypad' | 'text'): string;
  replyTo(history: readonly HistoryItem[], memory: unknown): Reply;
  readonly last: Reply;
  readonly expected: Expected;
}

/** The service accepts callbacks unless `refusesCallbacks`. */
export interface Settings extends Partial<Omit<BrainContext, 'sections'>> {
  objective?: string;
  guidelines?: string;
  script?: string;
  faq?: string;
  refusesCallbacks?: boolean;
}

/** The agent of these settings. */
export function agentOfSettings(settings: Settings): Agent {
  const {
    objective = '',
    guidelines = '',
    script = '',
    faq = '',
    refusesCallbacks: _,
    ...context
  } = settings;
  return agentOf({
    language: 'en-US',
    secondaryLanguage: null,
    prompt: '',
    instructions: '',
    introMessage: 'Hello.',
    agentName: 'Maya',
    variables: {},
    understandsSpeech: true,
    // The script decides when the call ends.
    onlyPhrases: true,
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
}

export function callOf(settings: Settings): Call {
  const { refusesCallbacks = false } = settings;
  const agent = agentOfSettings(settings);
  const history: HistoryItem[] =
    agent.introMessage === '' ? [] : [{ role: 'agent', text: agent.introMessage, interrupted: false }];
  let last: Reply = { text: [], tools: [], memory: freshMemory() };
  let memory: unknown = null;
  /** The reply to the answer of the service, with the tool calls of both. */
  const afterCallback = (before: Reply, name: string): Reply => {
    const result = refusesCallbacks
      ? { status: 'refused', error: 'the number must not be called' }
      : { status: 'scheduled', at: '2026-01-05T12:00:00.000Z' };
    history.push({ role: 'tool', name, result });
    const after = respond(agent, history, memory);
    memory = structuredClone(after.memory);
    history.push({ role: 'agent', text: after.text.join(' '), interrupted: false });
    return { ...after, text: [...before.text, ...after.text], tools: [...before.tools, ...after.tools] };
  };
  const hear = (text: string, by: 'speech' | 'keypad' | 'text' = 'speech'): Reply => {
    history.push({ role: 'caller', text, by });
    last = respond(agent, history, memory);
    memory = structuredClone(last.memory);
    const said = last.text.join(' ');
    if (said !== '') history.push({ role: 'agent', text: said, interrupted: false });
    const asked = last.tools.find(({ name }) => name === 'schedule_callback');
    if (asked !== undefined) last = afterCallback(last, asked.name);
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
