import { describe, expect, it } from 'vitest';
import { behaviourOf, type CalleeEvent, type CalleeState, newCallee, stepCallee } from './callee.ts';

function run(
  state: CalleeState,
  events: CalleeEvent[],
): { state: CalleeState; said: string[]; did: string[] } {
  const said: string[] = [];
  const did: string[] = [];
  for (const event of events) {
    const next = stepCallee(state, event);
    state = next.state;
    for (const effect of next.effects) {
      did.push(effect.type);
      if (effect.type === 'say') said.push(effect.text);
    }
  }
  return { state, said, did };
}

describe('callee', () => {
  it('derives its behaviour from the last four digits', () => {
    expect(behaviourOf('+14155550002')).toBe('busy');
    expect(behaviourOf('+14155550009')).toBe('unavailable_once');
    expect(behaviourOf('+14155550123')).toBe('cooperative');
  });

  it('answers after a pause of the agent, and not while the agent speaks', () => {
    const start: CalleeEvent[] = [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 100 },
      { type: 'agent_stopped', decoding: false, at: 2000 },
      { type: 'agent_started', at: 2300 },
      { type: 'wake', at: 2950 },
    ];
    expect(run(newCallee('cooperative'), start).said).toEqual([]);
    const done: CalleeEvent[] = [
      ...start,
      { type: 'agent_stopped', decoding: true, at: 4000 },
      { type: 'wake', at: 4900 },
      { type: 'agent_said', text: 'can you come on monday', decoding: false, at: 4950 },
    ];
    expect(run(newCallee('cooperative'), done).said).toEqual([]);
    expect(run(newCallee('cooperative'), [...done, { type: 'wake', at: 4960 }]).said).toEqual(['Yes.']);
  });

  it('waits for the recogniser up to a limit', () => {
    const { state, said } = run(newCallee('cooperative'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 100 },
      { type: 'agent_said', text: 'okay', decoding: false, at: 1900 },
      { type: 'agent_stopped', decoding: true, at: 2000 },
      { type: 'wake', at: 4900 },
    ]);
    expect([said, state.wakeAt]).toEqual([[], 5000]);
    expect(run(state, [{ type: 'wake', at: 5000 }]).said).toEqual(['Yes.']);
  });

  /** One question of the agent and our answer to it. */
  const ask = (state: CalleeState, text: string, at: number): { state: CalleeState; said: string[] } =>
    run(state, [
      { type: 'agent_started', at },
      { type: 'agent_stopped', decoding: true, at: at + 2000 },
      { type: 'agent_said', text, decoding: false, at: at + 2100 },
      { type: 'wake', at: at + 2700 },
      { type: 'said', at: at + 3500 },
    ]);
  const conversation = (questions: string[]): string[] => {
    let state = run(newCallee('cooperative'), [{ type: 'answered', at: 0 }]).state;
    return questions.flatMap((question, n) => {
      const next = ask(state, question, 100 + n * 5000);
      state = next.state;
      return next.said;
    });
  };

  it('tries other answers when a question is repeated', () => {
    const answers = conversation(Array.from({ length: 6 }, () => 'which day would suit you'));
    expect(answers).toEqual([
      'On Tuesday.',
      'On Tuesday.',
      'Yes, please.',
      'No, thank you.',
      'On Friday.',
      'Nine in the morning.',
    ]);
    expect(
      conversation([
        'how many people',
        'sorry i did not catch that',
        'sorry i did not quite understand how many will you be',
        'can you make it',
      ]),
    ).toEqual(['Three.', 'Three.', 'Yes, please.', 'Yes.']);
  });

  it('answers yes to each of several different questions', () => {
    const questions = [
      'is this a good moment',
      'can you make it',
      'shall we send you a reminder',
      'are you sam',
    ];
    expect(conversation(questions)).toEqual(['Yes.', 'Yes.', 'Yes.', 'Yes.']);
  });

  it('says goodbye after 15 answers', () => {
    const questions = Array.from({ length: 15 }, (_, n) => `how many of kind${n} more${n} please${n}`);
    expect(conversation(questions).slice(-2)).toEqual(['Three.', 'Goodbye.']);
  });

  it('hangs up after the farewell when the agent does not', () => {
    const out = run(newCallee('cooperative'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 100 },
      { type: 'agent_stopped', decoding: false, at: 2000 },
      { type: 'agent_said', text: 'thank you goodbye', decoding: false, at: 2100 },
      { type: 'wake', at: 2900 },
      { type: 'said', at: 3600 },
      { type: 'wake', at: 7500 },
      { type: 'wake', at: 7600 },
    ]);
    expect(out.did).toEqual(['say', 'hangup']);
  });

  it('stays on the line when the agent continues after the farewell', () => {
    const parted = ask(run(newCallee('cooperative'), [{ type: 'answered', at: 0 }]).state, 'goodbye', 100);
    expect([parted.said, parted.state.phase]).toEqual([['Goodbye.'], 'parting']);
    const question = run(parted.state, [
      { type: 'agent_started', at: 4000 },
      { type: 'agent_stopped', decoding: true, at: 9000 },
      { type: 'agent_said', text: 'which day would suit you', decoding: false, at: 9100 },
      { type: 'wake', at: 13_000 },
    ]);
    expect(question.said).toEqual(['On Tuesday.']);
    const over = run(parted.state, [
      { type: 'agent_started', at: 4000 },
      { type: 'agent_stopped', decoding: true, at: 5000 },
      { type: 'agent_said', text: 'goodbye', decoding: false, at: 5100 },
      { type: 'wake', at: 9000 },
    ]);
    expect(over.did).toEqual(['hangup']);
  });

  it('answers speech that overlapped its own', () => {
    const out = run(newCallee('screening'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 500 },
      { type: 'agent_stopped', decoding: true, at: 4000 },
      { type: 'agent_said', text: 'is this a good moment', decoding: false, at: 4100 },
      { type: 'wake', at: 5000 },
      { type: 'said', at: 7000 },
      { type: 'wake', at: 9900 },
      { type: 'wake', at: 10_000 },
    ]);
    expect(out.said).toHaveLength(2);
    expect(out.said[1]).toContain('stay on the line');
  });

  it('announces a screened call, then a person picks up and answers', () => {
    const out = run(newCallee('screening'), [
      { type: 'answered', at: 0 },
      { type: 'said', at: 6000 },
      { type: 'agent_started', at: 6500 },
      { type: 'agent_stopped', decoding: false, at: 8000 },
      { type: 'wake', at: 8700 },
      { type: 'said', at: 10_000 },
      { type: 'wake', at: 12_499 },
      { type: 'wake', at: 12_500 },
      { type: 'said', at: 13_000 },
      { type: 'agent_started', at: 14_000 },
      { type: 'agent_said', text: 'how many people', decoding: false, at: 15_000 },
      { type: 'agent_stopped', decoding: false, at: 15_000 },
      { type: 'wake', at: 15_700 },
    ]);
    expect(out.said.slice(1)).toEqual(['Thank you. Please stay on the line.', 'Hello?', 'Three.']);
  });

  it('plays a greeting and a tone as voicemail, and never answers', () => {
    const out = run(newCallee('voicemail'), [
      { type: 'answered', at: 0 },
      { type: 'said', at: 7000 },
      { type: 'agent_started', at: 8000 },
      { type: 'agent_stopped', decoding: false, at: 9000 },
      { type: 'wake', at: 9900 },
      { type: 'wake', at: 37_000 },
    ]);
    expect(out.did).toEqual(['say', 'beep', 'hangup']);
  });

  it('hangs up in the middle of its own sentence', () => {
    const out = run(newCallee('leaves'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 0 },
      { type: 'agent_stopped', decoding: false, at: 1000 },
      { type: 'wake', at: 1900 },
      { type: 'wake', at: 3200 },
    ]);
    expect(out.did).toEqual(['say', 'hangup']);
  });

  it('never speaks with the behaviour "silent"', () => {
    const out = run(newCallee('silent'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 0 },
      { type: 'agent_stopped', decoding: false, at: 1000 },
      { type: 'wake', at: 5000 },
    ]);
    expect(out.did).toEqual([]);
  });
});
