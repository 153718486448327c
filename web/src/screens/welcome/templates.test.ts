import { describe, expect, it } from 'vitest';
import { fromTemplate, EMPTY_DRAFT, ownVariables } from '../agent-new/draft.ts';
import { CARDS, firstValues } from './templates.ts';

describe('the templates of the welcome page', () => {
  it('are all there, those that call people first', () => {
    const types = CARDS.map(({ template }) => template.type);
    expect(CARDS).toHaveLength(8);
    expect(types).toEqual(types.toSorted((a, b) => b.localeCompare(a)));
    expect(new Set(CARDS.map(({ icon }) => icon)).size).toBe(8);
  });

  it('bring a value for every variable that their first call needs', () => {
    for (const { template } of CARDS) {
      const draft = { ...EMPTY_DRAFT, ...fromTemplate(EMPTY_DRAFT, template.id) };
      const values = firstValues(template);
      expect(ownVariables(draft).filter((name) => values[name] === undefined)).toEqual([]);
    }
  });
});
