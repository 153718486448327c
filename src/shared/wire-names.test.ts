import * as fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { mapOf, nullable } from './schema-parts.ts';
import { wireInput } from './wire-input.ts';
import { each, ownName, wireDocument, wireName, type Described } from './wire-names.ts';

interface Door {
  readonly keyCount: number;
  readonly colour?: string;
}
interface House {
  readonly streetName: string;
  readonly doors: readonly Door[];
  readonly frontDoor: Door | null;
  readonly notes: Record<string, string>;
  readonly rooms: Record<string, Door>;
}
const DOOR: Described<Door> = { keyCount: true };
const house = wireDocument<House>({ streetName: true, doors: DOOR, frontDoor: DOOR, rooms: each(DOOR) });

const stored = {
  street_name: 'High',
  doors: [{ key_count: 2, colour: 'red' }],
  front_door: { key_count: 1 },
  notes: { by_post: 'no', byPhone: 'yes' },
  rooms: { back_room: { key_count: 0 } },
};
const read: House = {
  streetName: 'High',
  doors: [{ keyCount: 2, colour: 'red' }],
  frontDoor: { keyCount: 1 },
  notes: { by_post: 'no', byPhone: 'yes' },
  rooms: { back_room: { keyCount: 0 } },
};

describe('a document under wire names', () => {
  it('gets the names of its fields, in lists and maps too, and keeps the keys of maps', () => {
    expect(house.read(stored)).toEqual(read);
    expect(house.write(read)).toEqual(stored);
    expect(house.text(read)).toBe(JSON.stringify(stored));
  });

  it('keeps null and undefined', () => {
    expect([house.read(null), house.read(undefined), house.write(null)]).toEqual([null, undefined, null]);
  });

  it('is read in a column of rows in place', () => {
    const rows = [
      { id: 1, at: stored },
      { id: 2, at: null },
    ];
    expect(house.readIn(rows, 'at')).toBe(rows);
    expect(rows).toEqual([
      { id: 1, at: read },
      { id: 2, at: null },
    ]);
  });

  it('is written as it was read, with keys of other versions and in the same order', () => {
    const key = fc.stringMatching(/^[a-z]{1,4}(_[a-z]{1,4})?$/);
    const old = fc.dictionary(key, fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(old, old, fc.boolean(), (outside, inside, isFirst) => {
        const known = { ...stored, doors: [{ ...inside, key_count: 1 }] };
        const wire = isFirst ? { ...outside, ...known } : { ...known, ...outside };
        expect(house.text(house.read(wire as never))).toBe(JSON.stringify(wire));
      }),
    );
  });
});

describe('a body that fits a schema', () => {
  const Body = Type.Object({
    street_name: Type.Optional(Type.String()),
    front_door: nullable(Type.Object({ key_count: Type.Integer() })),
    notes: mapOf(Type.String()),
    rooms: mapOf(Type.Object({ key_count: Type.Integer() })),
  });
  const toHouse = wireInput(Body);

  it('gets the own names of the fields that the schema names', () => {
    expect(
      toHouse({
        street_name: 'High',
        front_door: { key_count: 1 },
        notes: { by_post: 'no' },
        rooms: { back_room: { key_count: 0 } },
      }),
    ).toEqual({
      streetName: 'High',
      frontDoor: { keyCount: 1 },
      notes: { by_post: 'no' },
      rooms: { back_room: { keyCount: 0 } },
    });
  });

  it('cannot pass a field by its own name, which no schema has checked', () => {
    const sent = { front_door: null, notes: {}, rooms: { a: { key_count: 1, keyCount: 9 } }, streetName: {} };
    expect(toHouse(sent as never)).toEqual({ frontDoor: null, notes: {}, rooms: { a: { keyCount: 1 } } });
  });
});

it('has one wire name for each own name, and back', () => {
  const names = ['voiceId', 's2sModel', 'llm', 'useCalleeTimezone', 'editS2s'];
  expect(names.map(wireName)).toEqual(['voice_id', 's2s_model', 'llm', 'use_callee_timezone', 'edit_s2s']);
  expect(names.map(wireName).map(ownName)).toEqual(names);
});
