import { assert, integer, property, record, string, stringMatching } from 'fast-check';
import { expect, it } from 'vitest';
import { moveText, readMove } from './flow-moves.ts';

const name = stringMatching(/^[a-z][a-z0-9_]{0,39}$/);
const alike = integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100);
const parts = { from: name, to: name, by: string(), alike };

it('reads every move back from its text', () => {
  assert(
    property(record(parts, { requiredKeys: ['from', 'to', 'by'] }), (move) => {
      expect(readMove(moveText(move))).toEqual(move);
    }),
  );
});

it('reads other texts as no move', () => {
  for (const text of ['', 'day', 'day → done', 'day - done (default)']) expect(readMove(text)).toBeNull();
});
