import { expect, it } from 'vitest';
import { readPlaces, writePlaces } from './graph-places.ts';

function shelfOf() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    size: () => kept.size,
  };
}

it('reads the places of one assistant back, and removes them with the last one', () => {
  const shelf = shelfOf();
  writePlaces(shelf, 'a', { day: { x: 1, y: 2 } });
  expect(readPlaces(shelf, 'a')).toEqual({ day: { x: 1, y: 2 } });
  expect(readPlaces(shelf, 'b')).toEqual({});
  writePlaces(shelf, 'a', {});
  expect(shelf.size()).toBe(0);
});

it('reads what is no place as none', () => {
  for (const text of ['{', '7', 'null', '{"day":{"x":"1","y":2}}', '{"day":null}']) {
    expect(readPlaces({ getItem: () => text }, 'a')).toEqual({});
  }
});

it('keeps none where the storage is full', () => {
  const full = {
    setItem: () => {
      throw new Error('full');
    },
    removeItem: () => undefined,
  };
  expect(() => writePlaces(full, 'a', { day: { x: 1, y: 2 } })).not.toThrow();
});
