import { expect, it } from 'vitest';
import { knownIn, undeclaredIn } from './undeclared.ts';

const version = {
  agent_config: {
    intro_message: 'Hello {{callee_name}}, it is {{clock}}.',
    prompt_sections: [{ section_content: 'Offer {{slot}} or {{day}}.' }],
    custom_variables: ['callee_name', 'day'],
  },
  pre_call_tools: [{ result_variables: { slot: 'slots.0' } }],
  on_call_tools: [{}],
};

it('names what the texts use and neither a call nor a tool fills', () => {
  expect(undeclaredIn(version)).toEqual(['clock']);
  expect(undeclaredIn(version, ['callee_name', 'clock'])).toEqual(['day']);
  expect(undeclaredIn({ ...version, pre_call_tools: [] })).toEqual(['clock', 'slot']);
});

it('knows the summary of the last call, which nobody declares', () => {
  expect(knownIn(version)).toEqual(['callee_name', 'day', 'slot', 'previous_call_summary']);
  const intro_message = 'Last time: {{previous_call_summary}}';
  expect(undeclaredIn({ ...version, agent_config: { ...version.agent_config, intro_message } })).toEqual([]);
});
