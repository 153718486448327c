/** Stands for sensitive keys of the caller in transcripts; it does not reveal how many there were. */
export const HIDDEN_KEYS = '[keys hidden]';

/** Stands for the call's nth entry of sensitive keys in what a model reads and passes to a tool. */
export const hiddenKeys = (entry: number): string => `[keys hidden ${entry}]`;

const MARKER = /^\[keys hidden(?: (\d{1,4}))?\]$/;

/** The entry that a text stands for, 0 for the latest; null: the text is no marker. */
export function hiddenEntry(text: string): number | null {
  const found = MARKER.exec(text.trim());
  return found === null ? null : Number(found[1] ?? 0);
}
