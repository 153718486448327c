import { expectedOfLine } from '@callwright/language';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const ANSWERS = setOf(
  'yes yeah yep yup yah ya no nope nah sure absolutely definitely certainly correct right indeed well okay ok oh haan ji nahi',
);
const SUBJECTS = setOf('i you he she it we they that this there');
const VERBS = setOf('am is are was were do does did can could will would should have has had must may might');
const NEGATED = setOf(
  'dont doesnt didnt cant couldnt wont wouldnt shouldnt havent hasnt hadnt isnt arent wasnt werent cannot not',
);
const CONTRACTED = setOf('im id hes shes its were theyre thats ill weve ive');
const WISHES = setOf('like love want need have going');
const OPINIONS = setOf('think guess hope suppose believe');

/**
 * Whole English answers that end in a verb or particle: "yes it is", "yes I am", "no I did not", "I think so", and "I am"
 * after a question of yes or no. `question`: the agent's last line.
 */
export function isShortStatement(words: readonly string[], question: string): boolean {
  const [last = '', before = ''] = [words.at(-1), words.at(-2)];
  if (last === 'so' && (OPINIONS.has(before) || before === 'not')) return true;
  const start = words.findIndex((word) => !ANSWERS.has(word));
  if (start < 0) return false;
  const statement = words.slice(start);
  const [subject = '', verb = '', ...more] = statement;
  if (!SUBJECTS.has(subject) && !CONTRACTED.has(subject)) return false;
  const isPlain = statement.length === 2 && SUBJECTS.has(subject) && VERBS.has(verb);
  if (start === 0) return isPlain && asksYesOrNo(question);
  const isNegated = NEGATED.has(last) && statement.length <= 3 && (more.length === 0 || VERBS.has(verb));
  const wants = last === 'to' && statement.length <= 4 && WISHES.has(before);
  return isPlain || isNegated || wants;
}

const asksYesOrNo = (question: string): boolean =>
  expectedOfLine(question, 'en-US')?.kinds.includes('yes_no') === true;
