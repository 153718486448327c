import { branchFor } from './branching.ts';
import { callback } from './callback.ts';
import { freshMemory, readMemory, type Memory, type Pending } from './memory.ts';
import { respondToIntent } from './respond-to-intent.ts';
import {
  acknowledgement,
  end,
  phrase,
  prompt,
  questionOf,
  run,
  setPending,
  speak,
  type Agent,
  type Draft,
  type ToolCall,
} from './turn.ts';
import { understand, polarity, type CallerLine, type Understood } from './understanding/answer.ts';
import { asksSomething, intentOf } from './understanding/intents.ts';
import { normal, words } from './text.ts';
import type { HistoryItem } from '../../../voice/ports.ts';
import type { Step } from './script.ts';
import type { Intent } from './wording/types.ts';

export interface Reply {
  /** Sentences in order. */
  text: readonly string[];
  tools: readonly ToolCall[];
  memory: Memory;
}

const MAX_TURNS = 60;
const MAX_RETRIES = 2;

/** One reply of the script engine: a pure function of the agent, its memory and the conversation so far. */
export function respond(agent: Agent, history: readonly HistoryItem[], remembered: unknown): Reply {
  const before = readMemory(remembered);
  const memory = before ?? freshMemory();
  const callers = history.flatMap((item) => (item.role === 'caller' ? [item] : []));
  const fresh = callers.length >= memory.heard ? callers.slice(memory.heard) : callers.slice(-1);
  const draft: Draft = {
    said: [],
    tools: [],
    memory: { ...memory, turns: memory.turns + 1, heard: callers.length },
    hears: agent.understandsSpeech || callers.some((line) => line.by === 'text'),
  };
  const line = joined(fresh);
  if (draft.memory.turns > MAX_TURNS) end(agent, draft, '');
  else if (line === null) withoutCaller(agent, draft, history, before === null);
  else hear(agent, draft, line, wasInterrupted(history));
  if (draft.said.length === 0 && draft.tools.length === 0) prompt(agent, draft);
  if (draft.said.length === 0) fallback(agent, draft);
  return { text: draft.said, tools: draft.tools, memory: { ...draft.memory, said: draft.said.join(' ') } };
}

/** Several lines before one reply are one answer; keypad digits stand for themselves. */
function joined(lines: readonly CallerLine[]): CallerLine | null {
  const last = lines.at(-1);
  if (!last) return null;
  const same = lines.filter((line) => (line.by === 'keypad') === (last.by === 'keypad'));
  return {
    text: same
      .map((line) => line.text)
      .join(last.by === 'keypad' ? '' : ' ')
      .slice(0, 1000),
    by: last.by,
  };
}

const wasInterrupted = (history: readonly HistoryItem[]): boolean => {
  const last = history.findLast((item) => item.role === 'agent');
  return last?.role === 'agent' && last.interrupted;
};

/** A reply without a new line of the caller: the start of a call, or a repeat of the question. */
function withoutCaller(agent: Agent, draft: Draft, history: readonly HistoryItem[], first: boolean): void {
  const spokeFirst = history.some((item) => item.role === 'agent');
  if (first && (!spokeFirst || questionOf(agent, draft, draft.memory.pending) === '')) {
    if (!spokeFirst && agent.introMessage === '') {
      speak(draft, phrase(agent, draft, 'greeting', { name: agent.agentName }));
    }
    begin(agent, draft);
  } else if (draft.memory.pending.type === 'closed') end(agent, draft, '');
  else prompt(agent, draft);
}

/** Into the script, past what the first message has said already. */
function begin(agent: Agent, draft: Draft): void {
  if (agent.script.start < 0 && agent.script.steps.length === 0) {
    setPending(draft, { type: 'help' });
    prompt(agent, draft);
  } else run(agent, draft, agent.script.start);
}

function fallback(agent: Agent, draft: Draft): void {
  speak(draft, phrase(agent, draft, 'anythingElse'));
  if (draft.memory.pending.type === 'opening') setPending(draft, { type: 'anything_else' });
}

