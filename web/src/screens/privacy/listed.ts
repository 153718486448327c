/** The entries of a text that has one on a line, or several between commas. */
export const listed = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
