import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT, toRequest } from './draft.ts';

describe('toRequest', () => {
  it('declares the variables of the texts, without those of every call', () => {
    const draft = {
      ...EMPTY_DRAFT,
      opening: 'Hello {{callee_name}}.',
      task: 'Confirm {{date}} at {{clinic}}.',
    };
    expect(toRequest(draft).custom_variables).toEqual(['date', 'clinic']);
  });

  it('leaves out what is empty and optional', () => {
    const request = toRequest(EMPTY_DRAFT);
    expect(Object.keys(request)).not.toContain('faq');
    expect(Object.keys(request)).not.toContain('secondary_language');
    expect(toRequest({ ...EMPTY_DRAFT, secondLanguage: 'hi-IN' }).secondary_language).toBe('hi-IN');
  });
});