function hear(agent: Agent, draft: Draft, line: CallerLine, interrupted: boolean): void {
  const key = line.by === 'keypad' ? line.text.trim() : '';
  const intent: Intent | null = key.endsWith('*')
    ? 'repeat'
    : key === '0' && !wantsDigits(agent, draft)
      ? 'human'
      : line.by === 'keypad'
        ? null
        : intentOf(line.text, agent.wording);
  if (intent !== null && respondToIntent(agent, draft, intent, line)) return;
  const { pending } = draft.memory;
  switch (pending.type) {
    case 'opening':
      opening(agent, draft, line, intent);
      return;
    case 'step':
      step(agent, draft, pending.at, line, intent, interrupted);
      return;
    case 'verify':
      verify(agent, draft, pending, line);
      return;
    case 'callback':
      callback(agent, draft, pending.next, line);
      return;
    case 'anything_else':
    case 'help':
      helping(agent, draft, line);
      return;
    case 'more':
      if (polarity(line.text, agent.wording) === 'no' || key === '2') end(agent, draft, '');
      else run(agent, draft, pending.next);
      return;
    case 'closed':
      after(agent, draft, line);
  }
}

const wantsDigits = (agent: Agent, draft: Draft): boolean => {
  const { pending } = draft.memory;
  const step = pending.type === 'step' ? agent.script.steps[pending.at] : undefined;
  return (
    step?.type === 'ask' && (step.answer === 'number' || step.answer === 'digits' || step.answer === 'time')
  );
};

/** The caller's first line answers whatever the first message asked. */
function opening(agent: Agent, draft: Draft, line: CallerLine, intent: Intent | null): void {
  const { opening: asked, start, steps } = agent.script;
  const first = steps[start];
  if (asked === 'step' || (first?.type === 'ask' && first.question === '')) {
    step(agent, draft, start, line, intent, false);
    return;
  }
  if (steps.length === 0 && words(line.text).length > 2) {
    helping(agent, draft, line);
    return;
  }
  const answered = asksSomething(line.text, agent.wording) ? agent.answerFaq(line.text) : null;
  if (answered !== null) {
    speak(draft, answered);
    begin(agent, draft);
    return;
  }
  const answer = understand(line, { answer: 'yes_no', choices: [] }, agent.wording);
  if (answer?.type === 'no' && asked === 'identity') {
    end(agent, draft, phrase(agent, draft, 'wrongPerson'));
  } else if (answer?.type === 'no' && asked === 'good_time') {
    setPending(draft, { type: 'callback', next: null });
    prompt(agent, draft);
  } else if (
    answer?.type === 'no' &&
    asked === 'yes_no' &&
    /would you like|interested/i.test(agent.introMessage)
  ) {
    end(agent, draft, phrase(agent, draft, 'notInterested'));
  } else {
    if (asked !== 'none' && asked !== 'open' && answer?.type === 'yes')
      speak(draft, acknowledgement(agent, draft));
    if (asked === 'open' && start >= 0) speak(draft, acknowledgement(agent, draft));
    begin(agent, draft);
  }
}

const CONSEQUENTIAL = new Set(['date', 'time', 'number', 'digits', 'name']);

/** The caller's answer to a question of the script. */
function step(
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
  const wanted = current.type === 'ask' ? current : YES_NO;
  const question = line.by !== 'keypad' && asksSomething(line.text, agent.wording);
  const faq = question ? agent.answerFaq(line.text) : null;
  if (faq !== null) {
    speak(draft, faq);
    ask(agent, draft, at);
    return;
  }
  const answer = understand(line, wanted, agent.wording);
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
    keep(draft, current, at, answer.value);
    accept(agent, draft, branch?.to ?? current.next);
    return;
  }
  if (branch || answer?.type === 'unknown' || (answer && freeOrYesNo(current))) {
    if (!branch && current.identity && answer?.type === 'no') {
      end(agent, draft, phrase(agent, draft, 'wrongPerson'));
    } else if (
      !branch &&
      answer?.type === 'yes' &&
      /\b(?:any|other|more) (?:other |more )?questions?\b/i.test(current.question)
    ) {
      setPending(draft, { type: 'help' });
      prompt(agent, draft);
    } else accept(agent, draft, branch?.to ?? current.next);
    return;
  }
  if (question) speak(draft, phrase(agent, draft, 'followUp'));
  retry(agent, draft, at, current.next, interrupted || question);
}

