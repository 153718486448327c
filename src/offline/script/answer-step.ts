import { branchFor } from './branching.ts';
import {
  acknowledgement,
  begin,
  end,
  keep,
  phrase,
  prompt,
  run,
  setPending,
  speak,
  type Agent,
  type Draft,
} from './turn.ts';
import {
  type CallerLine,
  type Intent,
  type Understood,
  asksSomething,
  normal,
  understand,
} from '@callwright/language';
import { hiddenEntry } from '@callwright/turns';
import { leaveUnanswered, lookUp } from './look-up.ts';
import type { Pending } from './memory.ts';
import { declineTime } from './other-time.ts';
import type { Step } from './script.ts';

/** Repeats of one question. */
export const MAX_RETRIES = 2;

const CONSEQUENTIAL = new Set(['date', 'time', 'number', 'digits', 'name']);

/** How callers offer a value by a question. */
const OFFER =
  /\b(?:instead|rather|how about|what about|(?:could|can|shall|may) (?:we|i|you) (?:do|make|say|have|take|come)|make it|(?:would|does) .{1,30} (?:work|suit|be (?:ok|okay|fine|possible))|is .{1,30} (?:ok|okay|possible|free|available))\b/i;

/** Handles the caller's answer to a question of the script. */
export function answerStep(
  agent: Agent,
  draft: Draft,
  at: number,
  line: CallerLine,
  intent: Intent | null,
  interrupted: boolean,
): void {
  const current = agent.script.steps[at];
  if (current?.type !== 'ask' && current?.type !== 'confirm') {
    begin(agent, draft);
    return;
  }
  if (current.type === 'ask' && hiddenEntry(line.text) !== null) {
    // Only the tool that takes the keys can judge them.
    keep(draft, current.slot === '' ? current.question : current.slot, at, line.text);
    accept(agent, draft, current.next);
    return;
  }
  const expected = current.type === 'ask' ? current : YES_NO;
  const answer = understand(line, expected, agent.wording);
  // "Could we do Thursday?" answers the question for a day.
  const offers = answer?.type === 'value' && CONSEQUENTIAL.has(expected.answer) && OFFER.test(line.text);
  const question = line.by !== 'keypad' && !offers && asksSomething(line.text, agent.wording);
  const faq = question ? lookUp(agent, draft, line.text) : null;
  if (faq !== null) {
    speak(draft, faq);
    ask(agent, draft, at);
    return;
  }
  const branch = branchFor(current.branches, { question: current.question, text: line.text, answer, intent });
  if (current.type === 'confirm') {
    confirm(agent, draft, at, current, answer, branch?.to ?? null);
    return;
  }
  if (answer?.type === 'value') {
    if (line.by === 'speech' && agent.understandsSpeech && CONSEQUENTIAL.has(current.answer)) {
      setPending(draft, { type: 'verify', at, value: answer.value });
      prompt(agent, draft);
      return;
    }
    keep(draft, current.slot, at, answer.value);
    accept(agent, draft, branch?.to ?? current.next);
    return;
  }
  if (branch || answer?.type === 'unknown' || (answer && freeOrYesNo(current))) {
    if (!branch && current.identity && answer?.type === 'no') {
      end(agent, draft, phrase(agent, draft, 'wrongPerson'));
    } else if (!branch && answer?.type === 'yes' && OFFERS_MORE.test(current.question)) {
      setPending(draft, { type: 'help' });
      prompt(agent, draft);
    } else if (answer?.type === 'no' && declineTime(agent, draft, at, current, line)) return;
    else {
      draft.wantsNoMore = answer?.type === 'no' && OFFERS_MORE.test(current.question);
      accept(agent, draft, branch?.to ?? current.next);
    }
    return;
  }
  const more = question || line.by === 'keypad' ? null : lookUp(agent, draft, line.text);
  if (more !== null) {
    speak(draft, more);
    ask(agent, draft, at);
    return;
  }
  if (question && leaveUnanswered(agent, draft, line) === 'clarifies') return;
  retry(agent, draft, at, current.next, interrupted || question);
}

const OFFERS_MORE = /\b(?:any|other|more) (?:other |more )?questions?\b|\banything else\b/i;
export const YES_NO = { answer: 'yes_no', choices: [] } as const;
const freeOrYesNo = (current: Extract<Step, { type: 'ask' }>): boolean =>
  current.answer === 'yes_no' || current.answer === 'free' || current.answer === 'rest';

