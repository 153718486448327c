/** A question of a caller, and words of which the answer has one. */
export interface Fact {
  readonly question: string;
  readonly said: readonly string[];
}

const MOST_FACTS = 30;
const DIGITS = /\d{1,12}(?:[.,:]\d{1,3}){0,3}/g;
const clean = (text: string): string => text.trim().replace(/^(?:the|our|a|an)\s+/i, '');

/** What the statements of a prompt say of prices, hours, places and times; the question is that of a caller. English. */
const STATED: readonly {
  readonly pattern: RegExp;
  readonly ask: (thing: string) => string;
}[] = [
  {
    pattern: /^(?:[-*•]\s*)?([\w' -]{2,40}?) (?:costs?|is priced at) ((?:\w+ )?[^.,;]{2,30}?)(?:[.,;]|$)/i,
    ask: (thing) => `How much does the ${clean(thing).toLowerCase()} cost?`,
  },
  {
    pattern: /\b(we) (?:are|'re) open (?:from )?([^.,;]{4,40}?)(?:[.,;]|$)/i,
    ask: () => 'When are you open?',
  },
  {
    pattern: /\b([\w' ]{2,30}?) (?:is|are) (?:located |situated )?at (\d[^.,;]{4,40}?)(?:[.,;]|$)/i,
    ask: () => 'Where are you located?',
  },
  {
    pattern:
      /^(?:[-*•]\s*)?([\w' -]{2,40}?) takes? (?:about |around )?((?:\w+ ){1,3}(?:minutes?|hours?|days?|weeks?))\b/i,
    ask: (thing) => `How long does the ${clean(thing).toLowerCase()} take?`,
  },
];

/** Facts of which callers may ask: questions with their answers, and statements that rules turn into questions. */
export function factsOf(contents: {
  readonly facts: readonly { readonly question: string; readonly answer: string }[];
  readonly statements: readonly string[];
}): Fact[] {
  const asked = contents.facts.map(({ question, answer }) => ({ question, said: tellingWords(answer) }));
  const stated = contents.statements.flatMap((statement): Fact[] => {
    for (const { pattern, ask } of STATED) {
      const match = pattern.exec(statement.slice(0, 300));
      const [, thing = '', value = ''] = match ?? [];
      if (match !== null) return [{ question: ask(thing), said: [value.trim(), ...figures(value)] }];
    }
    return [];
  });
  const known = new Set<string>();
  return [...asked, ...stated]
    .filter(({ question, said }) => {
      const isNew = !known.has(question) && said.length > 0;
      known.add(question);
      return isNew;
    })
    .slice(0, MOST_FACTS);
}

const figures = (text: string): string[] => text.match(DIGITS) ?? [];

/** Its figures, or the words of its first sentence: of both, what an answer cannot leave out. */
function tellingWords(answer: string): string[] {
  const numbers = figures(answer);
  if (numbers.length > 0) return numbers;
  const first = answer.split(/(?<=[.!?؟。])\s/u)[0]?.trim() ?? '';
  return first === '' ? [] : [first.slice(0, 200)];
}
