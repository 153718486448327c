import { words } from '@callwright/language';
import type { Faq } from './script.ts';

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

/** A question as plain words, for a recogniser's phrase list; empty when it is not in Latin letters. */
export const wordsOfQuestion = (question: string): string => {
  const plain = words(question).join(' ');
  return /^[a-z ]+$/.test(plain) ? plain : '';
};
