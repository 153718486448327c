export type Json = Readonly<Record<string, unknown>>;

/** The value, if it is an object; else null. */
export const objectOf = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;

const MOST_NAME = 200;

/** A name or an id; null: the value is none. */
export const nameOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MOST_NAME ? value : null;

/** The object in a JSON text; null: it holds none. */
export function parseObject(text: Buffer): Json | null {
  try {
    return objectOf(JSON.parse(text.toString('utf8')));
  } catch {
    return null;
  }
}
