import type { Said } from '../said.ts';
import { UNSPACED } from '../words.ts';
import { ENGLISH_OPEN_ENDINGS, openEndingsOf } from './open-endings.ts';

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(','));

/** Words that make a question of what came before them, or ask whether the other side listens: more may follow. */
const TAGS = setOf('right,okay,ok,yeah,yes,no,huh,hello,ना,न,na,对,吧');
/** Questions that lead into another one: "Can you tell me … what time you open?" */
const LEADS = setOf(
  'tell me,show me,help me,let me,ask you,ask something,a question,you know,you see,you think',
);
/** A shorter question may be the beginning of a longer one: "What? … What time?" */
const LEAST_WORDS = 3;
const LEAST_SIGNS = 4;

/** Whether the words are a question to which hardly anything can be added. */
export function isWholeQuestion({ words, marks }: Said, language: string): boolean {
  const [last = '', before = ''] = [words.at(-1), words.at(-2)];
  if (!marks.asks || TAGS.has(last) || LEADS.has(`${before} ${last}`)) return false;
  if (ENGLISH_OPEN_ENDINGS.has(last) || openEndingsOf(language).has(last)) return false;
  return words.length >= LEAST_WORDS || (UNSPACED.test(last) && Array.from(last).length >= LEAST_SIGNS);
}
