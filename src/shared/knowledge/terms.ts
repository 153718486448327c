/** Search terms for every script that agents speak. Calls and the database use the same terms. */
const MAX_TERM = 48;
const STOP = new Set(
  'a an the is are was were be been do does did can could will would should shall have has had i you your my me we our us it its this that these those of for to in on at by with from and or if so as about please tell know want like need get also just there any some what which when where who whom how why much many long often until not no'.split(
    ' ',
  ),
);
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const STRETCH =
  /[\p{Script=Han}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}\p{M}]+|[^\p{Script=Han}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The terms of a text in order: stemmed words, or character bigrams in scripts without spaces. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of plain(text).replaceAll(/['’]/g, '').matchAll(RUN)) {
    if (!UNSPACED.test(run)) terms.push(stem(run.slice(0, MAX_TERM)));
    else for (const [stretch] of run.matchAll(STRETCH)) terms.push(...pairsOf(stretch));
  }
  return terms;
}

/** The distinct query terms of a question, without stop words unless it has no other words. */
export function questionTerms(question: string): string[] {
  const all = [...new Set(termsOf(question))];
  const telling = all.filter((term) => !STOP.has(term));
  return (telling.length > 0 ? telling : all).slice(0, 40);
}

/** The normal form in which questions are compared: words only. */
export const normalQuestion = (text: string): string =>
  [...plain(text).replaceAll(/['’]/g, '').matchAll(RUN)].map(([run]) => run).join(' ');

function pairsOf(stretch: string): string[] {
  if (!UNSPACED.test(stretch)) return [stem(stretch.slice(0, MAX_TERM))];
  const characters = Array.from(stretch);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

const ENDINGS = [/ings?$/, /ed$/, /es$/, /s$/];

/** Stems English plurals ("timings", "policies"); other scripts are unchanged. */
function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || STOP.has(word)) return word;
  const single = word.replace(/ies$/, 'y');
  const base = ENDINGS.map((ending) => single.replace(ending, '')).find(
    (cut) => cut.length >= 3 && cut !== single,
  );
  const found = base ?? single;
  return found.length > 3 ? found.replace(/e$/, '') : found;
}
