import type { HistoryItem } from '@callwright/turns';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentBrains, handoversIn, takenBefore, takenBy } from './agent-brains.ts';
import type { LlmEvent, LlmRequest, LlmSession } from './model.ts';

/** A brain that says its name, counts its replies in its memory, and keeps what it was asked. */
function brain(name: string) {
  const asked: LlmRequest[] = [];
  const session: LlmSession = {
    reply(request, onEvent) {
      asked.push(request);
      onEvent({ type: 'delta', text: `I am ${name}.` });
      onEvent({ type: 'done', memory: { [name]: asked.length }, expected: null });
    },
    close: () => undefined,
  };
  return { session, asked };
}
const next = (name: string, session: LlmSession, introMessage = '') => ({
  session,
  introMessage,
  goesOn: true,
  by: { vendor: 'v', model: null, isFirst: true, agent: { id: name, name } },
});
const caller = (text: string): HistoryItem => ({ role: 'caller', text, by: 'speech' });
const handover = (agent_id: string, more: object = {}): HistoryItem => ({
  role: 'tool',
  name: 'hand_over',
  args: { agent_id, ...more },
  result: { status: 'handed_over' },
});

class Talk {
  history: HistoryItem[] = [];
  memory: unknown = null;
  events: LlmEvent[] = [];
  readonly #brains: AgentBrains;
  constructor(brains: AgentBrains) {
    this.#brains = brains;
  }
  reply(...items: HistoryItem[]): string {
    this.history.push(...items);
    this.events = [];
    const { history, memory } = this;
    const { signal } = new AbortController();
    this.#brains.reply({ history, memory, signal }, (event) => this.events.push(event));
    const done = this.events.at(-1);
    if (done?.type === 'done') this.memory = structuredClone(done.memory);
    const text = this.events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
    this.history.push({ role: 'agent', text, interrupted: false });
    return text;
  }
}