/** Repeats the pending question without counting a retry. */
function ask(agent: Agent, draft: Draft, at: number): void {
  draft.memory = { ...draft.memory, pending: { type: 'step', at } };
  prompt(agent, draft);
}

function accept(agent: Agent, draft: Draft, next: number): void {
  draft.memory = { ...draft.memory, retries: 0 };
  if (draft.said.length === 0) speak(draft, acknowledgement(agent, draft));
  run(agent, draft, next);
}

/** The answer was not understood: repeats the question at most MAX_RETRIES times, then continues the script. */
function retry(agent: Agent, draft: Draft, at: number, next: number, blameless: boolean): void {
  const retries = draft.memory.retries + 1;
  if (retries > MAX_RETRIES) {
    accept(agent, draft, next);
    return;
  }
  draft.memory = { ...draft.memory, pending: { type: 'step', at }, retries };
  if (!blameless) speak(draft, phrase(agent, draft, 'notUnderstood'));
  prompt(agent, draft);
}

/** Handles the answer to "You said Tuesday, right?" */
export function verify(
  agent: Agent,
  draft: Draft,
  pending: Extract<Pending, { type: 'verify' }>,
  line: CallerLine,
): void {
  const current = agent.script.steps[pending.at];
  if (current?.type !== 'ask') {
    begin(agent, draft);
    return;
  }
  const keyed = line.by === 'keypad' && /^[12]$/.test(line.text.trim());
  const corrected = keyed ? null : understand(line, current, agent.wording);
  const confirmation = understand(line, YES_NO, agent.wording);
  const rejected = confirmation?.type === 'no';
  const retries = draft.memory.retries + 1;
  if (
    corrected?.type === 'value' &&
    normal(corrected.value) !== normal(pending.value) &&
    (current.answer !== 'name' || rejected)
  ) {
    draft.memory = { ...draft.memory, pending: { ...pending, value: corrected.value }, retries };
    if (retries <= MAX_RETRIES) {
      prompt(agent, draft);
      return;
    }
    settle(agent, draft, current, pending.at, corrected.value);
  } else if (rejected && retries <= MAX_RETRIES) {
    draft.memory = { ...draft.memory, pending: { type: 'step', at: pending.at }, retries };
    speak(draft, phrase(agent, draft, 'notUnderstood'));
    prompt(agent, draft);
  } else if (confirmation === null && corrected === null && retries <= MAX_RETRIES) {
    const asks = asksSomething(line.text, agent.wording);
    const faq = asks ? lookUp(agent, draft, line.text) : null;
    if (faq !== null) speak(draft, faq);
    else if (asks && leaveUnanswered(agent, draft, line) === 'clarifies') return;
    draft.memory = { ...draft.memory, retries };
    prompt(agent, draft);
  } else if (rejected) accept(agent, draft, current.next);
  else settle(agent, draft, current, pending.at, pending.value);
}

function settle(
  agent: Agent,
  draft: Draft,
  current: Extract<Step, { type: 'ask' }>,
  at: number,
  value: string,
): void {
  keep(draft, current.slot, at, value);
  const branch = branchFor(current.branches, {
    question: current.question,
    text: value,
    answer: { type: 'value', value },
    intent: null,
  });
  accept(agent, draft, branch?.to ?? current.next);
}

/** Handles the answer to a read-back: after a "no" the script asks its questions again. */
function confirm(
  agent: Agent,
  draft: Draft,
  at: number,
  current: Extract<Step, { type: 'confirm' }>,
  answer: Understood | null,
  branch: number | null,
): void {
  if (branch !== null) accept(agent, draft, branch);
  else if (answer === null) retry(agent, draft, at, current.next, false);
  else if (answer.type === 'no' && draft.memory.slots.length > 0 && (draft.memory.visits[at] ?? 0) < 2) {
    const first = draft.memory.slots.map((slot) => slot.at)[0] ?? current.next;
    draft.memory = { ...draft.memory, slots: [], retries: 0 };
    speak(draft, phrase(agent, draft, 'changeWhat'));
    run(agent, draft, first);
  } else accept(agent, draft, current.next);
}
