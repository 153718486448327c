import { describe, expect, it } from 'vitest';
import type { HistoryItem } from '@callwright/turns';
import { createScriptLlm } from '../../offline/script/brain.ts';
import type { Flow } from '../../voice/flow/document.ts';
import { instructionsFor } from '../llm/messages.ts';
import type { BrainContext, LlmEvent, LlmProvider, LlmRequest } from '../ports/model.ts';
import { handoffFlow } from '../../voice/flow/handoffs.ts';
import { openFlow } from './session.ts';

const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: 'You are Asha of City Dental.',
  sections: [],
  introMessage: 'Hello.',
  agentName: 'Asha',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'outbound',
};
const FLOW: Flow = {
  start: 'greet',
  variables: [{ name: 'day', type: 'date' }],
  nodes: [
    {
      id: 'greet',
      type: 'talk',
      prompt: 'Ask "Do you want to book or to cancel?"',
      edges: [
        { to: 'day', when: 'wants to book', examples: ['I need an appointment'] },
        { to: 'cancel', when: 'wants to cancel', examples: ['cancel it'] },
      ],
    },
    { id: 'day', type: 'collect', variable: 'day', ask: 'Which day suits you?', edges: [{ to: 'close' }] },
    { id: 'cancel', type: 'talk', prompt: 'Ask "Why do you cancel?"' },
    { id: 'close', type: 'end', say: 'Goodbye.' },
  ],
  global: [
    {
      id: 'hours',
      type: 'say',
      text: 'From nine to five.',
      when: 'asks for the hours',
      examples: ['opening hours'],
      back: true,
    },
  ],
};

type Reply = readonly Omit<Extract<LlmEvent, { type: 'delta' | 'tool' }>, 'id'>[];
const says = (text: string) => ({ type: 'delta', text }) as const;
const calls = (name: string, args = {}) => ({ type: 'tool', name, args }) as const;

/** A model with these replies, in order, and what it was asked. */
function modelWith(...replies: Reply[]) {
  const opened: BrainContext[] = [];
  const requests: { context: BrainContext; request: LlmRequest }[] = [];
  const llm: LlmProvider = {
    name: 'stand-in',
    open: (context) => {
      opened.push(context);
      return {
        reply(request, onEvent) {
          requests.push({ context, request: { ...request, history: [...request.history] } });
          const reply = replies[requests.length - 1] ?? [says('Well.')];
          for (const [at, event] of reply.entries()) onEvent({ id: `m-${at}`, ...event } as LlmEvent);
          const usage = {
            vendor: 'stand-in',
            model: 'm',
            inputTokens: 100,
            cachedTokens: 80,
            outputTokens: 10,
          };
          onEvent({ type: 'done', memory: { asked: requests.length }, expected: null, usage });
        },
        close: () => undefined,
      };
    },
    close: () => Promise.resolve(),
  };
  return { llm, opened, requests };
}

class Talk {
  history: HistoryItem[] = [{ role: 'agent', text: 'Hello.', interrupted: false }];
  memory: unknown = null;
  events: LlmEvent[] = [];
  readonly #session;
  constructor(llm: LlmProvider, flow: Flow = FLOW, more: Partial<BrainContext> = {}) {
    const now = () => Date.UTC(2026, 10, 27, 12);
    this.#session = openFlow(llm, { document: flow, zone: 'UTC' }, { ...CONTEXT, ...more }, now);
    this.reply();
  }
  reply(...items: HistoryItem[]): this {
    this.history.push(...items);
    this.events = [];
    const { history, memory } = this;
    this.#session.reply({ history, memory, signal: new AbortController().signal }, (event) =>
      this.events.push(event),
    );
    const done = this.events.at(-1);
    if (done?.type === 'done') this.memory = structuredClone(done.memory);
    this.history.push({ role: 'agent', text: this.text, interrupted: false });
    return this;
  }
  say(text: string): this {
    return this.reply({ role: 'caller', text, by: 'speech' });
  }
  get text(): string {
    return this.events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
  }
  get tools(): string[] {
    return this.events.flatMap((event) => (event.type === 'tool' ? [event.name] : []));
  }
  get done() {
    return this.events.find((event) => event.type === 'done');
  }
}

