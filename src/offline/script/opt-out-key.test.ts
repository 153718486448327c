import { describe, expect, it } from 'vitest';
import type { BrainContext } from '../../providers/ports/model.ts';
import { agentOf } from './brain.ts';
import { respond } from './respond.ts';

describe('the opt-out key', () => {
  const context = (task: string): BrainContext => ({
    prompt: task,
    instructions: task,
    sections: [{ title: 'Task', content: task }],
    introMessage: 'Hello, this is Maya. Press 9 to stop these calls.',
    agentName: 'Maya',
    language: 'en-US',
    secondaryLanguage: null,
    tools: [],
    understandsSpeech: true,
    callDirection: 'outbound',
    variables: {},
  });
  const pressed = (task: string, key: string): string[] => {
    const agent = agentOf(context(task));
    const begun = respond(agent, [{ role: 'agent', text: 'Hello.', interrupted: false }], undefined);
    const history = [{ role: 'caller', text: key, by: 'keypad' } as const];
    return respond(agent, history, { ...begun.memory, heard: 0 }).tools.map((tool) => tool.name);
  };

  it('opts out; other keys do not', () => {
    expect(pressed('1. Ask "Can you make it on Tuesday?"', '9')).toEqual(['opt_out']);
    expect(pressed('1. Ask "Can you make it on Tuesday?"', '1')).not.toContain('opt_out');
  });

  it('is part of the answer to a question for a number', () => {
    expect(pressed('1. Ask "What is your customer number?"', '9')).not.toContain('opt_out');
  });
});
