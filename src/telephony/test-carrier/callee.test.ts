import { describe, expect, it } from 'vitest';
import { behaviourOf, newCallee, replyTo, stepCallee, type CalleeEvent, type CalleeState } from './callee.ts';

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

describe('the test carrier', () => {
  it('behaves by the last four digits', () => {
    expect(behaviourOf('+14155550002')).toBe('busy');
    expect(behaviourOf('+14155550009')).toBe('unavailable_once');
    expect(behaviourOf('+14155550123')).toBe('cooperative');
  });

  it('answers the last question it heard', () => {
    expect(replyTo('we have a visit for you on monday does that work for you').say).toBe('Yes.');
    expect(replyTo('sorry about that what day would suit you').say).toBe('Tuesday.');
    expect(replyTo('what day suits you you said tuesday right').say).toBe('Yes.');
    expect(replyTo('is there anything else i can help with').say).toBe('No.');
    expect(replyTo('thank you and have a great day').goodbye).toBe(true);
    expect(replyTo('goodbye, which day').goodbye).toBe(false);
  });

  it('tries another answer when the agent did not catch one and the question was not understood', () => {
    const first = replyTo("didn't catch that");
    const second = replyTo("didn't catch that", first.missed);
    expect([first.say, second.say]).toEqual(['Tuesday.', 'Ten o clock.']);
    expect(replyTo("didn't catch that, how many", 1)).toMatchObject({ say: 'Three.', missed: 0 });
    expect(replyTo('', 2)).toMatchObject({ say: 'Yes.', missed: 0 });
  });

  it('speaks after the agent has been silent for a moment, and not while it goes on', () => {
    const start: CalleeEvent[] = [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 100 },
      { type: 'agent_stopped', at: 2000 },
      { type: 'agent_started', at: 2300 },
      { type: 'wake', at: 2950 },
    ];
    expect(run(newCallee('cooperative'), start).said).toEqual([]);
    const done: CalleeEvent[] = [
      ...start,
      { type: 'agent_stopped', at: 4000 },
      { type: 'agent_said', text: 'can you come on monday', at: 4100 },
      { type: 'wake', at: 4900 },
    ];
    expect(run(newCallee('cooperative'), done).said).toEqual(['Yes.']);
  });

  it('says goodbye and hangs up by itself when the agent does not', () => {
    const out = run(newCallee('cooperative'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 100 },
      { type: 'agent_stopped', at: 2000 },
      { type: 'agent_said', text: 'thank you goodbye', at: 2100 },
      { type: 'wake', at: 2900 },
      { type: 'said', at: 3600 },
      { type: 'wake', at: 7600 },
    ]);
    expect(out.did).toEqual(['say', 'hangup']);
  });

  it('plays a greeting and a tone as voicemail, and never answers', () => {
    const out = run(newCallee('voicemail'), [
      { type: 'answered', at: 0 },
      { type: 'said', at: 7000 },
      { type: 'agent_started', at: 8000 },
      { type: 'agent_stopped', at: 9000 },
      { type: 'wake', at: 9900 },
      { type: 'wake', at: 37_000 },
    ]);
    expect(out.did).toEqual(['say', 'beep', 'hangup']);
  });

  it('leaves in the middle of its own sentence', () => {
    const out = run(newCallee('leaves'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 0 },
      { type: 'agent_stopped', at: 1000 },
      { type: 'wake', at: 1900 },
      { type: 'wake', at: 3200 },
    ]);
    expect(out.did).toEqual(['say', 'hangup']);
  });

  it('stays silent for ever when asked to', () => {
    const out = run(newCallee('silent'), [
      { type: 'answered', at: 0 },
      { type: 'agent_started', at: 0 },
      { type: 'agent_stopped', at: 1000 },
      { type: 'wake', at: 5000 },
    ]);
    expect(out.did).toEqual([]);
  });
});
