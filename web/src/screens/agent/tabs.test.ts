import { expect, it } from 'vitest';
import { tabsOf } from './tabs.ts';

it('leaves out voice and browser calls for an assistant that writes', () => {
  expect(tabsOf('outbound')).toEqual(expect.arrayContaining(['voice', 'browser']));
  expect(tabsOf('whatsapp')).not.toContain('voice');
  expect(tabsOf('whatsapp')).not.toContain('browser');
  expect(tabsOf('whatsapp')).toContain('instructions');
});