const YES_NO = { answer: 'yes_no', choices: [] } as const;
const freeOrYesNo = (current: Extract<Step, { type: 'ask' }>): boolean =>
  current.answer === 'yes_no' || current.answer === 'free' || current.answer === 'rest';

/** Asks the pending question again, without counting a failure. */
function ask(agent: Agent, draft: Draft, at: number): void {
  draft.memory = { ...draft.memory, pending: { type: 'step', at } };
  prompt(agent, draft);
}

function accept(agent: Agent, draft: Draft, next: number): void {
  draft.memory = { ...draft.memory, retries: 0 };
  if (draft.said.length === 0) speak(draft, acknowledgement(agent, draft));
  run(agent, draft, next);
}

function keep(draft: Draft, current: Extract<Step, { type: 'ask' }>, at: number, value: string): void {
  const label = current.slot;
  const slots = draft.memory.slots.filter((slot) => slot.at !== at);
  draft.memory = { ...draft.memory, slots: [...slots, { label, value, at }].slice(-20) };
}

/** Not understood: asked again at most twice, then the script goes on. */
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

/** "You said Tuesday, right?" */
function verify(
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
  const said = understand(line, YES_NO, agent.wording);
  const rejected = said?.type === 'no';
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
  } else if (said === null && corrected === null && retries <= MAX_RETRIES) {
    const faq = asksSomething(line.text, agent.wording) ? agent.answerFaq(line.text) : null;
    if (faq !== null) speak(draft, faq);
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
  keep(draft, current, at, value);
  const branch = branchFor(current.branches, {
    question: current.question,
    text: value,
    answer: { type: 'value', value },
    intent: null,
  });
  accept(agent, draft, branch?.to ?? current.next);
}

/** The answer to a read-back: a no goes through what was gathered once more. */
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

/** After "anything else?" or "how may I help?". */
function helping(agent: Agent, draft: Draft, line: CallerLine): void {
  const answer = understand(line, YES_NO, agent.wording);
  const faq = line.by === 'keypad' ? null : agent.answerFaq(line.text);
  if (faq !== null && (answer === null || words(line.text).length > 2)) {
    speak(draft, faq);
    setPending(draft, { type: 'anything_else' });
    prompt(agent, draft);
  } else if (answer?.type === 'no') end(agent, draft, '');
  else if (answer?.type === 'yes' && draft.memory.pending.type === 'anything_else') {
    setPending(draft, { type: 'help' });
    prompt(agent, draft);
  } else if (draft.memory.retries >= MAX_RETRIES) end(agent, draft, '');
  else {
    const retries = draft.memory.retries + 1;
    speak(draft, phrase(agent, draft, 'followUp'));
    draft.memory = { ...draft.memory, pending: { type: 'anything_else' }, retries };
    prompt(agent, draft);
  }
}

/** The caller spoke into our goodbye. */
function after(agent: Agent, draft: Draft, line: CallerLine): void {
  const faq = asksSomething(line.text, agent.wording) ? agent.answerFaq(line.text) : null;
  if (faq !== null) {
    speak(draft, faq);
    setPending(draft, { type: 'anything_else' });
    prompt(agent, draft);
  } else {
    if (asksSomething(line.text, agent.wording)) speak(draft, phrase(agent, draft, 'followUp'));
    end(agent, draft, '');
  }
}
