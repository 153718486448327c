import type { PhraseTable } from '@callwright/language';
import { isShown, shownBy, wantsOf } from './kinds.ts';
import type { QuestionData } from './question-data.ts';
import { type Kind, likeness, type Term, Terms } from './terms.ts';

/** Something that the agent can say, with the words under which it is found. */
export interface Fact {
  /** The question, heading or label over it; empty for none. */
  readonly topic: string;
  /** The sentences that are searched. */
  readonly text: string;
  readonly answer: string;
  /** The sentence before it. */
  readonly near?: string;
}

export interface Entry {
  readonly fact: Fact;
  readonly topic: readonly Term[];
  readonly terms: readonly Term[];
  readonly near: readonly Term[];
  /** Terms of its first words, which name its subject. */
  readonly head: readonly Term[];
  readonly shows: ReadonlyMap<Kind, number>;
}

/** What questions are searched in. */
export interface Library {
  readonly entries: readonly Entry[];
  /** Terms of the first message and the purpose: what the whole call is about tells little. */
  readonly subject: readonly Term[];
}

/** Share of the question's weight that an answer must hold. */
const LEAST = 0.6;
/** Weight of what the question asks for, beside that of its words. */
const KIND = 1.6;
/** Factor of the weight of a word that the whole call is about. */
const SUBJECT = 0.25;
const HEAD_WORDS = 4;
/** A light word that may decide between facts: a verb such as "come", and no auxiliary. */
const VERB =
  /^(?!woul|coul|shoul|what|when|wher|which|time|have|will|does|that|this|with|from|your|there)\p{L}{3,}$/u;
/** Factor of an answer that does not name what the question asks for. */
const WITHOUT_KIND = 0.55;

/** Between the parts of a line, each of which may be the question. */
const CLAUSE = /[,.;!?，。！？]|(?:^|\s)(?:and|but|because|so)\s/iu;

const languages = new WeakMap<QuestionData, Terms>();
function termsIn(data: QuestionData): Terms {
  const known = languages.get(data) ?? new Terms(data);
  languages.set(data, known);
  return known;
}

/** Reads facts once, so that many questions can be searched in them. */
export function entriesOf(facts: readonly Fact[], table: PhraseTable, data: QuestionData): Entry[] {
  const terms = termsIn(data);
  return facts.map((fact) => {
    const shows = new Map(shownBy(fact.answer, data, table));
    for (const kind of wantsOf(fact.topic, data).wants) shows.set(kind, (shows.get(kind) ?? 0) + 1);
    return {
      fact,
      topic: terms.of(fact.topic, { whole: true }),
      terms: terms.of(`${fact.topic}. ${fact.text}`, { whole: true }),
      near: terms.of(fact.near ?? '', { whole: true }),
      head: terms.of(fact.text.split(/\s+/u).slice(0, HEAD_WORDS).join(' ')),
      shows,
    };
  });
}

export const subjectOf = (text: string, data: QuestionData): Term[] =>
  termsIn(data)
    .of(text)
    .filter(({ isLight }) => !isLight);

/**
 * The answer to a question: the fact that holds most of the weight of its words, where rare words weigh most, and that names
 * what the question asks for. Null below the threshold, because a wrong fact is worse than none.
 */
export function findAnswer(question: string, library: Library, data: QuestionData): string | null {
  const parts = question.split(CLAUSE).filter((part) => part.trim() !== '');
  const found = [question, ...(parts.length > 1 ? parts : [])].map((part) => bestOf(part, library, data));
  return (
    found.reduce((best, one) => ((one?.score ?? 0) > (best?.score ?? 0) ? one : best), null)?.answer ?? null
  );
}

interface Found {
  readonly score: number;
  readonly answer: string;
}

