import { branchFor } from './branching.ts';
import { type CallerLine, readTime, understand } from '@callwright/language';
import type { Pending } from './memory.ts';
import type { Step } from './script.ts';
import {
  acknowledgement,
  type Agent,
  type Draft,
  keep,
  phrase,
  prompt,
  run,
  setPending,
  speak,
} from './turn.ts';

type Ask = Extract<Step, { type: 'ask' }>;
const MOST_REPEATS = 1;

/** The day or time that a line names, worded for a read-back; null for none, or one that the line rejects. */
export function proposedIn(agent: Agent, line: CallerLine): string | null {
  if (line.by === 'keypad') return null;
  for (const answer of ['date', 'time'] as const) {
    const understood = understand(line, { answer, choices: [] }, agent.wording);
    if (understood?.type === 'value') return understood.value;
  }
  return null;
}

/** "Can you attend?", after the day was said. */
const COMES =
  /\b(?:attend|come|make it|be there|be (?:at home|in|available|free)|work for you|suit you|join|visit)\b/i;

/** Whether a question names a day or an hour, or asks for the caller's coming after one was said. */
export function namesTime(agent: Agent, draft: Draft, question: string): boolean {
  const text = COMES.test(question) ? `${question} ${draft.memory.said}` : question;
  const { day, clock } = readTime(text, agent.wording);
  return day !== null || clock !== null;
}

/**
 * The caller declines the day of a question of yes or no ("Tuesday doesn't work for me"): the script's own branch asks for
 * another one, else the agent does. False when the question names no day.
 */
export function declineTime(agent: Agent, draft: Draft, at: number, current: Ask, line: CallerLine): boolean {
  if (!draft.hears || current.answer !== 'yes_no' || line.by === 'keypad') return false;
  const proposed = proposedIn(agent, line);
  const branch = branchFor(current.branches, {
    question: current.question,
    text: line.text,
    answer: { type: 'no' },
    intent: null,
  });
  if (branch !== null) {
    draft.memory = { ...draft.memory, proposed };
    return false;
  }
  if (!namesTime(agent, draft, current.question)) return false;
  if (proposed === null) speak(draft, acknowledgement(agent, draft));
  setPending(draft, { type: 'other_time', at, value: proposed });
  prompt(agent, draft);
  return true;
}

/** Handles the answer to "Which day suits you?" and "You said Thursday, right?" */
export function otherTime(
  agent: Agent,
  draft: Draft,
  { at, value }: Extract<Pending, { type: 'other_time' }>,
  line: CallerLine,
): void {
  const current = agent.script.steps[at];
  const next = current?.type === 'ask' ? current.next : agent.script.start;
  const named = proposedIn(agent, line);
  const answer = understand(line, { answer: 'yes_no', choices: [] }, agent.wording);
  const retries = draft.memory.retries + 1;
  if (named !== null && named !== value) ask(agent, draft, at, named);
  else if (value !== null && answer?.type === 'yes') {
    keep(draft, agent.wording.locale === 'en' ? 'preferred day' : '', at, value);
    goOn(agent, draft, next);
  } else if (value !== null && answer?.type === 'no') ask(agent, draft, at, null);
  else if (answer !== null || retries > MOST_REPEATS) goOn(agent, draft, next);
  else {
    draft.memory = { ...draft.memory, retries };
    speak(draft, phrase(agent, draft, 'notUnderstood'));
    prompt(agent, draft);
  }
}

function ask(agent: Agent, draft: Draft, at: number, value: string | null): void {
  const { retries } = draft.memory;
  setPending(draft, { type: 'other_time', at, value });
  draft.memory = { ...draft.memory, retries: value === null ? retries + 1 : retries };
  prompt(agent, draft);
}

function goOn(agent: Agent, draft: Draft, next: number): void {
  draft.memory = { ...draft.memory, retries: 0 };
  speak(draft, acknowledgement(agent, draft));
  run(agent, draft, next);
}
