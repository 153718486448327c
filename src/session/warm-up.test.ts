import { expect, it } from 'vitest';
import { createScriptLlm } from '../offline/script/brain.ts';
import { warmUp } from './warm-up.ts';

it('holds a whole conversation: first message, answers, a question, a wait and a goodbye', () => {
  const lines = warmUp(createScriptLlm());
  expect(lines[0]).toBe('agent: Hello, this is Maya from Green Table. How can I help you?');
  expect(lines).toContain('agent: No problem, I will wait.');
  expect(lines.at(-2)).toBe('caller: thank you goodbye');
  expect(lines.at(-1)).toBe('agent: Have a good day. Goodbye!');
});
