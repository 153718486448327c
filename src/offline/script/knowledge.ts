import MiniSearch from 'minisearch';
import { words } from '@callwright/language';
import type { KnowledgeIndexes, KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import { questionTerms, termsOf } from '../../shared/knowledge/terms.ts';
import type { Faq } from './script.ts';
import { spoken } from './text.ts';

const QUESTION =
  /^(?:[-*•\d.)\s]*)(?:q(?:uestion)?\s*(?:\d+\s*)?[:.)-]|प्रश्न\s*[:：-]|问\s*[:：])\s*(\S.*)$/iu;
const ANSWER =
  /^(?:[-*•\s]*)(?:a(?:ns(?:wer)?)?\s*(?:\d+\s*)?[:.)-]|उत्तर\s*[:：-]|जवाब\s*[:：-]|答\s*[:：])\s*(\S.*)$/iu;
const MAX_FAQS = 100;

/** Parses a FAQ text into pairs: "Q: … A: …", or a question line with its answer below or beside it. */
export function readFaqs(text: string): Faq[] {
  const faqs: { question: string; answer: string }[] = [];
  let open: { question: string; answer: string } | null = null;
  const begin = (question: string): void => {
    if (open && open.answer !== '') faqs.push(open);
    open = { question: question.trim(), answer: '' };
  };
  const extend = (answer: string): void => {
    if (open && answer.trim() !== '') open = { ...open, answer: `${open.answer} ${answer.trim()}`.trim() };
  };
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^\s*(?:#+|[-*•]|\d{1,2}[.)])\s*/, '').trim();
    if (line === '') continue;
    const question = QUESTION.exec(line);
    const answer = ANSWER.exec(line);
    if (question) {
      const beside = /^(.*?[?？؟])\s*(?:a(?:nswer)?\s*[:.)-]\s*)(\S.*)$/is.exec(question[1] ?? '');
      begin(beside?.[1] ?? question[1] ?? '');
      if (beside) extend(beside[2] ?? '');
    } else if (answer) {
      extend(answer[1] ?? '');
    } else {
      const both = /^(.{3,300}?[?？؟])\s*(?:[-–—:>]+\s*)?(.*)/s.exec(line);
      if (both) {
        begin(both[1] ?? '');
        extend(both[2] ?? '');
      } else {
        const pair = /^([^:]{3,80}):\s+(\S.{2,})$/.exec(line);
        if (pair && (open === null || (open as Faq).answer !== '')) {
          begin(pair[1] ?? '');
          extend(pair[2] ?? '');
        } else extend(line);
      }
    }
    if (faqs.length >= MAX_FAQS) break;
  }
  const last = open as Faq | null;
  if (last && last.answer !== '') faqs.push(last);
  return faqs.map(({ question, answer }) => ({ question, answer: answer.slice(0, 600) }));
}

const STOP = new Set(
  'a an the is are was were do does did can could will would should have has i you your my me we our it its this that of for to in on at by with and or if what which when where who how why there any some be about please tell know want like need get also so just get much many'.split(
    ' ',
  ),
);

/** Finds the answer to a caller's question among FAQs (BM25); null below the threshold. */
export type FaqSearch = (text: string) => string | null;

export function indexFaqs(faqs: readonly Faq[]): FaqSearch {
  if (faqs.length === 0) return () => null;
  const tokenize = (text: string): string[] =>
    words(text)
      .filter((word) => !STOP.has(word))
      .map(stem);
  const index = new MiniSearch<{ id: number; question: string; answer: string }>({
    fields: ['question', 'answer'],
    tokenize,
    processTerm: (term) => term,
    searchOptions: {
      boost: { question: 3 },
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      prefix: (term) => term.length > 3,
    },
  });
  index.addAll(faqs.map((faq, id) => ({ id, ...faq })));
  return (text) => {
    const terms = [...new Set(tokenize(text))];
    if (terms.length === 0) return exact(faqs, text);
    const [best] = index.search(terms.join(' '));
    if (!best) return exact(faqs, text);
    const inQuestion = new Set<string>();
    const anywhere = new Set<string>();
    for (const [term, fields] of Object.entries(best.match)) {
      const query = terms.find((word) => term === word || term.startsWith(word.slice(0, 4))) ?? term;
      anywhere.add(query);
      if (fields.includes('question')) inQuestion.add(query);
    }
    const share = anywhere.size / terms.length;
    const enough = inQuestion.size > 0 ? share >= 0.4 : anywhere.size >= 2 && share >= 0.6;
    return enough ? spoken(faqs[Number(best.id)]?.answer ?? '') : exact(faqs, text);
  };
}

/** A question made of common words only ("Where are you?") matches when the caller says all of them. */
function exact(faqs: readonly Faq[], text: string): string | null {
  const terms = new Set(words(text));
  const found = faqs.find((faq) => {
    const question = words(faq.question);
    return question.length > 1 && question.every((word) => STOP.has(word) && terms.has(word));
  });
  return found ? spoken(found.answer) : null;
}

/** Crude English stemming: "timings" matches "timing", "costs" matches "cost". */
function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  return word
    .replace(/(?:ings?|ed|es|s)$/, (end) => (word.length - end.length >= 3 ? '' : end))
    .replace(/e$/, '');
}

/** A question as plain words, for a recogniser's phrase list; empty when it is not in Latin letters. */
export const wordsOfQuestion = (question: string): string => {
  const plain = words(question).join(' ');
  return /^[a-z ]+$/.test(plain) ? plain : '';
};

/** Longest answer from a document, characters. */
const MAX_CHARS = 300;
const LONG_TERM = 6;

/**
 * Answers from document passages: the sentence that shares most words with the question, and the next one. Null unless
 * most of the question's words match, because a wrong answer is worse than none.
 */
export function indexPassages(items: readonly KnowledgeItem[], indexes: KnowledgeIndexes): FaqSearch {
  const passages = items.filter((item) => item.question === undefined);
  if (passages.length === 0) return () => null;
  return (text) => {
    const terms = questionTerms(text);
    const [best] = indexes.of(passages).search(text, 1);
    const passage = best === undefined ? undefined : passages[best.at];
    if (best === undefined || passage === undefined) return null;
    const isSpecific = terms.length > 1 ? best.found >= 2 : (terms[0]?.length ?? 0) >= LONG_TERM;
    if (!isSpecific || best.found / terms.length < 0.6) return null;
    const answer = spoken(sentencesFor(passage.text, terms));
    return answer === '' ? null : answer;
  };
}

function sentencesFor(text: string, terms: readonly string[]): string {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .flatMap(({ segment }) => segment.split('\n'))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const hits = sentences.map((sentence) => {
    const inSentence = termsOf(sentence);
    return terms.filter((word) =>
      inSentence.some((term) => term === word || (word.length > 3 && term.startsWith(word))),
    ).length;
  });
  const at = hits.indexOf(Math.max(...hits));
  const [first = '', second = ''] = sentences.slice(at, at + 2);
  return first.length + second.length < MAX_CHARS ? `${first} ${second}` : first.slice(0, MAX_CHARS);
}
