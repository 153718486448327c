import { fill, t } from '../../words/words.ts';
import { DEEDS } from './deeds.ts';
import { OBJECT_FIELDS, type ObjectKind } from './object-names.ts';

/** An object that a sentence names: its kind, its field in the entry and its id. */
export interface Named {
  readonly kind: ObjectKind;
  readonly field: string;
  readonly id: string;
}

const isKind = (name: string): name is ObjectKind => Object.hasOwn(OBJECT_FIELDS, name);
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value);

/** The kind of object that the sentence of an action names; null: none. */
const kindOf = (action: string): ObjectKind | null => {
  const [, name = ''] = /\{(\w+)\}/.exec(DEEDS[action] ?? '') ?? [];
  return isKind(name) ? name : null;
};

/** The object that the sentence of an entry names; null where the sentence names none, or the entry has none. */
export function namedObject(entry: {
  readonly action: string;
  readonly objects: Readonly<Record<string, unknown>>;
}): Named | null {
  const kind = kindOf(entry.action);
  if (kind === null) return null;
  for (const field of OBJECT_FIELDS[kind]) {
    const id = entry.objects[field];
    if (isId(id)) return { kind, field, id };
  }
  return null;
}

/** What an action is, without an object: “Published the assistant”. One that has no sentence stays as it is. */
export function deedOf(action: string): string {
  const kind = kindOf(action);
  const text = t(DEEDS[action] ?? action);
  return kind === null
    ? text
    : fill(text, { [kind]: '' })
        .replaceAll(/\s+/g, ' ')
        .replace(/ (?=[;,])/, '')
        .trim();
}

/** An id in short. */
export const shortId = (id: string): string => `…${id.slice(-6)}`;