describe('a step that a model leads', () => {
  it('gives the model the prompt of the step last, and its targets as tools', () => {
    const { llm, opened } = modelWith([says('Book or cancel?')]);
    const talk = new Talk(llm);
    expect(talk.text).toBe('Book or cancel?');
    const [context] = opened;
    expect(context?.tools.map(({ name }) => name)).toEqual(['go_to_day', 'go_to_cancel', 'go_to_hours']);
    expect(context?.tools[0]?.description).toContain(
      'wants to book. They say, for example: "I need an appointment"',
    );
    const instructions = instructionsFor(context!);
    expect(instructions.startsWith('You are Asha of City Dental.')).toBe(true);
    expect(instructions.split('\n\n').at(-1)).toContain('Ask "Do you want to book or to cancel?"');
  });

  it('asks the next question in the same reply when the model chooses a target', () => {
    const { llm, requests } = modelWith([says('Book or cancel?')], [calls('go_to_day')]);
    const talk = new Talk(llm).say('I would like to come in');
    expect(talk.text).toBe('Which day suits you?');
    expect(talk.tools).toEqual([]);
    expect(talk.done?.expected?.kinds).toEqual(['date', 'time']);
    expect(requests).toHaveLength(2);
    expect(talk.say('2026-12-24').text).toContain('right?');
    expect(talk.done?.by).toEqual({ vendor: 'offline', model: null, isFirst: true });
    expect(talk.done?.usage).toBeUndefined();
  });

  it('goes on with the next model when the first one chose it without a word, and adds up what both cost', () => {
    const { llm, requests } = modelWith([says('Book or cancel?')], [calls('go_to_cancel')], [says('Why?')]);
    const talk = new Talk(llm).say('call it off');
    expect(talk.text).toBe('Why?');
    expect(requests.at(-1)?.context.step?.prompt).toBe('Ask "Why do you cancel?"');
    expect(talk.done?.usage).toMatchObject({ inputTokens: 200, cachedTokens: 160, outputTokens: 20 });
  });

  it('leaves the floor to the caller when the first model has spoken', () => {
    const { llm, requests } = modelWith(
      [says('Book or cancel?')],
      [says('I see.'), calls('go_to_cancel')],
      [says('Why?')],
    );
    const talk = new Talk(llm).say('call it off');
    expect(talk.text).toBe('I see.');
    expect(requests).toHaveLength(2);
    expect(talk.say('because').text).toBe('Why?');
  });

  it('gives each model its own memory back, and none of another step', () => {
    const { llm, requests } = modelWith(
      [says('One.')],
      [says('Two.')],
      [calls('go_to_cancel')],
      [says('Why?')],
    );
    new Talk(llm).say('hm').say('call it off');
    expect(requests.map(({ request }) => request.memory)).toEqual([null, { asked: 1 }, { asked: 2 }, null]);
  });

  it('reads only what its step does not leave out', () => {
    const lead = (more: object): Flow => ({
      start: 'pin',
      variables: [
        { name: 'pin', type: 'text' },
        { name: 'day', type: 'text' },
      ],
      nodes: [
        { id: 'pin', type: 'collect', variable: 'pin', ask: 'Your code word?', edges: [{ to: 'day' }] },
        { id: 'day', type: 'collect', variable: 'day', ask: 'Your wish?', edges: [{ to: 'help' }] },
        { id: 'help', type: 'talk', prompt: 'Help.', ...more },
      ],
    });
    const read = (more: object): string[] => {
      const { llm, requests } = modelWith([says('Gladly.')]);
      new Talk(llm, lead(more)).say('blue moon').say('a window seat');
      return requests[0]!.request.history.map((item) => ('text' in item ? item.text : item.role));
    };
    const whole = ['Hello.', 'Your code word?', 'blue moon', 'Your wish?', 'a window seat'];
    expect(read({})).toEqual(whole);
    expect(read({ forget: ['pin'] })).toEqual(['Hello.', 'Your wish?', 'a window seat']);
    expect(read({ context: { last: 2 } })).toEqual(['Your wish?', 'a window seat']);
    expect(read({ context: 'none' })).toEqual([]);
  });

  it('answers a global question by its examples, without the model', () => {
    const { llm, requests } = modelWith([says('Book or cancel?')]);
    const talk = new Talk(llm).say('what are your opening hours');
    expect(talk.text).toBe('From nine to five.');
    expect(requests).toHaveLength(1);
  });

  it('passes other tools and the end of the call on', () => {
    const { llm } = modelWith([says('Goodbye.'), calls('end_call')]);
    expect(new Talk(llm).tools).toEqual(['end_call']);
  });

  it('speaks at last when models send each other on without a word', () => {
    const circle: Flow = {
      start: 'a',
      nodes: [
        { id: 'a', type: 'talk', prompt: 'A.', edges: [{ to: 'b', when: 'is here' }] },
        { id: 'b', type: 'talk', prompt: 'B.', edges: [{ to: 'a', when: 'is there' }] },
      ],
    };
    const replies = [[calls('go_to_b')], [calls('go_to_a')], [calls('go_to_b')], [calls('go_to_a')]];
    const { llm, requests } = modelWith(...replies);
    expect(new Talk(llm, circle).text).toBe('One moment, please.');
    expect(requests).toHaveLength(3);
  });

  it('fails as a model does, and keeps its memory for the next request', () => {
    const failing: LlmProvider = {
      name: 'stand-in',
      open: () => ({
        reply: (_request, onEvent) => onEvent({ type: 'failed', message: 'no answer', retryable: true }),
        close: () => undefined,
      }),
      close: () => Promise.resolve(),
    };
    const talk = new Talk(failing);
    expect(talk.events).toEqual([{ type: 'failed', message: 'no answer', retryable: true }]);
  });
});

