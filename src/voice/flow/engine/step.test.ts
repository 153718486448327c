import { describe, expect, it } from 'vitest';
import { dentalFlow } from '../../../../test/helpers/flows/dental-flow.ts';
import type { Flow } from '../document.ts';
import { program, type ProgramParts } from './program.ts';
import { NEW_FLOW, type FlowEffect, type FlowEvent, type FlowState } from './state.ts';
import { agentsAhead, step } from './step.ts';

/** Friday 27 November 2026, noon. */
const NOON = Date.UTC(2026, 10, 27, 12);
const PARTS: ProgramParts = {
  agentName: 'Asha',
  language: 'en-US',
  zone: 'UTC',
  variables: { callee_name: 'Priya' },
  tools: new Map([
    ['book', { day: 'string', people: 'integer', pin: 'string' }],
    ['front_desk', {}],
  ]),
  handsOver: true,
  givesBack: false,
  hasModel: true,
  hidesKeys: true,
};

/** A conversation with a flow: what the caller says in, what the agent does out. */
class Talk {
  state: FlowState = NEW_FLOW;
  effects: readonly FlowEffect[] = [];
  unsure: string | null = null;
  readonly #program;
  constructor(flow: Flow, parts: Partial<ProgramParts> = {}) {
    this.#program = program(flow, { ...PARTS, ...parts });
    this.on({ type: 'start', line: null });
  }
  on(event: { readonly type: FlowEvent['type']; readonly [field: string]: unknown }): this {
    const made = step(this.#program, this.state, {
      at: NOON,
      hears: true,
      variables: {},
      ...event,
    } as FlowEvent);
    this.state = made.state;
    this.effects = made.effects;
    this.unsure = made.unsure;
    return this;
  }
  say(...lines: string[]): this {
    for (const text of lines) this.on({ type: 'caller', line: { text, by: 'speech' } });
    return this;
  }
  key(text: string): this {
    return this.on({ type: 'caller', line: { text, by: 'keypad' } });
  }
  type(text: string): this {
    return this.on({ type: 'caller', line: { text, by: 'text' } });
  }
  get ahead(): readonly string[] {
    return agentsAhead(this.#program, this.state);
  }
  get said(): string {
    return this.effects.flatMap((effect) => (effect.type === 'say' ? [effect.text] : [])).join(' ');
  }
  get tools() {
    return this.effects.flatMap((effect) => (effect.type === 'tool' ? [[effect.name, effect.args]] : []));
  }
  get moves(): string[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'moved' ? [`${effect.from} → ${effect.to} (${effect.by})`] : [],
    );
  }
  get isEnded(): boolean {
    return this.effects.some(({ type }) => type === 'end');
  }
}
const TO_PIN = [
  'an appointment please',
  'check-up',
  'Monday',
  'yes',
  'ten in the morning',
  'yes',
  'two',
  'yes',
  'yes',
];

