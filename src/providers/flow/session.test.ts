import { describe, expect, it } from 'vitest';
import type { HistoryItem } from '@callwright/turns';
import { dentalFlow } from '../../../test/helpers/flows/dental-flow.ts';
import type { Flow } from '../../voice/flow/document.ts';
import type { BrainContext, LlmEvent } from '../ports/model.ts';
import type { ChosenWay, WayJudge } from '../ports/way-judge.ts';
import { createScriptLlm } from '../../offline/script/brain.ts';
import { openFlow } from './session.ts';

const NOON = Date.UTC(2026, 10, 27, 12);
const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: '',
  sections: [],
  introMessage: 'Hello.',
  agentName: 'Asha',
  variables: { callee_name: 'Priya' },
  understandsSpeech: true,
  tools: [
    {
      name: 'book',
      description: '',
      kind: 'remote',
      parameters: { type: 'object', properties: { day: { type: 'string' }, pin: { type: 'string' } } },
      sensitive: ['pin'],
    },
    { name: 'front_desk', description: '', kind: 'transfer', parameters: { type: 'object', properties: {} } },
  ],
  callDirection: 'outbound',
};

/** A conversation that keeps history and memory as the turn machine does. */
class Talk {
  history: HistoryItem[] = [{ role: 'agent', text: 'Hello.', interrupted: false }];
  memory: unknown = null;
  events: LlmEvent[] = [];
  readonly #session;
  constructor(context: Partial<BrainContext> = {}) {
    const whole = { ...CONTEXT, ...context };
    this.#session = openFlow(createScriptLlm(), { document: dentalFlow(), zone: 'UTC' }, whole, () => NOON);
    this.reply();
  }
  reply(...items: HistoryItem[]): this {
    this.history.push(...items);
    this.events = this.ask();
    const done = this.events.at(-1);
    if (done?.type === 'done') this.memory = structuredClone(done.memory);
    this.history.push({ role: 'agent', text: this.text, interrupted: false });
    return this;
  }
  ask(signal = new AbortController().signal): LlmEvent[] {
    const events: LlmEvent[] = [];
    this.#session.reply({ history: this.history, memory: this.memory, signal }, (event) =>
      events.push(event),
    );
    return events;
  }
  say(text: string): this {
    return this.reply({ role: 'caller', text, by: 'speech' });
  }
  get text(): string {
    return this.events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
  }
  get done() {
    return this.events.find((event) => event.type === 'done');
  }
  get tools() {
    return this.events.flatMap((event) =>
      event.type === 'tool' ? [{ name: event.name, args: event.args }] : [],
    );
  }
}

describe('a flow whose edges a model of meanings judges', () => {
  const open = (found: ChosenWay | null, language: BrainContext['language'] = 'en-US') => {
    const asked: unknown[] = [];
    const script = createScriptLlm();
    const ways: WayJudge = {
      understands: (each) => each === 'en-US',
      prepare: (all) => void asked.push(all.map(({ to }) => to)),
      choose: (line, all) => {
        asked.push([line, ...all.map(({ texts }) => texts)]);
        return Promise.resolve(found);
      },
    };
    const document: Flow = {
      start: 'help',
      nodes: [
        {
          id: 'help',
          type: 'talk',
          prompt: 'Help.',
          edges: [{ to: 'bye', when: 'has no question', examples: ['that is all'] }],
        },
        { id: 'bye', type: 'end', say: 'See you.' },
      ],
    };
    const session = openFlow(
      { ...script, ways },
      { document, zone: 'UTC' },
      { ...CONTEXT, language },
      () => NOON,
    );
    const reply = (
      history: readonly HistoryItem[],
      memory: unknown,
      signal = new AbortController().signal,
    ) => {
      const events: LlmEvent[] = [];
      session.reply({ history, memory, signal }, (event) => events.push(event));
      return events;
    };
    const [first] = [reply([], null).find((event) => event.type === 'done')];
    const says = (text: string): HistoryItem[] => [{ role: 'caller', text, by: 'speech' }];
    return { asked, reply, says, memory: first?.memory };
  };

  it('goes the way that it chose, and the event log has the likeness', async () => {
    const { asked, reply, says, memory } = open({ to: 'bye', alike: 0.62 });
    const events = reply(says('I think we are done here'), memory);
    await Promise.resolve();
    expect(events).toContainEqual({ type: 'delta', text: 'See you.' });
    expect(events.find((event) => event.type === 'done')?.steps).toEqual([
      'help → bye (has no question) by meaning 0.62',
    ]);
    expect(asked).toEqual([['bye'], ['I think we are done here', ['has no question', 'that is all']]]);
  });

  it('asks it for nothing that the words say, and in no language that it does not understand', () => {
    const clear = open({ to: 'bye', alike: 0.62 });
    expect(clear.reply(clear.says('that is all'), clear.memory)).toContainEqual({
      type: 'delta',
      text: 'See you.',
    });
    expect(clear.asked).toEqual([['bye']]);
    const hindi = open({ to: 'bye', alike: 0.62 }, 'hi-IN');
    expect(hindi.reply(hindi.says('बस इतना ही'), hindi.memory).at(-1)?.type).toBe('done');
    expect(hindi.asked).toEqual([]);
  });

  it('replies as without it when it is not sure, and not at all to a request that was given up', async () => {
    const unsure = open(null);
    const events = unsure.reply(unsure.says('I think we are done here'), unsure.memory);
    await Promise.resolve();
    expect(events.at(-1)).toMatchObject({ type: 'done' });
    expect(events.at(-1)).not.toHaveProperty('steps');
    const given = open({ to: 'bye', alike: 0.62 });
    const aborted = new AbortController();
    const none = given.reply(given.says('I think we are done here'), given.memory, aborted.signal);
    aborted.abort();
    await Promise.resolve();
    expect(none).toEqual([]);
  });
});

