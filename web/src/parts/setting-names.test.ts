import { expect, it } from 'vitest';
import { sectionName, settingName } from './setting-names.ts';

it('names the sections of a new assistant as the page for a new one does', () => {
  expect(sectionName('Objective')).toBe('Who it is and what it wants');
  expect(sectionName(' conversation script ')).toBe('What it does, step by step');
  expect(sectionName('Escalation')).toBe('Escalation');
});

it('names settings without a word of programs', () => {
  expect(settingName('agent_config.intro_message')).toBe('First message');
  expect(settingName('agent_config.prompt_sections[Objective].section_content')).toBe(
    'Section “Who it is and what it wants”',
  );
  expect(settingName('agent_config.prompt_sections[Escalation]')).toBe('Section “Escalation”');
  for (const path of ['language', 'call_config.voicemail.action', 'flow.nodes[greet].edges[reason]'])
    expect(settingName(path)).toMatch(/^[A-Z][^_]*$/);
});
