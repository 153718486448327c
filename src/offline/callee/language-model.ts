/** Limit of sentences per pattern; a pattern above it is a mistake. */
const MAX_SENTENCES = 20_000;

/** Expands a pattern to its sentences: `(a | b)` is a choice, `[a | b]` an optional one. Throws on unbalanced brackets. */
export function sentencesOf(pattern: string): string[] {
  let at = 0;
  const choice = (end: string): string[] => {
    const all: string[] = [];
    let open = [''];
    for (;;) {
      const char = pattern[at++];
      if (char === end) return [...all, ...open];
      if (char === undefined || char === ')' || char === ']')
        throw new Error(`unbalanced brackets in: ${pattern}`);
      if (char === '|') {
        all.push(...open);
        open = [''];
      } else if (char === '(' || char === '[') {
        const inner = choice(char === '(' ? ')' : ']');
        if (char === '[') inner.push('');
        open = open.flatMap((left) => inner.map((right) => left + right));
        if (open.length > MAX_SENTENCES) throw new Error(`too many sentences in: ${pattern}`);
      } else open = open.map((left) => left + char);
    }
  };
  pattern += '\n';
  return choice('\n').map((sentence) => sentence.trim().replace(/ +/g, ' '));
}

/** Probability mass of background words, and probability that a new sentence follows an ended one. */
const OTHER_MASS = 0.3;
const GOES_ON = 0.6;
/** Weight of sentence starts in the unigrams. */
const BEGINS = 0.4;
/** Lower bound of a sentence's weight: patterns with many sentences weigh more, but not in proportion. */
const LEAST_WEIGHT = 0.02;

type Row = Map<string, number>;

/**
 * A trigram model in ARPA format of the sentences of `patterns`, with `others` as background words. Witten-Bell
 * smoothing gives unseen continuations to shorter histories.
 */
export function languageModel(
  patterns: readonly string[],
  others: readonly string[],
): { arpa: string; words: readonly string[] } {
  const { words, pairs, triples } = counted(patterns);
  const starts = pairs.get('<s>') ?? new Map<string, number>();
  for (const [history, row] of [...pairs, ...triples]) if (history !== '<s>') goOn(row, starts);

  const vocabulary = new Set([...words.keys(), ...others]);
  vocabulary.delete('</s>');
  const [wordTotal, startTotal] = [total(words), total(starts)];
  const single: Row = new Map([['</s>', (0.5 * (words.get('</s>') ?? 0)) / wordTotal]]);
  for (const word of vocabulary) {
    const inside = (words.get(word) ?? 0) / wordTotal;
    const first = (starts.get(word) ?? 0) / startTotal;
    const known = (1 - BEGINS) * inside + BEGINS * first;
    single.set(word, (1 - OTHER_MASS) * known + OTHER_MASS / vocabulary.size);
  }
  const one = (word: string): number => single.get(word) ?? 0;
  const second = smoothed(pairs, () => one);
  const two = (history: string, word: string): number => {
    const row = second.get(history);
    return row?.known.get(word) ?? (row?.rest ?? 1) * one(word);
  };
  const third = smoothed(triples, (history) => {
    const last = history.slice(history.indexOf(' ') + 1);
    return (word) => two(last, word);
  });

  const rest = (row: { rest: number } | undefined): string => log10(row?.rest ?? 1);
  const singles = [...single].map(([word, p]) =>
    word === '</s>' ? `${log10(p)} ${word}` : `${log10(p)} ${word} ${rest(second.get(word))}`,
  );
  const doubles = [...second].flatMap(([history, { known }]) =>
    [...known].map(([word, p]) => `${log10(p)} ${history} ${word} ${rest(third.get(`${history} ${word}`))}`),
  );
  const threes = [...third].flatMap(([history, { known }]) =>
    [...known].map(([word, p]) => `${log10(p)} ${history} ${word}`),
  );
  const grams = [[`-99 <s> ${rest(second.get('<s>'))}`, ...singles], doubles, threes];
  const sizes = grams.map((lines, n) => `ngram ${n + 1}=${lines.length}`).join('\n');
  const lists = grams.map((lines, n) => `\\${n + 1}-grams:\n${lines.join('\n')}\n`).join('\n');
  return { arpa: `\\data\\\n${sizes}\n\n${lists}\n\\end\\\n`, words: [...vocabulary] };
}

function counted(patterns: readonly string[]): {
  words: Row;
  pairs: Map<string, Row>;
  triples: Map<string, Row>;
} {
  const words: Row = new Map();
  const pairs = new Map<string, Row>();
  const triples = new Map<string, Row>();
  for (const pattern of patterns) {
    const sentences = sentencesOf(pattern);
    const weight = Math.max(1 / sentences.length, LEAST_WEIGHT) * (1 + Math.log(sentences.length));
    for (const sentence of sentences) {
      const said = ['<s>', ...sentence.split(' '), '</s>'];
      for (let i = 1; i < said.length; i++) {
        const [before, last, word] = [said[i - 2], said[i - 1] ?? '', said[i] ?? ''];
        add(words, word, weight);
        add(rowOf(pairs, last), word, weight);
        if (before !== undefined) add(rowOf(triples, `${before} ${last}`), word, weight);
      }
    }
  }
  return { words, pairs, triples };
}

/** Where a sentence can end, the next one can start. */
function goOn(row: Row, starts: Row): void {
  const ends = row.get('</s>');
  if (ends === undefined) return;
  const all = total(starts);
  for (const [word, weight] of starts) add(row, word, (GOES_ON * ends * weight) / all);
}

/** Probabilities of each row's words, and the backoff factor for words of the shorter history. */
function smoothed(
  rows: ReadonlyMap<string, Row>,
  shorter: (history: string) => (word: string) => number,
): Map<string, { known: Row; rest: number }> {
  const out = new Map<string, { known: Row; rest: number }>();
  for (const [history, row] of rows) {
    const lower = shorter(history);
    const all = total(row);
    const unseen = row.size / (row.size + all);
    const known: Row = new Map();
    let covered = 0;
    for (const [word, weight] of row) {
      known.set(word, ((1 - unseen) * weight) / all + unseen * lower(word));
      covered += lower(word);
    }
    out.set(history, { known, rest: Math.max(1e-6, 1 - total(known)) / Math.max(1e-6, 1 - covered) });
  }
  return out;
}

const rowOf = (rows: Map<string, Row>, history: string): Row => {
  const row = rows.get(history) ?? new Map<string, number>();
  rows.set(history, row);
  return row;
};
const add = (row: Row, word: string, weight: number): void =>
  void row.set(word, (row.get(word) ?? 0) + weight);
const total = (row: Row): number => [...row.values()].reduce((sum, weight) => sum + weight, 0);
const log10 = (p: number): string => Math.log10(Math.max(p, 1e-9)).toFixed(4);
