import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictsOf, differenceOf } from './difference.ts';
import { differenceByWords } from './words.ts';

const joined = (words: ReturnType<typeof differenceByWords>, left: string): string =>
  words
    .filter(({ change }) => change !== left)
    .map(({ text }) => text)
    .join('');

const text = fc
  .array(fc.constantFrom('Ask', 'the', 'day', 'first.', ' ', '  ', '\n', 'ध', '\u{1f600}'), { maxLength: 40 })
  .map((pieces) => pieces.join(''));

const value = fc.oneof(text, fc.integer({ min: 1 }), fc.constant(null), fc.array(text, { maxLength: 3 }));
const edge = fc.record({ to: fc.constantFrom('a', 'b', 'c'), when: fc.constantFrom('yes', 'no') });
const node = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  prompt: text,
  edges: fc.array(edge, { maxLength: 4 }),
});
/** JSON, whose objects all have the usual prototype. */
const document = fc
  .record({
    language: fc.constantFrom('en', 'de'),
    agent_config: fc.dictionary(fc.constantFrom('vocab', 'intro_message', 'voice_speed'), value),
    flow: fc.option(
      fc.record({
        start: fc.constantFrom('a', 'b'),
        nodes: fc.uniqueArray(node, { selector: ({ id }) => id, maxLength: 4 }),
      }),
    ),
  })
  .map((made): typeof made => structuredClone(made));

describe('the difference by words', () => {
  it('joins to both texts', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const words = differenceByWords(before, after);
        expect(joined(words, 'added')).toBe(before);
        expect(joined(words, 'removed')).toBe(after);
      }),
    );
  });

  it('shows one changed word among the same ones', () => {
    expect(differenceByWords('Ask for the day.', 'Ask for the hour.')).toEqual([
      { change: 'same', text: 'Ask for the ' },
      { change: 'removed', text: 'day.' },
      { change: 'added', text: 'hour.' },
    ]);
  });

  it('compares texts of a hundred thousand words by lines', () => {
    const lines = Array.from({ length: 1000 }, (_, line) => `${line} ${'word '.repeat(100)}\n`);
    const before = lines.join('');
    const after = lines.toSpliced(1, 1, 'first\n').toSpliced(900, 1, 'second\n').join('');
    const words = differenceByWords(before, after);
    expect(words.filter(({ change }) => change === 'added').map((run) => run.text)).toEqual([
      'first\n',
      'second\n',
    ]);
    expect(joined(words, 'added')).toBe(before);
  });
});

describe('the difference of two documents', () => {
  it('is empty for equal documents only', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        expect(differenceOf(before, before)).toEqual([]);
        expect(differenceOf(before, after).length === 0).toBe(isDeepStrictEqual(before, after));
      }),
    );
  });

  it('names each setting once, and the other way round the same settings', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const [there, back] = [differenceOf(before, after), differenceOf(after, before)];
        expect(new Set(there.map(({ path, change }) => `${path} ${change === 'moved'}`)).size).toBe(
          there.length,
        );
        expect(back.map(({ path }) => path).toSorted()).toEqual(there.map(({ path }) => path).toSorted());
        expect(conflictsOf(back, there)).toEqual(there.map(({ path }) => path));
      }),
    );
  });

  it('names the nodes and edges of a flow', () => {
    const before = {
      flow: {
        nodes: [
          { id: 'greet', prompt: 'Greet them.', edges: [{ to: 'reason', when: 'books' }, { to: 'end' }] },
          { id: 'reason', prompt: 'Ask why.' },
        ],
      },
    };
    const after = {
      flow: {
        nodes: [
          { id: 'end', prompt: 'Say goodbye.' },
          { id: 'greet', prompt: 'Greet them.', edges: [{ to: 'reason', when: 'orders' }] },
        ],
      },
    };
    expect(differenceOf(before, after).map(({ path, change }) => `${change} ${path}`)).toEqual([
      'changed flow.nodes[greet].edges[reason].when',
      'removed flow.nodes[greet].edges[end]',
      'removed flow.nodes[reason]',
      'added flow.nodes[end]',
    ]);
  });

  it('shows an order that matters', () => {
    const edges = [{ to: 'a' }, { to: 'b' }];
    expect(differenceOf({ edges }, { edges: edges.toReversed() })).toEqual([
      { path: 'edges', change: 'moved', before: ['a', 'b'], after: ['b', 'a'], words: null },
    ]);
  });

  it('conflicts where both sides change a setting, a part of it or the whole', () => {
    const base = { task: { text: 'a', more: 1 }, other: 1, third: 1 };
    const theirs = differenceOf(base, { task: { text: 'b', more: 1 }, other: 2, third: 1 });
    const ours = differenceOf(base, { other: 1, third: 3 });
    expect(conflictsOf(theirs, ours)).toEqual(['task']);
  });
});
