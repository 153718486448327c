import { letterSounds } from './letter-sounds.ts';

/** Most spoken forms taken of one word. */
const MOST_FORMS = 3;

/**
 * Pronunciations by word: the CMU dictionary's, else by letter rules. `dictionary` is the file's text, lines
 * `word PH ON ES` with further forms as `word(2) …`; it is searched, not parsed, to keep it small in memory.
 */
export function pronunciations(dictionary: string): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const text = `\n${dictionary}`;
  const formsOf = (word: string): string[] => {
    const forms: string[] = [];
    // Further forms stand on the lines after the first one, with other words that begin alike between.
    let at = text.indexOf(`\n${word} `) + 1;
    while (at > 0 && forms.length < MOST_FORMS) {
      const end = text.indexOf('\n', at);
      const line = text.slice(at, end < 0 ? undefined : end);
      const space = line.indexOf(' ');
      if (!line.startsWith(word)) break;
      if (line.slice(0, space).replace(/\(\d+\)$/, '') === word) forms.push(line.slice(space + 1).trim());
      at = end + 1;
    }
    return forms;
  };
  return (word) => {
    const cached = known.get(word);
    if (cached !== undefined) return cached;
    const forms = formsOf(word);
    const guess = forms.length === 0 ? letterSounds(word) : '';
    if (guess !== '') forms.push(guess);
    known.set(word, forms);
    return forms;
  };
}
