import { describe, expect, it } from 'vitest';
import type { BrainContext } from '../../../voice/ports.ts';
import { agentOf } from './brain.ts';
import { optOutKey } from './opt-out-key.ts';
import { respond } from './respond.ts';

describe('the key against more calls', () => {
  it.each([
    ['Hello, this is Maya. Press 9 to stop these calls.', '9'],
    ['To opt out, press star.', '*'],
    ['If you want no more calls, press the key "three" at any time.', '3'],
    ['If the caller presses 8, they opt out.', '8'],
    ['Press 1 to confirm. Press 2 to be removed from our list.', '2'],
    ['Press 1 to confirm.', null],
    ['Press 1 to confirm. We will stop calling you after that.', null],
    ['Press 90 to stop these calls.', null],
  ])('%s', (text, key) => {
    expect(optOutKey(['', text])).toBe(key);
  });

  const context = (task: string): BrainContext => ({
    prompt: task,
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

  it('opts out, and no other key does', () => {
    expect(pressed('1. Ask "Can you make it on Tuesday?"', '9')).toEqual(['opt_out']);
    expect(pressed('1. Ask "Can you make it on Tuesday?"', '1')).not.toContain('opt_out');
  });

  it('is a digit where a number was asked for', () => {
    expect(pressed('1. Ask "What is your customer number?"', '9')).not.toContain('opt_out');
  });
});
