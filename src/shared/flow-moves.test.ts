import { assert, property, record, string, stringMatching } from 'fast-check';
import { expect, it } from 'vitest';
import { moveText, readMove } from './flow-moves.ts';

const name = stringMatching(/^[a-z][a-z0-9_]{0,39}$/);

it('reads every move back from its text', () => {
  assert(
    property(record({ from: name, to: name, by: string() }), (move) => {
      expect(readMove(moveText(move))).toEqual(move);
    }),
  );
});

it('reads other texts as no move', () => {
  for (const text of ['', 'day', 'day → done', 'day - done (default)']) expect(readMove(text)).toBeNull();
});
