import type { Language } from '@callwright/language';
import { expect, it, vi } from 'vitest';
import { turnSettings } from '../settings.ts';
import { initialState, step } from './machine.ts';
import type { TurnEvent } from './types.ts';

/** Twice the lines cost twice the work; an analysis of the whole turn for each line costs four times. */
const MOST_GROWTH = 2.2;
/** A turn of twice the lines stays below the length at which turns are cut. */
const LINES = 60;

/** Characters that `run` reads in words: both readers of words begin with `normalize`. */
function charactersRead(run: () => void): number {
  let characters = 0;
  const normalize: (this: string, form?: string) => string = Reflect.get(String.prototype, 'normalize');
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function counted(this: string, form) {
    characters += this.length;
    return normalize.call(this, form);
  });
  run();
  vi.restoreAllMocks();
  return characters;
}

/** A caller types so many lines before the agent says a word. */
function type(line: string, language: Language, lines: number): void {
  const settings = turnSettings({ callConfig: {}, introMessage: '', language, direction: 'webcall' });
  let state = initialState({ ...settings, speaksFirst: false });
  const feed = (event: TurnEvent): void => {
    ({ state } = step(state, event));
  };
  feed({ type: 'answered', at: 0 });
  for (let n = 1; n <= lines; n++) feed({ type: 'typed', text: line, at: n });
}

const SHAPES: readonly (readonly [string, Language])[] = [
  ['I want to book a table for two at eight please', 'en-IN'],
  ['okay yes', 'en-IN'],
  ['nine eight double seven', 'en-IN'],
  ['K U M A R', 'en-IN'],
  ['? ...', 'en-IN'],
  [', and', 'en-IN'],
  ['one moment', 'en-IN'],
  ['जी हाँ नौ आठ', 'hi-IN'],
  ['好的', 'zh-CN'],
  ['九八一二', 'zh-CN'],
  ['我要预订然后', 'zh-CN'],
  ['အင်းတစ်', 'my-MM'],
];

it.each(SHAPES)('a turn of lines like %j (%s) costs as much as its lines', (line, language) => {
  // The phrases of the language are read once.
  type(line, language, 2);
  const [once, twice] = [LINES, 2 * LINES].map((lines) => charactersRead(() => type(line, language, lines)));
  expect((twice ?? 0) / (once ?? 1)).toBeLessThan(MOST_GROWTH);
});
