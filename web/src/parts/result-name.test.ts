import { expect, it } from 'vitest';
import { resultName } from './result-name.ts';

it('keeps the words of the workspace', () => {
  expect(resultName('Confirmed: yes', 'goal')).toBe('Confirmed: yes');
  expect(resultName('Friday: at ten', 'goal')).toBe('Friday: at ten');
  expect(resultName('Busy', 'ending')).toBe('Busy');
  expect(resultName('our own label', 'label')).toBe('our own label');
});
