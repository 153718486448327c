import { describe, expect, it } from 'vitest';
import { begunVariable, completion, offeredNames } from './begun-variable.ts';

/** `^` is the caret. */
const at = (marked: string): { text: string; caret: number } => ({
  text: marked.replace('^', ''),
  caret: marked.indexOf('^'),
});
const typedIn = (marked: string): string | null => {
  const { text, caret } = at(marked);
  return begunVariable(text, caret)?.typed ?? null;
};
const taken = (marked: string, name: string): string => {
  const { text, caret } = at(marked);
  const begun = begunVariable(text, caret);
  if (begun === null) return text;
  const { from, to, put } = completion(text, begun, name);
  return `${text.slice(0, from)}${put}^${text.slice(to)}`;
};

describe('a variable that is being typed', () => {
  it('begins behind two braces and has the letters up to the caret', () => {
    expect(typedIn('Hello {{^')).toBe('');
    expect(typedIn('Hello {{cal^')).toBe('cal');
    expect(typedIn('Hello {{ visit da^')).toBe('visit da');
    expect(typedIn('Hello @{{na^ and {{day}}')).toBe('na');
    expect(typedIn('{{day}} at {{ti^')).toBe('ti');
    expect(typedIn('{{{^')).toBe('');
  });

  it('is none before the braces, behind its end, in a fallback, and on another line', () => {
    const texts = [
      '^',
      '^{{name}}',
      '{^{name}}',
      'Hello {^',
      'Hello {{name}}^',
      'Hello {{name}^',
      'Hello {{name|the^',
      'Hello {{\nnext^',
      `Hello {{${'x'.repeat(65)}^`,
    ];
    expect(texts.map(typedIn)).toEqual(texts.map(() => null));
  });
});

describe('the names offered', () => {
  const names = ['callee_name', 'visit_name', 'name_of_clinic', 'surname', 'day'];

  it('begin with what was typed, then have a word that does, then contain it', () => {
    expect(offeredNames(names, 'NAME')).toEqual(['name_of_clinic', 'callee_name', 'visit_name', 'surname']);
    expect(offeredNames(names, 'clock')).toEqual([]);
  });

  it('are all in their order before a letter is typed, each once and at most eight', () => {
    expect(offeredNames([...names, 'day'], '')).toEqual(names);
    const many = Array.from({ length: 20 }, (_, index) => `slot_${index}`);
    expect(offeredNames(many, 'slot')).toEqual(many.slice(0, 8));
  });
});

describe('a name that is taken', () => {
  it('closes its braces, and keeps those that are there', () => {
    expect(taken('Hello {{ca^ and', 'callee_name')).toBe('Hello {{callee_name}}^ and');
    expect(taken('Hello {{^}}.', 'callee_name')).toBe('Hello {{callee_name}}^.');
    expect(taken('On {{ ^', 'day')).toBe('On {{day}}^');
  });

  it('replaces the rest of a name, and keeps its fallback', () => {
    expect(taken('Hello {{cal^lee}}.', 'callee_name')).toBe('Hello {{callee_name}}^.');
    expect(taken('Hello {{cal^lee|friend}}.', 'callee_name')).toBe('Hello {{callee_name^|friend}}.');
  });

  it('leaves the words behind the caret alone if no braces follow them', () => {
    expect(taken('Hello {{ca^you, {{day}}', 'callee_name')).toBe('Hello {{callee_name}}^you, {{day}}');
  });
});
