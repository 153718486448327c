import { answerStep, MAX_RETRIES, verify, YES_NO } from './answer-step.ts';
import { clarified, leaveUnanswered, lookUp } from './look-up.ts';
import {
  callback,
  callbackAnswered,
  respondToIntent,
  resume,
  SCHEDULE_CALLBACK,
} from './respond-to-intent.ts';
import { freshMemory, readMemory, type Memory } from './memory.ts';
import {
  type CallerLine,
  type Intent,
  asksSomething,
  intentOf,
  polarity,
  readTime,
  understand,
  words,
} from '@callwright/language';
import { namesTime, otherTime, proposedIn } from './other-time.ts';
import { answeredWith, goOnWithout, repeatsAnswer, takenBack } from './repeated-answer.ts';
import { countResults, hasFailed, resultsSince, withFindings } from './tools.ts';
import {
  acknowledgement,
  begin,
  end,
  leaveScript,
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
import { type HistoryItem, hiddenEntry } from '@callwright/turns';

export interface Reply {
  /** Sentences in order. */
  text: readonly string[];
  tools: readonly ToolCall[];
  memory: Memory;
}

const MAX_TURNS = 60;

/** One reply of the script brain: a pure function of the agent, the memory and the conversation so far. */
export function respond(agent: Agent, history: readonly HistoryItem[], remembered: unknown): Reply {
  const before = readMemory(remembered);
  const memory = before ?? freshMemory();
  const callers = history.flatMap((item) => (item.role === 'caller' ? [item] : []));
  const fresh = callers.length >= memory.heard ? callers.slice(memory.heard) : callers.slice(-1);
  const unclear = history.filter((item) => item.role === 'unclear').length;
  const draft: Draft = {
    said: [],
    tools: [],
    memory: {
      ...memory,
      turns: memory.turns + 1,
      heard: callers.length,
      unclear,
      results: countResults(history),
    },
    history,
    fresh: fresh.length,
    hears: agent.understandsSpeech || callers.some((line) => line.by === 'text'),
    wantsNoMore: false,
  };
  const line = joined(fresh);
  const result = resultsSince(history, memory.results).find(({ name }) => name === memory.awaiting?.name);
  if (draft.memory.turns > MAX_TURNS) end(agent, draft, '');
  else if (result !== undefined && !isUrgent(agent, line)) goOnWith(agent, draft, memory.awaiting, result);
  else if (line === null && unclear > memory.unclear && (before !== null || draft.hears))
    leaveQuestion(agent, draft);
  else if (line === null) withoutCaller(agent, draft, history, before === null);
  else hear(agent, draft, line, wasInterrupted(history));
  if (draft.said.length === 0 && draft.tools.length === 0) prompt(agent, draft);
  const isAwaiting = draft.memory.awaiting !== null;
  if (draft.said.length === 0 && !isAwaiting) fallback(agent, draft);
  return {
    text: withFindings(draft.said, agent.findings, history),
    tools: draft.tools,
    memory: { ...draft.memory, said: worthRepeating(agent, draft) },
  };
}

/** A new caller line takes precedence over a tool result. */
function isUrgent(agent: Agent, line: CallerLine | null): boolean {
  if (line === null || line.by === 'keypad') return false;
  const intent = intentOf(line.text, agent.wording);
  return intent === 'stop_calling' || intent === 'goodbye';
}

/** Handles a tool result: continues the script, or reports a failed transfer to the caller. */
function goOnWith(
  agent: Agent,
  draft: Draft,
  awaiting: Memory['awaiting'],
  result: { name: string; result: unknown },
): void {
  draft.memory = { ...draft.memory, awaiting: null };
  if (result.name === SCHEDULE_CALLBACK && awaiting !== null)
    return callbackAnswered(agent, draft, awaiting, hasFailed(result.result));
  const next = awaiting?.next ?? null;
  if (result.name === agent.transferTool && hasFailed(result.result))
    speak(draft, phrase(agent, draft, 'noPerson'));
  const { pending } = draft.memory;
  if (next === null && pending.type === 'opening' && questionOf(agent, draft, pending) === '')
    begin(agent, draft);
  else if (next === null) prompt(agent, draft);
  else run(agent, draft, next);
}

/** The reply without its leading "Okay."; after "I will wait" still the one before. */
function worthRepeating(agent: Agent, draft: Draft): string {
  const [first = '', ...rest] = draft.said;
  if (rest.length === 0 && agent.wording.script.say.hold.includes(first)) return draft.memory.said;
  const acknowledged = rest.length > 0 && agent.wording.script.say.acknowledge.includes(first);
  return (acknowledged ? rest : draft.said).join(' ');
}

/** Joins caller lines since the last reply into one answer; keypad digits stay separate. */
function joined(lines: readonly CallerLine[]): CallerLine | null {
  const last = lines.at(-1);
  if (!last) return null;
  if (hiddenEntry(last.text) !== null) return last;
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

/** A reply without a new caller line: the start of a call, or a repeat of the question. */
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

/**
 * The caller's answer could not be recognised, and asking again is no use: the question is left to a person. The
 * transcript notes it.
 */
function leaveQuestion(agent: Agent, draft: Draft): void {
  const { pending } = draft.memory;
  const { script } = agent;
  const asked = pending.type === 'opening' && script.opening === 'step' ? script.start : null;
  const step = script.steps[pending.type === 'step' ? pending.at : (asked ?? -1)];
  if (step?.type === 'ask') {
    speak(draft, phrase(agent, draft, 'notUnderstood'));
    draft.memory = { ...draft.memory, retries: 0 };
    run(agent, draft, step.next);
  } else if (pending.type === 'opening') begin(agent, draft);
  else hear(agent, draft, { text: '', by: 'speech' }, false);
}

function fallback(agent: Agent, draft: Draft): void {
  speak(draft, phrase(agent, draft, 'anythingElse'));
  if (draft.memory.pending.type === 'opening') setPending(draft, { type: 'anything_else' });
}

function hear(agent: Agent, draft: Draft, line: CallerLine, interrupted: boolean): void {
  const key = line.by === 'keypad' ? line.text.trim() : '';
  const intent: Intent | null =
    line.by === 'keypad' ? intentOfKey(agent, draft, key) : intentOf(line.text, agent.wording);
  const { answered } = draft.memory;
  draft.memory = { ...draft.memory, answered: null };
  if (intent !== null && respondToIntent(agent, draft, intent, line)) return;
  const cleared = clarified(agent, draft, line);
  if (cleared !== null) return resume(agent, draft);
  if (repeatsAnswer(agent, draft, answered, line)) return goOnWithout(agent, draft, answered);
  draft.memory = takenBack(agent, draft, answered, line) ?? draft.memory;
  const asked = draft.memory;
  take(agent, draft, line, intent, interrupted);
  draft.memory = { ...draft.memory, answered: answeredWith(agent, asked, line) };
}

/** Takes a line as the answer to the pending question. */
function take(
  agent: Agent,
  draft: Draft,
  line: CallerLine,
  intent: Intent | null,
  interrupted: boolean,
): void {
  const { pending } = draft.memory;
  switch (pending.type) {
    case 'opening':
      opening(agent, draft, line, intent);
      return;
    case 'step':
      answerStep(agent, draft, pending.at, line, intent, interrupted);
      return;
    case 'verify':
      verify(agent, draft, pending, line);
      return;
    case 'other_time':
      otherTime(agent, draft, pending, line);
      return;
    case 'callback':
      callback(agent, draft, pending.next, line);
      return;
    case 'anything_else':
    case 'help':
      helping(agent, draft, line);
      return;
    case 'more':
      if (polarity(line.text, agent.wording) === 'no' || (line.by === 'keypad' && line.text.trim() === '2'))
        leaveScript(agent, draft);
      else run(agent, draft, pending.next);
      return;
    case 'closed':
      after(agent, draft, line);
  }
}

function intentOfKey(agent: Agent, draft: Draft, key: string): Intent | null {
  const isDigit = /\d/.test(key) && wantsDigits(agent, draft);
  if (key === agent.optOutKey && !isDigit) return 'stop_calling';
  if (key.endsWith('*')) return 'repeat';
  return key === '0' && !isDigit ? 'human' : null;
}

const wantsDigits = (agent: Agent, draft: Draft): boolean => {
  const { pending } = draft.memory;
  const step = pending.type === 'step' ? agent.script.steps[pending.at] : undefined;
  return (
    step?.type === 'ask' && (step.answer === 'number' || step.answer === 'digits' || step.answer === 'time')
  );
};

/** Whether the first message asks for yes or no about the day or hour of the script's first question. */
function isAskedAlready(
  { introMessage, script, wording }: Agent,
  first: { question: string; answer: string },
): boolean {
  if (script.opening !== 'yes_no' || first.answer !== 'yes_no') return false;
  const [intro, asked] = [introMessage, first.question].map((text) => readTime(text, wording));
  const same = (name: 'day' | 'clock'): boolean =>
    intro?.[name] != null && intro[name]?.english === asked?.[name]?.english;
  return same('day') || same('clock');
}

/** Handles the caller's first line as the answer to the first message. */
function opening(agent: Agent, draft: Draft, line: CallerLine, intent: Intent | null): void {
  const { opening: openingKind, start, steps } = agent.script;
  const first = steps[start];
  if (
    openingKind === 'step' ||
    (first?.type === 'ask' && (first.question === '' || isAskedAlready(agent, first)))
  ) {
    answerStep(agent, draft, start, line, intent, false);
    return;
  }
  if (steps.length === 0 && words(line.text).length > 2) {
    helping(agent, draft, line);
    return;
  }
  const asks = line.by !== 'keypad' && asksSomething(line.text, agent.wording);
  const answered = asks ? lookUp(agent, draft, line.text) : null;
  if (answered !== null) {
    speak(draft, answered);
    begin(agent, draft);
    return;
  }
  const answer = understand(line, { answer: 'yes_no', choices: [] }, agent.wording);
  if (answer?.type === 'no' && openingKind === 'identity') {
    end(agent, draft, phrase(agent, draft, 'wrongPerson'));
  } else if (answer?.type === 'no' && openingKind === 'good_time') {
    setPending(draft, { type: 'callback', next: null });
    prompt(agent, draft);
  } else if (
    answer?.type === 'no' &&
    openingKind === 'yes_no' &&
    namesTime(agent, draft, questionOf(agent, draft, { type: 'opening' }))
  ) {
    setPending(draft, { type: 'other_time', at: -1, value: proposedIn(agent, line) });
    prompt(agent, draft);
  } else if (
    answer?.type === 'no' &&
    openingKind === 'yes_no' &&
    /would you like|interested/i.test(agent.introMessage)
  ) {
    end(agent, draft, phrase(agent, draft, 'notInterested'));
  } else {
    if (openingKind !== 'none' && openingKind !== 'open' && answer?.type === 'yes')
      speak(draft, acknowledgement(agent, draft));
    if (openingKind === 'open' && start >= 0) speak(draft, acknowledgement(agent, draft));
    begin(agent, draft);
  }
}

/** Handles the answer to "anything else?" or "how may I help?". */
function helping(agent: Agent, draft: Draft, line: CallerLine): void {
  const answer = understand(line, YES_NO, agent.wording);
  const faq = line.by === 'keypad' ? null : lookUp(agent, draft, line.text);
  if (faq !== null && (answer === null || words(line.text).length > 2)) {
    speak(draft, faq);
    setPending(draft, { type: 'anything_else' });
    prompt(agent, draft);
  } else if (answer?.type === 'no') end(agent, draft, '');
  else if (answer?.type === 'yes' && draft.memory.pending.type === 'anything_else') {
    setPending(draft, { type: 'help' });
    prompt(agent, draft);
  } else {
    // However many questions stay without an answer, the caller says goodbye first.
    const retries = Math.min(MAX_RETRIES, draft.memory.retries + 1);
    const left = leaveUnanswered(agent, draft, line);
    draft.memory = { ...draft.memory, pending: { type: 'anything_else' }, retries };
    if (left === 'unknown') prompt(agent, draft);
  }
}

/** Handles a line spoken during or after the agent's goodbye. */
function after(agent: Agent, draft: Draft, line: CallerLine): void {
  const faq = asksSomething(line.text, agent.wording) ? lookUp(agent, draft, line.text) : null;
  if (faq !== null) {
    speak(draft, faq);
    setPending(draft, { type: 'anything_else' });
    prompt(agent, draft);
  } else {
    if (asksSomething(line.text, agent.wording)) speak(draft, phrase(agent, draft, 'cannotAnswer'));
    end(agent, draft, '');
  }
}
