import { type AnswerKind, expectedAnswer } from '@callwright/language';
import { spoken } from './text.ts';

/** One action on the call, read from an instruction. */
export type Unit =
  | { type: 'say'; text: string }
  | {
      type: 'ask';
      question: string;
      answer: AnswerKind;
      choices: readonly string[];
      slot: string;
      identity: boolean;
    }
  | { type: 'confirm'; question: string }
  | { type: 'greet' }
  | { type: 'thank'; text: string }
  | { type: 'callback' }
  | { type: 'transfer' }
  | { type: 'tool'; name: string }
  | { type: 'close'; text: string }
  | { type: 'goto'; label: number }
  /** "Ask the following:" – the lines below are questions. */
  | { type: 'list_follows' }
  | { type: 'skip' };

/** A line spoken as written; a question when it ends in a question mark. */
export function verbatim(text: string): Unit {
  const line = spoken(text);
  if (line === '') return { type: 'skip' };
  return line.endsWith('?')
    ? { type: 'ask', question: line, ...expectedAnswer(line) }
    : { type: 'say', text: line };
}

export const ask = (question: string): Unit => {
  const line = spoken(question).replace(/(?:(?<![.!?])[.!?]+)?$/, '?');
  return { type: 'ask', question: line, ...expectedAnswer(line) };
};

export const say = (text: string): Unit[] => {
  const line = spoken(text);
  return line === '' ? [] : [{ type: 'say', text: line }];
};

const RAW =
  /\b(?:ask|tell|inform|remind|thank|greet|confirm with|let|offer|enquire|inquire|instruct|advise|notify)\s+(?:(?:the|this|your|each|every)\s+)?(?:user|customer|caller|client|patient|callee|prospect|recipient|them|him|her)\b/i;

/** Whether a line may be spoken: false for text that still reads as an instruction. */
export const isSpeakable = (text: string): boolean => !RAW.test(text);