describe('a conversation by a flow', () => {
  it('asks its questions, keeps normalised values and runs the tool with them', () => {
    const talk = new Talk(dentalFlow());
    expect(talk.said).toBe('Hello Priya, this is City Dental. Do you want to book, or to cancel?');
    talk.say(...TO_PIN);
    expect(talk.state.at).toBe('pin');
    expect(talk.state.values).toEqual({
      reason: 'check-up',
      day: '2026-11-30',
      hour: '10:00',
      people: 2,
      insured: true,
      tries: 0,
    });
    talk.key('[keys hidden 1]');
    expect(talk.tools).toEqual([['book', { day: '2026-11-30', people: 2, pin: '[keys hidden 1]' }]]);
    talk.on({ type: 'tool', isOk: true, variables: {} });
    expect(talk.said).toBe('See you on 2026-11-30. Goodbye.');
    expect(talk.isEnded).toBe(true);
  });

  it('understands every yes and no of the language where the answers are called so', () => {
    const asks = (said: string, language: 'en-US' | 'hi-IN' = 'en-US'): string | undefined => {
      const nodes: Flow['nodes'] = [
        {
          id: 'suits',
          type: 'choose',
          ask: 'Does it suit you?',
          answers: [{ name: 'no' }, { name: 'yes' }],
          edges: [
            { to: 'good', answer: 'yes' },
            { to: 'bad', answer: 'no' },
          ],
        },
        { id: 'good', type: 'end', say: 'Good.' },
        { id: 'bad', type: 'end', say: 'A pity.' },
      ];
      return new Talk({ start: 'suits', nodes }, { language }).say(said).said;
    };
    const suits: Flow = {
      start: 'suits',
      nodes: [
        {
          id: 'suits',
          type: 'choose',
          ask: 'Does it suit you?',
          answers: [{ name: 'no' }, { name: 'yes' }],
          edges: [],
        },
      ],
    };
    const expected = new Talk(suits).effects.find(({ type }) => type === 'expect');
    expect(expected).toMatchObject({
      expected: { kinds: ['choice'], phrases: expect.arrayContaining(['yes please', 'no thank you']) },
    });
    expect(asks('yeah, absolutely')).toBe('Good.');
    expect(asks('nope')).toBe('A pity.');
    expect(asks('जी हाँ', 'hi-IN')).toBe('Good.');
    expect(asks('नहीं', 'hi-IN')).toBe('A pity.');
  });

  it('reads a spoken day back, takes a correction, and asks again after a no', () => {
    const talk = new Talk(dentalFlow()).say('book', 'check-up', 'Tuesday');
    expect(talk.said).toBe('You said Tuesday, right?');
    talk.say('no, Wednesday');
    expect(talk.said).toBe('You said Wednesday, right?');
    talk.say('no');
    expect(talk.said).toContain("Sorry, I didn't catch that. Which day suits you? Press 1 for Monday");
    expect(talk.state.values['day']).toBe(undefined);
    talk.key('5');
    expect(talk.state.values['day']).toBe('2026-12-04');
    expect(talk.state.at).toBe('hour');
  });

  it('corrects the end of a number that it read back', () => {
    const nodes: Flow['nodes'] = [
      {
        id: 'number',
        type: 'collect',
        variable: 'number',
        kind: 'phone',
        ask: 'Your number?',
        edges: [{ to: 'done' }],
      },
      { id: 'done', type: 'end', say: 'Noted {{number}}.' },
    ];
    const talk = new Talk({ start: 'number', variables: [{ name: 'number', type: 'text' }], nodes });
    talk.say('four one five five five five two six seven one');
    expect(talk.said).toBe('You said + 1 4 1 5 5 5 5 2 6 7 1, right?');
    talk.say('no, seven two at the end');
    expect(talk.said).toBe('You said + 1 4 1 5 5 5 5 2 6 7 2, right?');
    talk.say('yes');
    expect(talk.said).toBe('Noted +14155552672.');
  });

  it('takes day and time from one sentence', () => {
    const talk = new Talk(dentalFlow()).say('book', 'check-up', 'Tuesday at ten in the morning', 'yes');
    expect(talk.said).toContain('right?');
    expect(talk.state.at).toBe('hour');
    talk.say('yes');
    expect(talk.state.values).toMatchObject({ day: '2026-12-01', hour: '10:00' });
  });

  it('takes what was said before the first question', () => {
    const talk = new Talk(dentalFlow());
    talk.state = NEW_FLOW;
    talk.on({ type: 'start', line: { text: 'I need an appointment', by: 'text' } });
    expect(talk.moves).toEqual(['greet → want (default)', 'want → reason (book)']);
  });

  it('decides by an expression and names it as the reason', () => {
    const talk = new Talk(dentalFlow()).say('book', 'I am in pain');
    expect(talk.moves).toEqual(["reason → desk (reason == 'pain')"]);
    expect(talk.said).toBe('I connect you.');
    expect(talk.tools).toEqual([['front_desk', {}]]);
    talk.on({ type: 'tool', isOk: false, variables: {} });
    expect(talk.said).toBe('I am sorry, I have a problem. Goodbye.');
  });

  it('offers keys after two missed answers, and leaves by failed after three', () => {
    const talk = new Talk(dentalFlow()).say('purple');
    expect(talk.said).toBe("Sorry, I didn't catch that. Do you want to book, or to cancel?");
    talk.on({ type: 'unclear' });
    expect(talk.said).toContain('Press 1 for book. Press 2 for cancel.');
    talk.say('purple');
    expect(talk.moves).toEqual(['want → desk (failed)']);
  });

  it('answers by keys alone where speech is not understood', () => {
    const talk = new Talk(dentalFlow());
    talk.state = NEW_FLOW;
    talk.on({ type: 'start', line: null, hears: false });
    expect(talk.said).toContain(
      'I cannot understand speech yet, so please use your keypad. Press 1 for book.',
    );
    talk.on({ type: 'caller', line: { text: '1', by: 'keypad' }, hears: false });
    expect(talk.said).toContain('Press 1 for check-up. Press 2 for pain.');
    expect(talk.said).not.toContain('I cannot understand speech');
  });

  it('answers a global node and goes back to the question', () => {
    const talk = new Talk(dentalFlow()).say('book', 'when are you open');
    expect(talk.said).toBe('We are open from nine to five. Is it a check-up, or are you in pain?');
    expect(talk.moves).toEqual(['reason → hours (global)', 'hours → reason (back)']);
    expect(talk.state.back).toEqual([]);
    expect(talk.say('check-up').state.at).toBe('day');
  });

  it('captures a value by a global collect that the model chooses, and lets the model lead on', () => {
    const flow: Flow = {
      start: 'help',
      variables: [{ name: 'day', type: 'date' }],
      nodes: [{ id: 'help', type: 'talk', prompt: 'Help. Day: {{day}}.' }],
      global: [
        {
          id: 'ask_day',
          type: 'collect',
          variable: 'day',
          ask: 'Which day?',
          when: 'a day is needed',
          examples: ['which day'],
          back: true,
        },
      ],
    };
    const talk = new Talk(flow);
    expect(talk.effects.at(-1)).toMatchObject({
      type: 'model',
      targets: [{ to: 'ask_day', when: 'a day is needed' }],
    });
    talk.on({ type: 'spoke', to: 'ask_day', isOver: false });
    expect([talk.said, talk.state.at]).toEqual(['Which day?', 'ask_day']);
    expect(talk.say('Monday').said).toBe('You said Monday, right?');
    talk.say('yes');
    expect(talk.moves).toEqual(['ask_day → help (back)']);
    expect(talk.state.values['day']).toBe('2026-11-30');
    expect(talk.effects.at(-1)).toMatchObject({
      type: 'model',
      node: 'help',
      prompt: 'Help. Day: 2026-11-30.',
    });
  });

  it('repeats a question without counting it as missed', () => {
    const talk = new Talk(dentalFlow()).say('book', 'can you repeat that');
    expect(talk.said).toBe('Is it a check-up, or are you in pain?');
    expect(talk.state.tries).toBe(0);
  });

  it('says what it is and who, waits when asked to, and takes leave', () => {
    const talk = new Talk(dentalFlow()).say('book', 'are you a robot');
    expect(talk.said).toBe('Yes, I am an automated assistant. Is it a check-up, or are you in pain?');
    talk.say('who is this');
    expect(talk.said).toBe('This is Asha. Is it a check-up, or are you in pain?');
    talk.say('hold on please');
    expect(talk.said).toBe('Sure, take your time.');
    expect(talk.effects.at(-1)?.type).toBe('expect');
    expect(talk.state.tries).toBe(0);
    talk.say('goodbye');
    expect(talk.said).toBe('Thank you for your time. Goodbye!');
    expect(talk.isEnded).toBe(true);
  });

  it('leaves by refused when the caller is not interested', () => {
    const talk = new Talk(dentalFlow()).say('book', 'not interested');
    expect(talk.moves).toEqual(['reason → desk (refused)']);
  });

  it('takes the edge of a silence three times in a row, and leaves a longer one to the call', () => {
    const flow = dentalFlow();
    flow.nodes[1]!.edges!.push({ to: 'want', on: 'silence', say: 'Take your time.' });
    const talk = new Talk(flow);
    for (let times = 1; times <= 3; times += 1) {
      talk.on({ type: 'silence' });
      expect(talk.moves).toEqual(['want → want (silence)']);
      expect(talk.said).toBe('Take your time. Do you want to book, or to cancel?');
    }
    talk.on({ type: 'silence' });
    expect(talk.moves).toEqual([]);
    expect(talk.said).toBe('Do you want to book, or to cancel?');
    talk.say('purple').on({ type: 'silence' });
    expect(talk.moves).toEqual(['want → want (silence)']);
  });

  it('lets the edge to a step of the model say what the model reads, before the step itself', () => {
    const flow = (edge: object): Flow => ({
      start: 'ask',
      variables: [{ name: 'wish', type: 'text' }],
      nodes: [
        { id: 'ask', type: 'collect', variable: 'wish', ask: 'Your wish?', edges: [{ to: 'help', ...edge }] },
        { id: 'help', type: 'talk', prompt: 'Help.', context: { last: 4 }, forget: ['help'] },
      ],
    });
    const read = (edge: object) =>
      new Talk(flow(edge)).say('a seat').effects.find((effect) => effect.type === 'model');
    expect(read({})).toMatchObject({ earlier: 4, forget: ['help'] });
    expect(read({ context: 'none' })).toMatchObject({ earlier: 0, forget: ['help'] });
    expect(read({ forget: ['ask'] })).toMatchObject({ earlier: 4, forget: ['ask'] });
  });

  it('hands over with the variables that it passes on, and takes failed when nobody takes the conversation', () => {
    const agent_id = '0190A2F4-0000-7000-8000-000000000001';
    const flow = (edges: object[] = []): Flow => ({
      start: 'wish',
      variables: [
        { name: 'wish', type: 'text' },
        { name: 'pin', type: 'text', sensitive: true },
      ],
      nodes: [
        { id: 'wish', type: 'collect', variable: 'wish', ask: 'Your wish?', edges: [{ to: 'next' }] },
        {
          id: 'next',
          type: 'handoff',
          agent_id,
          say: 'One colleague knows about {{wish}}.',
          context: { last: 2 },
          pass: ['wish', 'pin'],
          edges: [...edges, { to: 'sorry', on: 'failed' }] as never,
        },
        { id: 'sorry', type: 'end', say: 'Nobody is free.' },
      ],
    });
    expect(new Talk(flow()).ahead).toEqual([agent_id.toLowerCase()]);
    const talk = new Talk(flow()).say('a refund');
    expect(talk.said).toBe('One colleague knows about a refund.');
    expect(talk.ahead).toEqual([]);
    expect(talk.effects.at(-1)).toEqual({
      type: 'hand_over',
      agentId: agent_id.toLowerCase(),
      earlier: 2,
      isSummary: false,
      isSilent: false,
      comesBack: false,
      forget: [],
      values: { wish: 'a refund' },
    });
    expect(talk.say('hello?').said).toBe('One moment, please.');
    expect(talk.on({ type: 'tool', isOk: false }).said).toBe('Nobody is free.');
    expect(new Talk(flow(), { handsOver: false }).say('a refund').said).toBe('Nobody is free.');
  });

  it('goes on by the edge on back when the other agent is done, and keeps what it knew', () => {
    const agent_id = '0190a2f4-0000-7000-8000-000000000001';
    const flow: Flow = {
      start: 'wish',
      variables: [
        { name: 'wish', type: 'text' },
        { name: 'day', type: 'text' },
      ],
      nodes: [
        { id: 'wish', type: 'collect', variable: 'wish', ask: 'Your wish?', edges: [{ to: 'bill' }] },
        { id: 'bill', type: 'handoff', agent_id, back: true, edges: [{ to: 'day', on: 'back' }] },
        {
          id: 'day',
          type: 'collect',
          variable: 'day',
          ask: 'Which day for {{wish}}?',
          edges: [{ to: 'end' }],
        },
        { id: 'end', type: 'end' },
      ],
      global: [
        { id: 'desk', type: 'handoff', agent_id, back: true, when: 'asks for help', examples: ['help'] },
      ],
    };
    const talk = new Talk(flow).say('a refund');
    expect(talk.effects.at(-1)).toMatchObject({ type: 'hand_over', comesBack: true });
    talk.on({ type: 'tool', isOk: true, isBack: true });
    expect(talk.said).toBe('Which day for a refund?');
    expect(talk.moves).toEqual(['bill → day (back)']);
    // A global handoff comes back to the question.
    talk.say('help').on({ type: 'tool', isOk: true, isBack: true });
    expect(talk.said).toBe('Which day for a refund?');
    expect(talk.say('soon').said).not.toBe('');
    // One that gives the conversation back says no goodbye of its own at an end, and the caller's ends it.
    const other = new Talk(flow, { givesBack: true }).say('a refund');
    other.on({ type: 'tool', isOk: true, isBack: true }).say('soon');
    expect([other.said, other.isEnded]).toEqual(['', true]);
    const leaving = new Talk(dentalFlow(), { givesBack: true }).say('goodbye');
    expect(leaving.effects.at(-1)).toEqual({ type: 'end', isByCaller: true });
  });

  it('asks an open question again when the caller asks back, and keeps the answer that follows', () => {
    const open = (variable: { type: 'text'; kind?: 'free' | 'name' | 'address' }): Talk => {
      const { kind = 'free' } = variable;
      return new Talk({
        start: 'ask',
        variables: [{ name: 'said', type: 'text' }],
        nodes: [
          {
            id: 'ask',
            type: 'collect',
            variable: 'said',
            kind,
            ask: 'What is broken?',
            edges: [{ to: 'end' }],
          },
          { id: 'end', type: 'end', say: 'Noted.' },
        ],
      });
    };
    for (const kind of ['free', 'name', 'address'] as const)
      for (const line of ['Sorry, can you say that again?', 'what?', 'Pardon?', 'Who is this?', 'Hold on.']) {
        const talk = open({ type: 'text', kind }).say(line);
        expect([kind, line, talk.state.at, talk.state.tries]).toEqual([kind, line, 'ask', 0]);
      }
    const talk = open({ type: 'text' }).say('Sorry, can you say that again?');
    expect(talk.said).toBe('What is broken?');
    expect(talk.say('hold on').said).toBe('Sure, take your time.');
    expect(talk.say('Hmm.').said).toBe("Sorry, I didn't catch that. What is broken?");
    expect(talk.say('the tap, I had to repeat it twice').state.values['said']).toBe(
      'the tap, I had to repeat it twice',
    );
  });

  it('confirms a value once, however often the caller says yes', () => {
    const talk = new Talk(dentalFlow()).say('book', 'check-up', 'Tuesday', 'Yes, right.');
    expect(talk.state.at).toBe('hour');
    expect(talk.state.values['day']).toBe('2026-12-01');
    expect(talk.say('Yes, right.').state.at).toBe('hour');
    expect(talk.isEnded).toBe(false);
  });

  it('opts out and ends at once', () => {
    const talk = new Talk(dentalFlow()).say('stop calling me');
    expect(talk.effects.map(({ type }) => type)).toEqual(['say', 'opt_out']);
    expect(talk.state.isOver).toBe(true);
  });

  it('does not take a sensitive value by voice, and fails where answers are typed', () => {
    const spoken = new Talk(dentalFlow()).say(...TO_PIN, '1 2 3 4');
    expect(spoken.state.values['pin']).toBe(undefined);
    expect(spoken.said).toContain('Please enter the number on your keypad.');
    const typed = new Talk(dentalFlow(), { hidesKeys: false });
    typed.type('book').type('check-up').type('Monday').type('10:00').type('2').type('yes');
    expect(typed.said).toBe('I am sorry, I have a problem. Goodbye.');
  });

  it('goes on at failed when the tool is gone, and says that it has a problem without an edge', () => {
    const talk = new Talk(dentalFlow(), { tools: new Map() }).say('book', 'pain');
    expect(talk.said).toBe('I am sorry, I have a problem. Goodbye.');
    const without = { ...dentalFlow() };
    delete without.stuck;
    without.nodes = [{ id: 'greet', type: 'transfer', tool: 'front_desk' }];
    const alone = new Talk(without, { tools: new Map() });
    expect(alone.said).toContain('technical problem');
    expect(alone.isEnded).toBe(true);
  });

  it('ends a circle of the document by its limits', () => {
    const circle: Flow = {
      start: 'a',
      nodes: [
        { id: 'a', type: 'set', set: {}, edges: [{ to: 'b' }] },
        { id: 'b', type: 'say', text: 'Still here.', edges: [{ to: 'a' }] },
      ],
    };
    const talk = new Talk(circle);
    expect(talk.isEnded).toBe(true);
    expect(talk.state.moves).toBe(200);
  });

  describe('without a language model, by the meaning of words', () => {
    const flow: Flow = {
      start: 'help',
      variables: [{ name: 'day', type: 'date' }],
      nodes: [
        {
          id: 'help',
          type: 'talk',
          prompt: 'Help.',
          edges: [
            { to: 'day', when: 'wants to book', examples: ['an appointment'] },
            { to: 'bye', when: 'has no question' },
          ],
        },
        { id: 'day', type: 'collect', variable: 'day', ask: 'Which day?', edges: [{ to: 'bye' }] },
        { id: 'bye', type: 'end' },
      ],
      global: [
        {
          id: 'hours',
          type: 'say',
          text: 'Till five.',
          when: 'asks for the hours',
          examples: ['hours'],
          back: true,
        },
      ],
    };
    const says = (text: string, meant: object | null, by = 'speech') => ({
      type: 'caller' as const,
      line: { text, by },
      ...(meant === null ? {} : { meant }),
    });
    const book = { node: 'help', to: 'day', alike: 0.7 };

    it('takes an edge without examples, and its move names the likeness', () => {
      const talk = new Talk(flow, { hasModel: false });
      talk.on(says('my tooth came out', null));
      expect([talk.state.at, talk.unsure]).toEqual(['help', 'help']);
      talk.on(says('that would be it', { node: 'help', to: 'bye', alike: 0.62 }));
      expect(talk.effects[0]).toEqual({
        type: 'moved',
        from: 'help',
        to: 'bye',
        by: 'has no question',
        alike: 0.62,
      });
    });

    it('takes what an example says first, and nothing by the meaning for another node, of a key or a greeting', () => {
      const named = new Talk(flow, { hasModel: false }).on(says('an appointment', { ...book, to: 'bye' }));
      expect([named.state.at, named.unsure]).toEqual(['day', null]);
      for (const event of [
        says('can I see you', { ...book, node: 'day' }),
        says('7', book, 'keypad'),
        says('hello', book),
      ])
        expect(new Talk(flow, { hasModel: false }).on(event).state.at).toBe('help');
      expect(new Talk(flow).on(says('can I see you', book)).state.at).toBe('help');
    });

    it('goes to a global node in a talk, and in a question only where the words do not answer it', () => {
      const hours = (node: string) => ({ node, to: 'hours', alike: 0.66 });
      const talk = new Talk(flow, { hasModel: false }).on(says('when do you close', hours('help')));
      expect(talk.moves).toEqual(['help → hours (global)', 'hours → help (back)']);
      talk.on(says('can I see you', book)).on(says('when do you close', hours('day')));
      expect(talk.moves).toEqual(['day → hours (global)', 'hours → day (back)']);
      talk.on(says('Tuesday', hours('day')));
      expect(talk.state.verifying).not.toBeNull();
    });
  });

  describe('with tasks of a talk', () => {
    const flow: Flow = {
      start: 'help',
      variables: [
        { name: 'day', type: 'date', description: 'the day of the visit' },
        { name: 'phone', type: 'text' },
      ],
      nodes: [
        {
          id: 'help',
          type: 'talk',
          prompt: 'Help.',
          tasks: ['day', 'phone'],
          edges: [
            { to: 'bye', if: 'known.day && known.phone' },
            { to: 'bye', when: 'has no question', examples: ['that is all'] },
          ],
        },
        {
          id: 'day',
          type: 'collect',
          variable: 'day',
          ask: 'Which day?',
          edges: [{ to: 'bye', on: 'refused' }],
        },
        { id: 'phone', type: 'collect', variable: 'phone', kind: 'phone', ask: 'Your number?' },
        { id: 'bye', type: 'end' },
      ],
      global: [
        {
          id: 'hours',
          type: 'say',
          text: 'Till five.',
          when: 'asks for the hours',
          examples: ['hours'],
          back: true,
        },
      ],
    };
    const says = (text: string, by = 'text') => ({ type: 'caller' as const, line: { text, by } });
    const model = (talk: Talk) => talk.effects.find((effect) => effect.type === 'model');

    it('offers them to the model, and leads on with their values once they are done', () => {
      const talk = new Talk(flow);
      expect(model(talk)?.targets.map(({ to }) => to)).toEqual(['bye', 'hours', 'day', 'phone']);
      talk.on({ type: 'spoke', to: 'phone', isOver: false });
      expect([talk.state.at, ...talk.moves]).toEqual(['phone', 'help → phone (task)']);
      talk.on(says('hours'));
      expect(talk.moves).toEqual(['phone → hours (global)', 'hours → phone (back)']);
      talk.on(says('415 555 2671'));
      expect(talk.moves).toEqual(['phone → help (back)']);
      expect([talk.state.values['phone'], talk.state.back, model(talk)?.node]).toEqual([
        '+14155552671',
        [],
        'help',
      ]);
      // What was said before the task is its answer, and an edge by expression is taken at once.
      talk.on({ type: 'spoke', to: 'day', isOver: false, line: { text: 'Tuesday please', by: 'text' } });
      expect(talk.moves).toEqual([
        'help → day (task)',
        'day → help (back)',
        'help → bye (known.day && known.phone)',
      ]);
      expect(talk.state.isOver).toBe(true);
    });

    it('goes on in the talk when a task fails, and by an edge of the task that fits', () => {
      const talk = new Talk(flow).on({ type: 'spoke', to: 'phone', isOver: false });
      for (const text of ['green', 'blue', 'red']) talk.on(says(text));
      expect([talk.state.at, talk.state.back]).toEqual(['help', []]);
      talk.on({ type: 'spoke', to: 'day', isOver: false }).on(says('no'));
      expect([talk.state.at, talk.state.isOver, talk.state.back]).toEqual(['bye', true, []]);
      // A step that is no task of the talk is no target of its model.
      expect(new Talk(flow).on({ type: 'spoke', to: 'nowhere', isOver: false }).state.at).toBe('help');
    });

    it('without a model asks each once, in order, when no edge fits', () => {
      const talk = new Talk(flow, { hasModel: false });
      expect(talk.state.at).toBe('help');
      talk.on(says('I want to see you on Tuesday'));
      expect(talk.moves).toEqual(['help → day (task)', 'day → help (back)', 'help → phone (task)']);
      for (const text of ['green', 'blue', 'red']) talk.on(says(text));
      expect([talk.state.at, talk.state.values['day']]).toEqual(['help', '2026-12-01']);
      talk.on(says('hmm well'));
      expect(talk.moves).toEqual([]);
      expect(new Talk(flow, { hasModel: false }).on(says('that is all')).state.isOver).toBe(true);
    });
  });
});