describe('a flow in the place of a model', () => {
  it('begins after the first message and gives the caller the floor with its choices', () => {
    const talk = new Talk();
    expect(talk.text).toBe('Hello Priya, this is City Dental. Do you want to book, or to cancel?');
    expect(talk.done?.expected).toMatchObject({ kinds: ['choice'], choices: ['book', 'cancel'] });
    expect(talk.done?.expected?.phrases).toContain('opening hours');
  });

  it('makes the same reply again from the same memory', () => {
    const talk = new Talk().say('book');
    talk.history.push({ role: 'caller', text: 'check-up', by: 'speech' });
    expect(talk.ask().map(({ type }) => type)).toEqual(['delta', 'done']);
    expect(talk.ask()).toEqual(talk.ask());
    const aborted = new AbortController();
    aborted.abort();
    expect(talk.ask(aborted.signal)).toEqual([]);
  });

  it('joins the caller lines since its last reply', () => {
    const talk = new Talk().reply(
      { role: 'caller', text: 'I need', by: 'speech' },
      { role: 'caller', text: 'an appointment', by: 'speech' },
    );
    expect(talk.text).toBe('Is it a check-up, or are you in pain?');
  });

  it('waits for its tool while it runs, and goes on with its result', () => {
    const talk = new Talk().say('book').say('pain');
    expect(talk.tools).toEqual([{ name: 'front_desk', args: {} }]);
    expect(talk.done?.expected).toBeNull();
    talk.reply(
      {
        role: 'tool',
        name: 'front_desk',
        result: { status: 'running', note: 'do not call it again: the result follows' },
      },
      { role: 'caller', text: 'hello?', by: 'speech' },
    );
    expect(talk.text).toBe('One moment, please.');
    talk.history = talk.history.filter((item) => item.role !== 'tool');
    talk.reply({ role: 'tool', name: 'front_desk', result: { error: 'busy' } });
    expect(talk.text).toBe('I am sorry, I have a problem. Goodbye.');
    expect(talk.tools).toEqual([{ name: 'end_call', args: {} }]);
  });

  it('asks for hidden keys where a value is sensitive, and passes on what stands for them', () => {
    const talk = new Talk().say('book').say('check-up');
    const keyed = (text: string): HistoryItem => ({ role: 'caller', text, by: 'keypad' });
    talk.reply(keyed('1')).reply(keyed('10')).reply(keyed('2')).reply(keyed('1'));
    expect(talk.text).toBe('Please enter your PIN. Please enter the number on your keypad.');
    expect(talk.done?.expected).toMatchObject({ kinds: ['digits'], sensitive: true });
    talk.reply(keyed('[keys hidden 1]'));
    expect(talk.tools[0]?.args).toMatchObject({ day: '2026-11-30', pin: '[keys hidden 1]' });
    talk.reply({ role: 'tool', name: 'book', result: { booked: true } });
    expect(talk.text).toContain('See you on 2026-11-30.');
  });

  it('repeats the question when the caller is silent, and counts words that nobody recognised', () => {
    const talk = new Talk().reply({ role: 'silence' });
    expect(talk.text).toBe('Do you want to book, or to cancel?');
    talk.reply({ role: 'unclear' });
    expect(talk.text).toBe("Sorry, I didn't catch that. Do you want to book, or to cancel?");
  });

  it('asks again after "I am here", and takes an answer to its question after the check-in', () => {
    const checkIn: HistoryItem = { role: 'agent', text: 'Are you still there?', interrupted: false };
    const after = (text: string): string => {
      const talk = new Talk().say('book').say('check-up').say('Tuesday');
      return talk.reply(checkIn, { role: 'caller', text, by: 'speech' }).text;
    };
    for (const here of ['Yes.', 'Hello?', "Yes, I'm here.", 'Sorry, yes.'])
      expect([here, after(here)]).toEqual([here, 'You said Tuesday, right?']);
    for (const answer of ['Yes, right.', 'That is right.', 'Yes, correct.'])
      expect([answer, after(answer)]).toEqual([answer, 'At what time?']);
    expect(after('No, Wednesday.')).toBe('You said Wednesday, right?');
  });

  it('takes no yes for the answer to a question that the caller has not heard', () => {
    const cut = (heard: string, text: string): Talk => {
      const talk = new Talk().say('book').say('check-up').say('Tuesday').say('yes');
      talk.say('ten in the morning');
      talk.history.splice(-1, 1, { role: 'agent', text: heard, interrupted: true });
      return talk.say(text);
    };
    expect(cut('You', 'Yes, right.').text).toBe('You said 10 in the morning, right?');
    expect(cut('You said 10 in', 'Yes, right.').text).toBe('For how many?');
    expect(cut('You', 'no, eleven in the morning').text).toBe('You said 11 in the morning, right?');
  });
});
