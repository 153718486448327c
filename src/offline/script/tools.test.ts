import { describe, expect, it } from 'vitest';
import type { BrainContext, LlmEvent } from '../../providers/ports/model.ts';
import type { HistoryItem } from '@callwright/turns';
import { createScriptLlm } from './brain.ts';

const context: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: '',
  sections: [
    {
      title: 'Conversation Script',
      content: [
        '1. Ask "Which day would suit you?"',
        '2. Use tool find_slots.',
        '3. Say "We have a slot at {{slot}}."',
        '4. Say "It is with {{doctor}}."',
        '5. Thank them and say goodbye.',
      ].join('\n'),
    },
  ],
  introMessage: 'Hello, this is Maya.',
  agentName: 'Maya',
  variables: {},
  understandsSpeech: true,
  tools: [
    {
      name: 'find_slots',
      description: '',
      parameters: { type: 'object', properties: { day: { type: 'string' } } },
      kind: 'remote',
      sets: ['slot', 'doctor'],
    },
    { name: 'to_desk', description: '', parameters: {}, kind: 'transfer' },
  ],
  callDirection: 'outbound',
};
const session = createScriptLlm().open(context);

function reply(history: readonly HistoryItem[], memory: unknown) {
  const events: LlmEvent[] = [];
  session.reply({ history, memory, signal: new AbortController().signal }, (event) => events.push(event));
  const done = events.at(-1);
  if (done?.type !== 'done') throw new Error('not done');
  return {
    text: events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join(''),
    tools: events.flatMap((event) => (event.type === 'tool' ? [{ name: event.name, args: event.args }] : [])),
    done,
  };
}
const caller = (text: string): HistoryItem => ({ role: 'caller', text, by: 'speech' });
const agent = (text: string): HistoryItem => ({ role: 'agent', text, interrupted: false });

/** The script is over: the agent asks whether there is more, and ends the call after the caller's no. */
function endsAfterNo(history: readonly HistoryItem[], says: ReturnType<typeof reply>): boolean {
  const last = reply([...history, agent(says.text), caller('no thank you')], says.done.memory);
  return says.tools.length === 0 && last.tools.some(({ name }) => name === 'end_call');
}

describe('a script that names a tool', () => {
  const opening = [agent(context.introMessage), caller('hello there')];
  const question = reply(opening, null);
  const history = [...opening, agent(question.text), caller('Tuesday please')];
  const verifies = reply(history, question.done.memory);
  const answered = [...history, agent(verifies.text), caller('yes')];
  const uses = reply(answered, verifies.done.memory);

  it('calls the tool with the caller’s answers and waits for its result', () => {
    expect(question.text).toContain('Which day would suit you?');
    expect(uses.tools).toEqual([{ name: 'find_slots', args: { day: 'Tuesday' } }]);
    expect(uses.done.expected).toBeNull();
    expect(uses.text).not.toContain('slot');
  });

  it('speaks variables that the tool set and drops sentences without a value', () => {
    const found: HistoryItem = { role: 'tool', name: 'find_slots', result: {}, variables: { slot: 'ten' } };
    const says = reply([...answered, found], uses.done.memory);
    expect(says.text).toContain('We have a slot at ten.');
    expect(says.text).not.toContain('It is with');
    expect(endsAfterNo([...answered, found], says)).toBe(true);
  });

  it('continues when the tool failed', () => {
    const failed: HistoryItem = { role: 'tool', name: 'find_slots', result: { error: 'timeout' } };
    const says = reply([...answered, failed], uses.done.memory);
    expect(says.text).not.toContain('slot');
    expect(endsAfterNo([...answered, failed], says)).toBe(true);
  });

  it('handles an opt-out before tool results', () => {
    const found: HistoryItem = { role: 'tool', name: 'find_slots', result: {}, variables: { slot: 'ten' } };
    const says = reply([...answered, found, caller('stop calling me')], uses.done.memory);
    expect(says.tools).toEqual([{ name: 'opt_out', args: {} }]);
  });

  it('repeats its question after a failed transfer', () => {
    const wants = reply(
      [...opening, agent(question.text), caller('can I talk to a human')],
      question.done.memory,
    );
    expect(wants.tools).toEqual([{ name: 'to_desk', args: {} }]);
    const missed: HistoryItem = {
      role: 'tool',
      name: 'to_desk',
      result: { status: 'failed', sip_code: 486 },
    };
    const says = reply(
      [...opening, agent(question.text), caller('can I talk to a human'), agent(wants.text), missed],
      wants.done.memory,
    );
    expect(says.text).toContain('Which day would suit you?');
  });
});
