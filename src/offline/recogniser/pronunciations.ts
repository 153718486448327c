/** Most pronunciations used for one word. */
const MOST_FORMS = 3;

/**
 * Pronunciations by word from the CMU dictionary, else by letter rules. `dictionary` is the file's text: lines
 * `word PH ON ES`, further forms as `word(2) …`. It is searched instead of parsed to save memory.
 */
export function pronunciations(dictionary: string): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const text = `\n${dictionary}`;
  const formsOf = (word: string): string[] => {
    const forms: string[] = [];
    // Further forms follow the first one, mixed with other words of the same prefix.
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

/**
 * Letter-to-phone rules for words that the CMU dictionary lacks (names, products). They are rough, which suffices for a
 * closed grammar, where a word only has to differ from the others.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^tch/, 'CH'],
  [/^sch/, 'S K'],
  [/^igh/, 'AY'],
  [/^eigh/, 'EY'],
  [/^ough/, 'AO'],
  [/^augh/, 'AO'],
  [/^tion/, 'SH AH N'],
  [/^sion/, 'ZH AH N'],
  [/^cious/, 'SH AH S'],
  [/^ture$/, 'CH ER'],
  [/^qu/, 'K W'],
  [/^ck/, 'K'],
  [/^ch/, 'CH'],
  [/^sh/, 'SH'],
  [/^th/, 'TH'],
  [/^ph/, 'F'],
  [/^wh/, 'W'],
  [/^gh/, 'G'],
  [/^kn/, 'N'],
  [/^wr/, 'R'],
  [/^ng$/, 'NG'],
  [/^ng(?=[^aeiouy])/, 'NG'],
  [/^dge?/, 'JH'],
  [/^oo/, 'UW'],
  [/^ee/, 'IY'],
  [/^ea/, 'IY'],
  [/^aa/, 'AA'],
  [/^ai|^ay/, 'EY'],
  [/^au|^aw/, 'AO'],
  [/^ei|^ey/, 'EY'],
  [/^ie/, 'IY'],
  [/^oa/, 'OW'],
  [/^oi|^oy/, 'OY'],
  [/^ou|^ow/, 'AW'],
  [/^ue|^ew|^ui/, 'UW'],
  [/^ar/, 'AA R'],
  [/^(?:er|ir|ur)/, 'ER'],
  [/^or/, 'AO R'],
  [/^a(?=[^aeiouy]e$)/, 'EY'],
  [/^i(?=[^aeiouy]e$)/, 'AY'],
  [/^o(?=[^aeiouy]e$)/, 'OW'],
  [/^u(?=[^aeiouy]e$)/, 'UW'],
  [/^a$/, 'AH'],
  [/^a/, 'AE'],
  [/^e$/, ''],
  [/^e/, 'EH'],
  [/^i$/, 'IY'],
  [/^i/, 'IH'],
  [/^o$/, 'OW'],
  [/^o/, 'AA'],
  [/^u$/, 'UW'],
  [/^u/, 'AH'],
  [/^y$/, 'IY'],
  [/^y(?=[aeiou])/, 'Y'],
  [/^y/, 'IH'],
  [/^bb?/, 'B'],
  [/^c(?=[eiy])/, 'S'],
  [/^cc?/, 'K'],
  [/^dd?/, 'D'],
  [/^ff?/, 'F'],
  [/^g(?=[eiy])/, 'JH'],
  [/^gg?/, 'G'],
  [/^h/, 'HH'],
  [/^j/, 'JH'],
  [/^kk?/, 'K'],
  [/^ll?/, 'L'],
  [/^mm?/, 'M'],
  [/^nn?/, 'N'],
  [/^pp?/, 'P'],
  [/^q/, 'K'],
  [/^rr?/, 'R'],
  [/^ss?/, 'S'],
  [/^tt?/, 'T'],
  [/^v/, 'V'],
  [/^w/, 'W'],
  [/^x/, 'K S'],
  [/^zz?/, 'Z'],
];

/** The word's phones, separated by spaces; empty when no letter sounds. */
export function letterSounds(word: string): string {
  const phones: string[] = [];
  let rest = word
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, 40);
  while (rest !== '') {
    const left = rest;
    const rule = RULES.find(([pattern]) => pattern.test(left));
    const length = rule === undefined ? 1 : (rule[0].exec(left)?.[0].length ?? 1);
    if (rule !== undefined && rule[1] !== '') phones.push(rule[1]);
    rest = left.slice(Math.max(1, length));
  }
  return phones.join(' ');
}