describe('a prompt that may hand over', () => {
  const agent_id = '0190a2f4-0000-7000-8000-000000000001';
  const prompt = handoffFlow([
    { agent_id, when: 'asks about an invoice', examples: ['my invoice'], say: 'One moment.', silent: true },
  ]);
  const handsOver = { handsOver: true as const };

  it('leaves the instructions as they are but for the tool, and calls it when the model does', () => {
    const { llm, opened } = modelWith([says('How can I help?')], [calls('go_to_agent_1')]);
    const talk = new Talk(llm, prompt, handsOver);
    expect(instructionsFor(opened[0]!)).not.toContain('The present step');
    expect(opened[0]?.tools.at(-1)?.description).toContain('asks about an invoice');
    talk.say('It is about money');
    expect(talk.text).toBe('One moment.');
    expect(talk.events.filter(({ type }) => type === 'tool')).toMatchObject([
      { name: 'hand_over', args: { agent_id, silent: true } },
    ]);
  });

  it('has the model go on when the handover failed', () => {
    const { llm, requests } = modelWith(
      [says('How can I help?')],
      [calls('go_to_agent_1')],
      [says('Nobody is free. Can I help?')],
    );
    const talk = new Talk(llm, prompt, handsOver).say('It is about money');
    talk.reply({ role: 'tool', name: 'hand_over', args: { agent_id }, result: { error: 'it is archived' } });
    expect(talk.text).toBe('Nobody is free. Can I help?');
    expect(requests.at(-1)?.request.history.at(-1)).toMatchObject({ result: { error: 'it is archived' } });
  });

  it('follows its script without a model, and hands over by the examples', () => {
    const sections = [{ title: 'Task', content: '1. Ask "Do you want to book?"\n2. Say goodbye.' }];
    const talk = new Talk(createScriptLlm(), prompt, { ...handsOver, sections });
    expect(talk.text).toContain('Do you want to book?');
    talk.say('no, a question about my invoice');
    expect(talk.text).toBe('One moment.');
    expect(talk.tools).toEqual(['hand_over']);
  });
});

describe('the same step without a model', () => {
  it('follows its prompt as a script and takes an edge by its examples', () => {
    const talk = new Talk(createScriptLlm());
    expect(talk.text).toContain('Do you want to book or to cancel?');
    talk.say('oh I need an appointment');
    expect(talk.text).toBe('Which day suits you?');
  });
});
