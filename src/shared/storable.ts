/** Matches a JSON escape; the escapes of NUL and of unpaired surrogates are matched completely. */
const ESCAPE = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;
const UNSTORABLE = /^\\u(?:0000|d)/;

/** JSON text of the value, with U+FFFD in place of NUL and unpaired surrogates, which PostgreSQL cannot store. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\u')) return text;
  return text.replaceAll(ESCAPE, (escape) => (UNSTORABLE.test(escape) ? '\ufffd' : escape));
}

/** The same for a JSON value. */
export const storable = <T>(value: T): T => JSON.parse(storableJson(value)) as T;
