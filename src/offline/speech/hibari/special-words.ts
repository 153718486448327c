import { SIGNS, partOf, type Following, type Lexicon } from './lexicon.ts';
import { PRIMARY, SECONDARY, type Stress } from './phonemes.ts';

const IN_ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['.', 'dot'],
  ['/', 'slash'],
]);

/** Words whose sound depends on what follows, initials and signs; undefined: the word is none of these. */
export function specialSound(
  lexicon: Lexicon,
  word: string,
  {
    tag,
    stress,
    following,
  }: { readonly tag: string; readonly stress: Stress; readonly following: Following },
): string | null | undefined {
  const inAddress = tag === 'ADD' ? IN_ADDRESSES.get(word) : undefined;
  if (inAddress !== undefined) return lexicon.lookup(inAddress, null, -0.5, following);
  const sign = SIGNS.get(word);
  if (sign !== undefined) return lexicon.lookup(sign, null, null, following);
  if (isInitials(word)) return lexicon.spelled(word);
  const isNoun = tag.startsWith('NN');
  switch (word) {
    case 'a':
    case 'A':
      return tag === 'DT' ? 'ɐ' : 'ˈA';
    case 'am':
    case 'Am':
    case 'AM': {
      if (isNoun) return lexicon.spelled(word);
      const isFull = following.vowel === null || word !== 'am' || (stress !== null && stress > 0);
      return isFull ? text(lexicon.gold('am')) : 'ɐm';
    }
    case 'an':
    case 'An':
    case 'AN':
      return word === 'AN' && isNoun ? lexicon.spelled(word) : 'ɐn';
    case 'I':
      return tag === 'PRP' ? `${SECONDARY}I` : undefined;
    case 'by':
    case 'By':
    case 'BY':
      return partOf(tag) === 'ADV' ? 'bˈI' : undefined;
    case 'to':
    case 'To':
    case 'TO':
      if (word === 'TO' && tag !== 'TO' && tag !== 'IN') return undefined;
      return following.vowel === null ? text(lexicon.gold('to')) : following.vowel ? 'tʊ' : 'tə';
    case 'in':
    case 'In':
    case 'IN':
      if (word === 'IN' && tag === 'NNP') return undefined;
      return `${following.vowel === null || tag !== 'IN' ? PRIMARY : ''}ɪn`;
    case 'the':
    case 'The':
    case 'THE':
      if (word === 'THE' && tag !== 'DT') return undefined;
      return following.vowel === true ? 'ði' : 'ðə';
    case 'used':
    case 'Used':
    case 'USED': {
      const entry = lexicon.gold('used');
      if (entry === null || typeof entry === 'string') return entry ?? undefined;
      const isHabit = (tag === 'VBD' || tag === 'JJ') && following.isTo;
      return (isHabit ? entry['VBD'] : entry['DEFAULT']) ?? undefined;
    }
    default:
      return tag === 'IN' && /^vs\.?$/i.test(word)
        ? lexicon.lookup('versus', null, null, following)
        : undefined;
  }
}

/** Dots between letters: "U.S.", "p.m." */
function isInitials(word: string): boolean {
  const isDotted = word
    .replace(/^\.+/, '')
    .replace(/(?<!\.)\.+$/, '')
    .includes('.');
  return (
    isDotted && /^\p{L}+$/u.test(word.replaceAll('.', '')) && word.split('.').every((part) => part.length < 3)
  );
}

const text = (entry: ReturnType<Lexicon['gold']>): string | null =>
  typeof entry === 'string' ? entry : null;