describe('the brains of a conversation', () => {
  it('reply by the first agent until a handover, and by the other one afterwards, each with its own memory', () => {
    const [desk, billing] = [brain('desk'), brain('billing')];
    const brains = new AgentBrains(desk.session);
    const talk = new Talk(brains);
    expect(talk.reply(caller('hello'))).toBe('I am desk.');
    expect(takenBy(talk.memory)).toBeNull();
    brains.add('b', next('b', billing.session, 'This is billing.'));
    expect(talk.reply(handover('b'))).toBe('This is billing. I am billing.');
    expect(talk.reply(caller('hi'))).toBe('I am billing.');
    expect(takenBy(talk.memory)).toMatchObject({ agent_id: 'b' });
    expect(handoversIn(talk.history)).toBe(1);
    expect(billing.asked.map(({ memory }) => memory)).toEqual([null, { billing: 1 }]);
    expect(talk.events[0]).toMatchObject({ by: { vendor: 'v', agent: { id: 'b' } } });
  });

  it('leave the next agent the lines of its context alone, without the handover', () => {
    const texts = ({ history }: LlmRequest) =>
      history.map((item) => ('text' in item ? item.text : item.role));
    const read = (more: object): unknown => {
      const billing = brain('billing');
      const brains = new AgentBrains(brain('desk').session);
      brains.add('b', next('b', billing.session));
      const talk = new Talk(brains);
      talk.reply(caller('one'));
      talk.reply(caller('two'), handover('b', more), caller('three'));
      return [texts(billing.asked[0]!), billing.asked[0]!.earlier];
    };
    expect(read({})).toEqual([['one', 'I am desk.', 'two', 'three'], 3]);
    expect(read({ earlier: 1 })).toEqual([['two', 'three'], 1]);
    expect(read({ earlier: 0 })).toEqual([['three'], 0]);
    expect(read({ left_out: [[0, 2]] })).toEqual([['two', 'three'], 1]);
  });

  describe('whose next agent reads a summary', () => {
    type Done = Parameters<NonNullable<LlmSession['summarise']>>[2];
    /** A desk that hands over at its first reply, and whose model writes when the test says so. */
    function summarised() {
      const written: Done[] = [];
      const asked: (readonly HistoryItem[])[] = [];
      const desk: LlmSession = {
        reply(_request, onEvent) {
          onEvent({
            type: 'tool',
            id: '1',
            name: 'hand_over',
            args: { agent_id: 'b', summary: 'By rules.' },
          });
          onEvent({ type: 'done', memory: null, expected: null });
        },
        summarise(history, _signal, onDone) {
          asked.push([...history]);
          written.push(onDone);
        },
        close: () => undefined,
      };
      const notes: string[] = [];
      const billing = brain('billing');
      const brains = new AgentBrains(desk, (text) => notes.push(text));
      brains.add('b', next('b', billing.session));
      const talk = new Talk(brains);
      const read = (): unknown[] =>
        billing.asked.at(-1)!.history.map((item) => ('text' in item ? item.text : item.role));
      return { talk, brains, notes, asked, read, write: (text: string) => written.at(-1)!(text, null) };
    }
    const taken = handover('b', { summary: 'By rules.' });
    const NOTE = 'Summary of the conversation before the handover: ';

    it('show it what rules give until the model has written, and then the note of the model', () => {
      const { talk, notes, asked, read, write } = summarised();
      talk.reply(caller('my invoice'));
      expect(asked).toEqual([[caller('my invoice')]]);
      talk.reply(taken);
      expect(read()).toEqual([`${NOTE}By rules.`]);
      expect(notes).toEqual([]);
      write('They ask about an invoice.');
      expect(notes).toEqual([`${NOTE}They ask about an invoice.`]);
      talk.reply({ role: 'note', text: notes[0]! }, caller('and now'));
      expect(read()).toEqual(['I am billing.', notes[0], 'and now']);
    });

    it('pass the model’s words on when the agent takes over, and none when it does not', () => {
      const { talk, notes, write } = summarised();
      talk.reply(caller('my invoice'));
      write('They ask about an invoice.');
      expect(notes).toEqual([]);
      talk.reply(taken);
      expect(notes).toEqual([`${NOTE}They ask about an invoice.`]);
    });

    it('read the summary in the result of the handover, as chats have it', async () => {
      const { talk, brains, read, write } = summarised();
      talk.reply(caller('my invoice'));
      write('They ask about an invoice.');
      expect(await brains.summary()).toBe('They ask about an invoice.');
      const result = { status: 'handed_over', summary: 'They ask about an invoice.' };
      talk.reply({ ...taken, result } as HistoryItem);
      expect(read()).toEqual([`${NOTE}They ask about an invoice.`]);
    });

    it('keep what rules give when the model fails, or the conversation ends', async () => {
      const { talk, brains, notes, read, write } = summarised();
      talk.reply(caller('my invoice'));
      talk.reply(taken);
      write('');
      expect(await brains.summary()).toBeNull();
      expect(read()).toEqual([`${NOTE}By rules.`]);
      brains.close();
      write('Too late.');
      expect(notes).toEqual([]);
    });
  });

  describe('that come back', () => {
    /** Says its name, and ends its part when it hears "done"; `bye` when the caller takes leave. */
    const ending = (name: string): LlmSession => ({
      reply({ history, memory }, onEvent) {
        const last = history.at(-1);
        const text = last?.role === 'caller' ? last.text : '';
        const asked = ((memory as { asked?: number } | null)?.asked ?? 0) + 1;
        onEvent({ type: 'delta', text: `${name} ${asked}.` });
        const isByCaller = text === 'bye' ? { isByCaller: true as const } : {};
        if (text === 'done' || text === 'bye')
          onEvent({ type: 'tool', id: '1', name: 'end_call', args: {}, ...isByCaller });
        onEvent({ type: 'done', memory: { asked }, expected: null });
      },
      close: () => undefined,
    });
    const cameBack = (args: object): HistoryItem => ({
      role: 'tool',
      name: 'hand_over',
      args: { comes_back: true, ...args },
      result: { status: 'came_back' },
    });
    function talkOf() {
      const brains = new AgentBrains(ending('desk'));
      for (const id of ['b', 'c']) brains.add(id, next(id, ending(id)));
      return new Talk(brains);
    }
    const called = ({ events }: Talk): unknown =>
      events.flatMap((event) => (event.type === 'tool' ? [[event.name, event.args]] : []));

    it('give the conversation back at the end of their part, and the agent before goes on with its own memory', () => {
      const talk = talkOf();
      talk.reply(caller('one'));
      expect(talk.reply(handover('b', { back: true }))).toBe('b 1.');
      expect(takenBefore(talk.memory)).toBeNull();
      talk.reply(caller('done'));
      expect(called(talk)).toEqual([['hand_over', { comes_back: true }]]);
      expect(talk.reply(cameBack({}))).toBe('desk 2.');
      expect(talk.events[0]).not.toHaveProperty('by.agent');
      expect(takenBy(talk.memory)).toBeNull();
      expect(talk.reply(caller('two'))).toBe('desk 3.');
      expect(talk.reply(handover('b', { back: true }))).toBe('b 1.');
      talk.reply(caller('done'));
      talk.reply(cameBack({}));
      talk.reply(caller('done'));
      expect(called(talk)).toEqual([['end_call', {}]]);
    });

    it('give it back to one that took it over itself, with what that one was passed', () => {
      const talk = talkOf();
      talk.reply(handover('b', { back: true, variables: { invoice: 42 } }));
      talk.reply(caller('hm'));
      expect(talk.reply(handover('c', { back: true }))).toBe('c 1.');
      expect(takenBefore(talk.memory)).toMatchObject({ agent_id: 'b' });
      talk.reply(caller('done'));
      expect(called(talk)).toEqual([
        ['hand_over', { comes_back: true, agent_id: 'b', variables: { invoice: 42 } }],
      ]);
      expect(talk.reply(cameBack({ agent_id: 'b' }))).toBe('b 3.');
      talk.reply(caller('done'));
      expect(talk.reply(cameBack({}))).toBe('desk 1.');
    });

    it('end the conversation when the caller takes leave, without a way back, or when that has failed', () => {
      const leaving = talkOf();
      leaving.reply(handover('b', { back: true }));
      leaving.reply(caller('bye'));
      expect(called(leaving)).toEqual([['end_call', {}]]);
      const oneWay = talkOf();
      oneWay.reply(handover('b'));
      oneWay.reply(caller('done'));
      expect(called(oneWay)).toEqual([['end_call', {}]]);
      const failed = talkOf();
      failed.reply(handover('b', { back: true }));
      failed.reply(caller('done'));
      const error = { error: 'it is archived' };
      failed.reply(
        { role: 'tool', name: 'hand_over', args: { comes_back: true }, result: error },
        caller('done'),
      );
      expect(called(failed)).toEqual([['end_call', {}]]);
    });
  });

  it('leave out the first message of an agent that takes over silently', () => {
    const brains = new AgentBrains(brain('desk').session);
    brains.add('b', next('b', brain('billing').session, 'This is billing.'));
    expect(new Talk(brains).reply(handover('b', { silent: true }))).toBe('I am billing.');
  });

  it('fail when the agent of the conversation is not open, and stay when a handover names an unknown one', () => {
    const first = new AgentBrains(brain('desk').session);
    first.add('b', next('b', brain('billing').session));
    const talk = new Talk(first);
    talk.reply(handover('b'));
    const again = new Talk(new AgentBrains(brain('desk').session));
    again.memory = talk.memory;
    again.reply(caller('hi'));
    expect(again.events).toMatchObject([{ type: 'failed', retryable: false }]);
    expect(new Talk(new AgentBrains(brain('desk').session)).reply(handover('x'))).toBe('I am desk.');
  });

  it('answer any history with the agent of the latest handover, and the same again', () => {
    const item = fc.oneof(
      fc.constantFrom('a', 'b', 'c', 'x').map((id) => handover(id)),
      fc.string().map(caller),
      fc.constant<HistoryItem>({ role: 'silence' }),
      fc.constant<HistoryItem>({ role: 'tool', name: 'hand_over', result: { error: 'no' } }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(item, { maxLength: 4 }), { maxLength: 8 }), (turns) => {
        const brains = new AgentBrains(brain('desk').session);
        for (const id of ['a', 'b', 'c']) brains.add(id, next(id, brain(id).session));
        const talk = new Talk(brains);
        let now = 'desk';
        for (const items of turns) {
          const known = items.filter(({ role }) => role === 'tool').flatMap((each) => idOf(each));
          now = known.at(-1) ?? now;
          expect(talk.reply(...items)).toBe(`I am ${now}.`);
        }
      }),
    );
  });
});

const idOf = (item: HistoryItem): string[] => {
  const id = item.role === 'tool' ? item.args?.['agent_id'] : undefined;
  return typeof id === 'string' && id !== 'x' ? [id] : [];
};
