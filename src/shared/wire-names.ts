/**
 * Two forms of one document: the API, stored documents and the provision file name its fields in snake_case (wire names),
 * the code in camelCase. A description lists the fields whose names differ, so everything else passes untouched: the keys
 * of maps, values, and keys that nothing describes, such as those of earlier versions.
 */

/** The wire name of a field: `voiceId` is `voice_id`. */
type WireName<K extends string> = K extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WireName<Rest>}`
  : '';

/** The own name of a wire name: `voice_id` is `voiceId`. */
export type OwnName<K extends string> = K extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<OwnName<Tail>>}`
  : K;

type Plain = string | number | boolean | bigint | null | undefined | Date;

/** T under wire names. */
export type Wire<T> = T extends Plain
  ? T
  : T extends readonly (infer E)[]
    ? Wire<E>[]
    : { [K in keyof T as string extends K ? K : K extends string ? WireName<K> : K]: Wire<T[K]> };

/** A document under wire names as the code names it. */
export type Own<T> = T extends Plain
  ? T
  : T extends readonly (infer E)[]
    ? Own<E>[]
    : { [K in keyof T as string extends K ? K : K extends string ? OwnName<K> : K]: Own<T[K]> };

/** A row whose columns `K` are still under wire names. */
export type Stored<R, K extends keyof R> = Omit<R, K> & { [P in K]: Wire<R[P]> };

const EACH = Symbol('each');
/** The description of a map's values. */
interface Each<D> {
  readonly [EACH]: D;
}
export const each = <D>(described: D): Each<D> => ({ [EACH]: described });

/** The objects that a value is, or that its lists hold. */
type Objects<T> = T extends Plain ? never : T extends readonly (infer E)[] ? Objects<E> : T;
type KeysOf<T> = T extends unknown ? keyof T & string : never;
type ValueOf<T, K extends string> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
/** True if a field in T has another wire name, else never. */
type HasNames<T> = T extends Plain
  ? never
  : T extends readonly (infer E)[]
    ? HasNames<E>
    : string extends keyof T
      ? HasNames<T[keyof T]>
      : {
          [K in keyof T]-?: K extends string ? (K extends Lowercase<K> ? HasNames<T[K]> : true) : never;
        }[keyof T];
type IsPlain<T> = [HasNames<T>] extends [never] ? true : false;

/**
 * The fields of T whose wire name differs, or which hold such fields. Lists need no mention. `true`: nothing below it
 * differs.
 */
export type Described<T> = DescribedObjects<Objects<T>>;
type DescribedObjects<O> =
  string extends KeysOf<O>
    ? IsPlain<ValueOf<O, string>> extends true
      ? object
      : Each<Described<ValueOf<O, string>>>
    : {
        readonly [
          K in KeysOf<O> as IsPlain<ValueOf<O, K>> extends true ? (K extends Lowercase<K> ? never : K) : K
        ]: IsPlain<ValueOf<O, K>> extends true
          ? true
          : Described<ValueOf<O, K>> | DescribedMap<ValueOf<O, K>>;
      };
/** Of a map whose keys the type lists. */
type DescribedMap<T> = Each<Described<ValueOf<Objects<T>, KeysOf<Objects<T>>>>>;

export interface Field {
  readonly name: string;
  readonly inside: Names | null;
}
/** What to rename in an object or in each object of a list: fields by name, and the values of all other keys. */
export interface Names {
  /** Null: the key is left out. A sender who writes a field by its own name would pass it in unchecked. */
  readonly fields: ReadonlyMap<string, Field | null>;
  readonly each: Names | null;
}

export const wireName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const ownName = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export function renamed(value: unknown, names: Names | null): unknown {
  if (names === null || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const field = names.fields.get(key);
    if (field === undefined) entries.push([key, renamed(inner, names.each)]);
    else if (field !== null) entries.push([field.name, renamed(inner, field.inside)]);
  }
  return Object.fromEntries(entries);
}

/** Fields by their wire names, for reading. */
export function fieldsOf(fields: readonly (readonly [wire: string, Field])[]): Names['fields'] {
  return new Map<string, Field | null>([...fields.map(([, { name }]) => [name, null] as const), ...fields]);
}

export interface WireDocument<T> {
  /** The document of its wire form. */
  read<V extends Wire<T> | null | undefined>(wire: V): T | Extract<V, null | undefined>;
  /** The same for a column of rows that were just read, in place. */
  readIn<R extends { [P in K]: Wire<T> | null }, K extends string>(
    rows: R[],
    column: K,
  ): (Omit<R, K> & { [P in K]: T | Extract<R[P], null> })[];
  write<V extends T | null | undefined>(value: V): Wire<V>;
  /** The JSON text that is stored. */
  text(value: T): string;
}

/** The two forms of T. */
export function wireDocument<T>(described: Described<T>): WireDocument<T> {
  const [toOwn, toWire] = [namesOf(described, false), namesOf(described, true)];
  return {
    read: (wire) => renamed(wire, toOwn) as never,
    readIn(rows, column) {
      for (const row of rows as Record<string, unknown>[]) row[column] = renamed(row[column], toOwn);
      return rows as never;
    },
    write: (value) => renamed(value, toWire) as never,
    text: (value) => JSON.stringify(renamed(value, toWire)),
  };
}

function namesOf(described: object, isToWire: boolean): Names {
  const ofEach = EACH in described ? (described[EACH] as object) : null;
  const inside = (below: true | object) => (below === true ? null : namesOf(below, isToWire));
  const fields: [string, true | object][] = Object.entries(described);
  return {
    fields: isToWire
      ? new Map(fields.map(([own, below]) => [own, { name: wireName(own), inside: inside(below) }]))
      : fieldsOf(fields.map(([own, below]) => [wireName(own), { name: own, inside: inside(below) }])),
    each: ofEach === null ? null : namesOf(ofEach, isToWire),
  };
}