function bestOf(question: string, library: Library, data: QuestionData): Found | null {
  const { wants, rest } = wantsOf(question, data);
  const terms = termsIn(data).of(rest);
  const asked = tellingOf(terms, wants);
  if (asked.length === 0) return wants.length === 0 ? null : clearest(library, wants, terms);
  const isSubject = asked.map((term) => closeness(term, library.subject) > 0);
  const weights = asked.map(
    (term, at) => rarity(term, library.entries) * (isSubject[at] === true ? SUBJECT : 1),
  );
  const all = sum(weights) + wants.length * KIND;
  let best: Found | null = null;
  for (const entry of library.entries) {
    const matches = asked.map((term) =>
      Math.max(closeness(term, entry.terms), closeness(term, entry.near) / 2),
    );
    const isAbout = wants.length > 0 && isSubject.every(Boolean);
    if (!isAbout && matches.every((match) => match < 0.9)) continue;
    const missing = wants.filter((kind) => !isShown(entry.shows, kind)).length;
    const held = sum(matches.map((match, at) => match * (weights[at] ?? 0)));
    const share = (held + (wants.length - missing) * KIND) / all;
    const score = share * (missing > 0 ? WITHOUT_KIND : 1);
    if (score < LEAST) continue;
    const ranked = score + fit(entry, asked, wants);
    if (best === null || ranked > best.score) best = { score: ranked, answer: entry.fact.answer };
  }
  return best;
}

/** The words that tell what is asked; "how long does it take" has only its verb. */
function tellingOf(terms: readonly Term[], wants: readonly Kind[]): readonly Term[] {
  const telling = terms.filter(({ isLight }) => !isLight);
  return telling.length > 0 || wants.length === 0 ? telling : terms.filter(({ groups }) => groups.length > 0);
}

/** How much a fact is about the words and nothing else: decides between facts that hold the same words. */
function fit({ topic, head, terms, shows }: Entry, asked: readonly Term[], wants: readonly Kind[]): number {
  const shareIn = (list: readonly Term[]): number =>
    asked.filter((term) => closeness(term, list) > 0).length / asked.length;
  const focus = asked.length / Math.max(1, terms.filter(({ isLight }) => !isLight).length);
  const evidence = sum(wants.map((kind) => Math.min(3, shows.get(kind) ?? 0)));
  return 0.15 * shareIn(topic) + 0.08 * shareIn(head) + 0.1 * Math.min(1, focus) + 0.05 * evidence;
}

/** What a question asks for: a price, a time or the like. */
export const wantedKinds = (question: string, data: QuestionData): readonly Kind[] =>
  wantsOf(question, data).wants;

/** Whether a question asks for a price, a time or the like without saying of what ("how much is it?"). */
export function isVague(question: string, data: QuestionData): boolean {
  const { wants, rest } = wantsOf(question, data);
  return (
    wants.length > 0 &&
    termsIn(data)
      .of(rest)
      .every(({ isLight }) => isLight)
  );
}

/** A question with the words that mean the same, for a search by words. */
export const widened = (question: string, data: QuestionData): string =>
  [question, ...termsIn(data).alikeTo(question)].join(' ');

/** "How much is it?": answered when one fact names a price, or names it most clearly. */
function clearest(
  { entries, subject }: Library,
  wants: readonly Kind[],
  light: readonly Term[],
): Found | null {
  const ranked = entries
    .filter(({ shows }) => wants.every((kind) => shows.has(kind)))
    .map(({ fact, terms, shows }) => ({
      answer: fact.answer,
      count:
        sum(wants.map((kind) => shows.get(kind) ?? 0)) +
        subject.filter((term) => closeness(term, terms) > 0).length / 10 +
        light.filter((term) => VERB.test(term.stem) && closeness(term, terms) === 1).length / 2,
    }))
    .toSorted((a, b) => b.count - a.count);
  const [first] = ranked;
  const second = ranked.find(({ answer }) => bare(answer) !== bare(first?.answer ?? ''));
  if (first === undefined || (second !== undefined && second.count === first.count)) return null;
  return { score: LEAST, answer: first.answer };
}

/** The same statement may stand twice in a prompt: of "your" and of "the" bill. */
const bare = (answer: string): string => answer.toLowerCase().replace(/^(?:your|the|our)\s+/, '');

const closeness = (term: Term, terms: readonly Term[]): number =>
  terms.reduce((best, other) => (best === 1 ? best : Math.max(best, likeness(term, other))), 0);

/** The weight of a word: the more facts hold it, the less it tells; one that no fact holds weighs most. */
function rarity(term: Term, entries: readonly Entry[]): number {
  const holding = entries.filter(({ terms }) => closeness(term, terms) > 0).length;
  return Math.log((entries.length + 2) / (holding + 0.5));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
