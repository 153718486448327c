import { expect, it } from 'vitest';
import { agentSearch, groupsOf, TABS, tabsOf, tabToOpen, type Group, type GroupName } from './tabs.ts';

const groupNamed = (name: GroupName, type = 'outbound'): Group => {
  const group = groupsOf(type).find((each) => each.name === name);
  if (group === undefined) throw new Error(`${type} has no group ${name}`);
  return group;
};

it('leaves out voice and browser calls for an assistant that writes', () => {
  expect(tabsOf('outbound')).toEqual(expect.arrayContaining(['voice', 'browser']));
  expect(tabsOf('whatsapp')).not.toContain('voice');
  expect(tabsOf('whatsapp')).not.toContain('browser');
  expect(tabsOf('whatsapp')).toContain('instructions');
});

it('has every tab in exactly one of five groups', () => {
  const groups = groupsOf('outbound');
  expect(groups).toHaveLength(5);
  expect(groups.flatMap(({ tabs }) => tabs).toSorted()).toEqual(Object.keys(TABS).toSorted());
});

it('leaves out a group without a tab', () => {
  expect(groupsOf('whatsapp').map(({ name }) => name)).toEqual([
    'Prompt',
    'Behaviour',
    'Tools and knowledge',
    'Quality',
  ]);
  expect(groupNamed('Tools and knowledge', 'whatsapp').tabs).toEqual(['tools', 'connections']);
});

it('opens the first tab of a group, later the one that was open last', () => {
  const quality = groupNamed('Quality');
  expect(tabToOpen(quality, {}, false)).toBe('analysis');
  expect(tabToOpen(quality, { Quality: 'tests', Prompt: 'models' }, true)).toBe('tests');
});

it('opens the flow of an assistant that has one, whichever tab of its group was open last', () => {
  const prompt = groupNamed('Prompt');
  expect(tabToOpen(prompt, {}, true)).toBe('flow');
  expect(tabToOpen(prompt, { Prompt: 'instructions' }, true)).toBe('flow');
  expect(tabToOpen(prompt, { Prompt: 'models' }, false)).toBe('models');
});

it('takes the address of every tab, and leaves out the first one and unknown ones', () => {
  for (const tab of tabsOf('outbound').filter((each) => each !== 'instructions'))
    expect(agentSearch({ tab })).toEqual({ tab });
  expect(agentSearch({ tab: 'instructions' })).toEqual({});
  expect(agentSearch({ tab: 'quality' })).toEqual({});
});
