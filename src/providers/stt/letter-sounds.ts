/**
 * English spelling to the phones of the CMU dictionary for words it does not hold (names, products). A rough
 * set of letter rules: enough for a closed grammar, where the word only has to differ from the others.
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

/** Phones separated by spaces; empty when the word has no letters that sound. */
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
