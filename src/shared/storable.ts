/** An escape of JSON text; those of a NUL and of a surrogate without its other half whole. */
const ESCAPE = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;
const UNSTORABLE = /^\\u(?:0000|d)/;

/** JSON text of the value, with U+FFFD for what a database does not keep: NUL and unpaired surrogates. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\u')) return text;
  return text.replaceAll(ESCAPE, (escape) => (UNSTORABLE.test(escape) ? '\ufffd' : escape));
}

/** The same of a JSON value. */
export const storable = <T>(value: T): T => JSON.parse(storableJson(value)) as T;
