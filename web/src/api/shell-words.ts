/** What proves who sends a request: the key, as a variable of the shell. */
export const KEY_HEADER = '-H "X-API-KEY: $CALLWRIGHT_KEY"';

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
