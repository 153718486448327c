import { describe, expect, it } from 'vitest';
import type { HistoryItem } from '@callwright/turns';
import { createScriptLlm } from '../../offline/script/brain.ts';
import type { Flow } from '../../voice/flow/document.ts';
import { instructionsFor } from '../llm/messages.ts';
import type { BrainContext, LlmEvent, LlmProvider, LlmRequest, StepLlms } from '../ports/model.ts';
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

const BASE = '0190a2f4-0000-7000-8000-00000000000a';
const SLOTS = { name: 'slots', description: 'Finds slots.', parameters: { type: 'object', properties: {} } };
/** One step that a model leads. */
const leadBy = (more: object): Flow => ({
  start: 'lead',
  nodes: [
    { id: 'lead', type: 'talk', prompt: 'Help.', ...more },
    { id: 'close', type: 'end' },
  ],
});

type Reply = readonly Omit<Extract<LlmEvent, { type: 'delta' | 'tool' }>, 'id'>[];
const says = (text: string) => ({ type: 'delta', text }) as const;
const calls = (name: string, args = {}) => ({ type: 'tool', name, args }) as const;
const goes = (step: string) => calls('go_to_step', { step });

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
  constructor(
    llm: LlmProvider,
    flow: Flow = FLOW,
    more: Partial<BrainContext> = {},
    ofSteps: StepLlms = new Map(),
  ) {
    const now = () => Date.UTC(2026, 10, 27, 12);
    this.#session = openFlow(llm, { document: flow, zone: 'UTC' }, { ...CONTEXT, ...more }, now, ofSteps);
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
  it('gives the model the prompt of the step last with the steps that may follow, which one tool names', () => {
    const { llm, opened } = modelWith([says('Book or cancel?')]);
    const talk = new Talk(llm);
    expect(talk.text).toBe('Book or cancel?');
    const [context] = opened;
    expect(context?.tools.map(({ name }) => name)).toEqual(['go_to_step']);
    expect(context?.tools[0]?.parameters).toMatchObject({
      properties: { step: { enum: ['day', 'cancel', 'hours'] } },
    });
    const instructions = instructionsFor(context!);
    expect(instructions.startsWith('You are Asha of City Dental.')).toBe(true);
    const last = instructions.split('\n\n').at(-1);
    expect(last).toContain('Ask "Do you want to book or to cancel?"');
    expect(last).toContain(
      '- day: when the caller wants to book. They say, for example: "I need an appointment"',
    );
  });

  it('asks the next question in the same reply when the model chooses a target', () => {
    const { llm, requests } = modelWith([says('Book or cancel?')], [goes('day')]);
    const talk = new Talk(llm).say('I would like to come in');
    expect(talk.text).toBe('Which day suits you?');
    expect(talk.tools).toEqual([]);
    expect(talk.done?.expected?.kinds).toEqual(['date', 'time']);
    expect(requests).toHaveLength(2);
    expect(talk.say('2026-12-24').text).toContain('right?');
    expect(talk.done?.by).toEqual({ vendor: 'offline', model: null, isFirst: true });
    expect(talk.done?.usage).toBeUndefined();
  });

  it('starts a task of the step in the same reply, which finds its value in what was said, and leads on with it', () => {
    const flow: Flow = {
      start: 'lead',
      variables: [{ name: 'phone', type: 'text', description: 'the number to call back' }],
      nodes: [
        {
          id: 'lead',
          type: 'talk',
          prompt: 'Help.',
          tasks: ['phone'],
          edges: [{ to: 'close', when: 'has no question' }],
        },
        { id: 'phone', type: 'collect', variable: 'phone', kind: 'phone', ask: 'Which number?' },
        { id: 'close', type: 'end' },
      ],
    };
    const { llm, opened, requests } = modelWith(
      [says('How can I help?')],
      [goes('phone')],
      [says('And your name?')],
    );
    const talk = new Talk(llm, flow);
    expect(opened[0]?.tools[0]?.parameters).toMatchObject({
      properties: { step: { enum: ['close', 'phone'] } },
    });
    expect(instructionsFor(opened[0]!)).toContain('"the number to call back"');
    expect(talk.say('call me at 415 555 2671').text).toContain('4 1 5');
    expect(talk.done?.steps).toEqual(['lead → phone (task)']);
    expect(talk.say('yes').text).toBe('And your name?');
    expect(talk.done?.steps).toEqual(['phone → lead (back)']);
    expect(requests).toHaveLength(3);
  });

  it('goes on with the next model when the first one chose it without a word, and adds up what both cost', () => {
    const { llm, requests } = modelWith([says('Book or cancel?')], [goes('cancel')], [says('Why?')]);
    const talk = new Talk(llm).say('call it off');
    expect(talk.text).toBe('Why?');
    expect(requests.at(-1)?.context.step?.prompt).toBe('Ask "Why do you cancel?"');
    expect(talk.done?.usage).toMatchObject({ inputTokens: 200, cachedTokens: 160, outputTokens: 20 });
  });

  it('leaves the floor to the caller when the first model has spoken', () => {
    const { llm, requests } = modelWith(
      [says('Book or cancel?')],
      [says('I see.'), goes('cancel')],
      [says('Why?')],
    );
    const talk = new Talk(llm).say('call it off');
    expect(talk.text).toBe('I see.');
    expect(requests).toHaveLength(2);
    expect(talk.say('because').text).toBe('Why?');
  });

  it('gives each model its own memory back, and none of another step', () => {
    const { llm, requests } = modelWith([says('One.')], [says('Two.')], [goes('cancel')], [says('Why?')]);
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

  describe('reads a summary of what was said before', () => {
    const flow = (more: object, edge: object = {}): Flow => ({
      start: 'pin',
      variables: [
        { name: 'pin', type: 'text', sensitive: true },
        { name: 'day', type: 'text' },
        { name: 'wish', type: 'text' },
      ],
      nodes: [
        { id: 'pin', type: 'collect', variable: 'day', ask: 'Which day?', edges: [{ to: 'wish' }] },
        {
          id: 'wish',
          type: 'collect',
          variable: 'wish',
          ask: 'Your wish?',
          edges: [{ to: 'help', ...edge }],
        },
        { id: 'help', type: 'talk', prompt: 'Help.', ...more },
      ],
    });
    const lines = (request: LlmRequest | undefined) =>
      request!.history.map((item) => ('text' in item ? item.text : item.role));
    const NOTE = 'Summary of the conversation before this step: ';

    it.each([
      { of: 'by its own setting', made: flow({ context: 'summary' }) },
      { of: 'by its edge', made: flow({ context: 'all' }, { context: 'summary' }) },
    ])('$of: by rules first, and by the note of the model once it is there', ({ made }) => {
      const { llm, requests } = modelWith([says('Gladly.')], [says('Yes.')]);
      const talk = new Talk(llm, made).say('on Monday').say('a window seat');
      expect(lines(requests[0]?.request)).toEqual([
        `${NOTE}Known: day: on Monday; wish: a window seat.\nLast said:\nagent: Which day?\ncaller: on Monday\nagent: Your wish?\ncaller: a window seat`,
      ]);
      expect(talk.done?.summarises).toHaveLength(5);
      talk.reply(
        { role: 'note', text: `${NOTE}They want a window seat on Monday.` },
        { role: 'caller', text: 'and now?', by: 'speech' },
      );
      expect(lines(requests[1]?.request)).toEqual([
        `${NOTE}They want a window seat on Monday.`,
        'Gladly.',
        'and now?',
      ]);
      expect(talk.done?.summarises).toBeUndefined();
    });

    it('leaves out what it forgets, and asks for no summary of a few lines', () => {
      const { llm, requests } = modelWith([says('Gladly.')]);
      const made = flow({ context: 'summary', forget: ['pin'] });
      const talk = new Talk(llm, made).say('on Monday').say('a window seat');
      expect(lines(requests[0]?.request)[0]).not.toMatch(/Which day|on Monday/);
      expect(talk.done?.summarises).toBeUndefined();
    });

    it('is unknown to a step that reads the lines themselves', () => {
      const { llm, requests } = modelWith([says('Gladly.')]);
      const talk = new Talk(llm, flow({})).say('on Monday');
      talk.reply({ role: 'note', text: `${NOTE}Old.` }, { role: 'caller', text: 'a seat', by: 'speech' });
      expect(lines(requests[0]?.request)).not.toContain(`${NOTE}Old.`);
    });
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
    const replies = [[goes('b')], [goes('a')], [goes('b')], [goes('a')]];
    const { llm, requests } = modelWith(...replies);
    expect(new Talk(llm, circle).text).toBe('One moment, please.');
    expect(requests).toHaveLength(3);
  });

  it('has the same tools in every step, which a vendor puts before the prompt in its cache', () => {
    const { llm, opened } = modelWith([says('Book or cancel?')], [goes('cancel')], [says('Why?')]);
    new Talk(llm, FLOW, { tools: [SLOTS] }).say('call it off');
    expect(opened).toHaveLength(2);
    expect(opened[1]?.tools).toEqual(opened[0]?.tools);
  });

  it.each([
    { of: 'a step that may not follow', call: goes('close') },
    { of: 'no step', call: goes('nowhere') },
    { of: 'a tool of another step', call: calls('refund', { sum: 3 }) },
    {
      of: 'knowledge that the step does not search',
      call: calls('lookup_knowledge', { question: 'Hours?' }),
    },
  ])('asks the model again when it calls for $of, and runs nothing', ({ call }) => {
    const flow = leadBy({ tools: ['slots'], knowledge: [], edges: [{ to: 'close', on: 'turns' }] });
    const { llm, requests } = modelWith([call], [says('How can I help?')]);
    const talk = new Talk(llm, flow, { tools: [SLOTS, { ...SLOTS, name: 'refund' }] });
    expect(talk.text).toBe('How can I help?');
    expect(talk.tools).toEqual([]);
    expect(requests[1]?.request.history.at(-1)).toMatchObject({
      role: 'tool',
      name: call.name,
      args: call.args,
      result: { error: 'the present step does not have this' },
    });
  });

  it('runs the tools of its step and the built-in ones, and names the others to the model as none of it', () => {
    const { llm, opened } = modelWith([calls('slots'), calls('schedule_callback', { when: 'later' })]);
    const tools = [SLOTS, { ...SLOTS, name: 'refund' }];
    expect(new Talk(llm, leadBy({ tools: ['slots'] }), { tools }).tools).toEqual([
      'slots',
      'schedule_callback',
    ]);
    expect(instructionsFor(opened[0]!)).toContain('this step may call these alone: slots.');
    const none = modelWith([says('Hm.')]);
    expect(new Talk(none.llm, leadBy({ tools: [] }), { tools }).text).toBe('Hm.');
    expect(instructionsFor(none.opened[0]!)).toContain('this step may call none.');
  });

  it('searches the knowledge bases of its step alone', () => {
    const { llm } = modelWith([calls('lookup_knowledge', { question: 'Price?' })]);
    const talk = new Talk(llm, leadBy({ knowledge: [BASE.toUpperCase()] }));
    expect(talk.events.find(({ type }) => type === 'tool')).toMatchObject({
      args: { question: 'Price?', knowledge_bases: [BASE] },
    });
  });

  it('is led by the model of its step, and the other steps by that of the agent', () => {
    const [own, other] = [modelWith([says('Own.')]), modelWith([goes('day')], [says('Other.')])];
    const flow: Flow = {
      start: 'first',
      nodes: [
        {
          id: 'first',
          type: 'talk',
          prompt: 'One.',
          model: 'large',
          edges: [{ to: 'day', when: 'is ready' }],
        },
        { id: 'day', type: 'talk', prompt: 'Two.' },
      ],
    };
    expect(new Talk(own.llm, flow, {}, new Map([['large', other.llm]])).text).toBe('Own.');
    expect([own.requests, other.requests].map(({ length }) => length)).toEqual([1, 1]);
    // A model that the call does not have gives way to that of the agent.
    expect(new Talk(modelWith([says('Own.')]).llm, flow).text).toBe('Own.');
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
    const { llm, opened } = modelWith([says('How can I help?')], [goes('agent_1')]);
    const talk = new Talk(llm, prompt, handsOver);
    expect(instructionsFor(opened[0]!)).not.toContain('The present step');
    expect(instructionsFor(opened[0]!).split('\n\n').at(-1)).toContain('asks about an invoice');
    talk.say('It is about money');
    expect(talk.text).toBe('One moment.');
    expect(talk.events.filter(({ type }) => type === 'tool')).toMatchObject([
      { name: 'hand_over', args: { agent_id, silent: true } },
    ]);
  });

  it('names the parts of the conversation that the next agent shall not read, and summarises none of them', () => {
    const flow: Flow = {
      start: 'card',
      variables: [
        { name: 'said', type: 'text' },
        { name: 'wish', type: 'text' },
      ],
      nodes: [
        { id: 'card', type: 'collect', variable: 'said', ask: 'Your code word?', edges: [{ to: 'wish' }] },
        { id: 'wish', type: 'collect', variable: 'wish', ask: 'Your wish?', edges: [{ to: 'next' }] },
        { id: 'next', type: 'handoff', agent_id, context: 'summary', forget: ['card'] },
      ],
    };
    const talk = new Talk(modelWith().llm, flow, handsOver).say('blue moon').say('a seat');
    const args = talk.events.flatMap((event) => (event.type === 'tool' ? [event.args] : []))[0]!;
    const [[from, until]] = args['left_out'] as [[number, number]];
    const forgotten = talk.history.slice(from, until).map((item) => ('text' in item ? item.text : item.role));
    expect(forgotten).toEqual(['Your code word?', 'blue moon']);
    expect(args['summary']).toBe(
      'Known: wish: a seat.\nLast said:\nagent: Hello.\nagent: Your wish?\ncaller: a seat',
    );
  });

  it('has the model go on when the handover failed', () => {
    const { llm, requests } = modelWith(
      [says('How can I help?')],
      [goes('agent_1')],
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
  it('answers from the knowledge bases of its step alone', () => {
    const knowledge = [
      { question: 'How much is a check-up?', text: 'It costs forty euros.', source: 'FAQ', base: BASE },
      { question: 'Where are you?', text: 'In Main Street.', source: 'FAQ', base: 'other' },
    ];
    const answers = (more: object): string[] => {
      const prompt = 'Ask "Do you want to book?"';
      const talk = new Talk(createScriptLlm(), leadBy({ prompt, ...more }), { knowledge });
      return ['How much is a check-up?', 'Where are you?'].map((question) => talk.say(question).text);
    };
    expect(answers({})).toEqual([
      expect.stringContaining('forty euros'),
      expect.stringContaining('Main Street'),
    ]);
    expect(answers({ knowledge: [BASE] })).toEqual([
      expect.stringContaining('forty euros'),
      expect.not.stringContaining('Main Street'),
    ]);
  });

  it('follows its prompt as a script and takes an edge by its examples', () => {
    const talk = new Talk(createScriptLlm());
    expect(talk.text).toContain('Do you want to book or to cancel?');
    talk.say('oh I need an appointment');
    expect(talk.text).toBe('Which day suits you?');
  });
});
