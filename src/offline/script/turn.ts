import { END, type Script, type Step } from './script.ts';
import { normal, understand, words } from '@callwright/language';
import { type HistoryItem, hiddenEntry } from '@callwright/turns';
import { fill } from './text.ts';
import { argumentsFor } from './tools.ts';
import type { Lines } from './script-phrases.ts';
import type { ToolSpec } from '../../providers/ports/model.ts';
import type { Memory, Pending } from './memory.ts';
import type { Wording } from './wording.ts';

/** The agent's data that replies depend on; constant during a call. */
export interface Agent {
  script: Script;
  wording: Wording;
  introMessage: string;
  agentName: string;
  understandsSpeech: boolean;
  /** Every word of the caller is heard, so that the call ends after their goodbye. */
  hearsWords: boolean;
  inbound: boolean;
  /** Callbacks can be scheduled. */
  callsBack: boolean;
  transferTool: string | null;
  /** The key that opts out; null for none. */
  optOutKey: string | null;
  /** Available tools by name. */
  tools: ReadonlyMap<string, ToolSpec>;
  /** Variables that tools set during the call; a placeholder holds the index. */
  findings: readonly string[];
  answerTo: (text: string) => string | null;
  /** Whether a question asks for a price, a time or the like without saying of what. */
  isVague: (text: string) => boolean;
}

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

/** A reply under construction. Mutable on purpose: it lives for one call of `respond`. */
export interface Draft {
  said: string[];
  tools: ToolCall[];
  memory: Memory;
  readonly history: readonly HistoryItem[];
  /** Caller lines since the last reply. */
  readonly fresh: number;
  /** Whether the caller's words are readable: recognised speech or typed text. */
  hears: boolean;
  /** The caller has just said that they want nothing more. */
  wantsNoMore: boolean;
}

/** Longest monologue, in characters, before the brain asks whether to go on. */
const BREATH = 420;
const MAX_VISITS = 3;

export const phrase = (
  agent: Agent,
  draft: Draft,
  key: keyof Lines,
  values: Readonly<Record<string, string>> = {},
): string => {
  const variants = agent.wording.script.say[key];
  return fill(variants[draft.memory.turns % variants.length] ?? '', values);
};

export const acknowledgement = (agent: Agent, draft: Draft): string => phrase(agent, draft, 'acknowledge');

export const speak = (draft: Draft, text: string): void => {
  if (text === '' || draft.said.includes(text)) return;
  // Avoids "Thank you. Thank you for your time."
  if (text.startsWith('Thank you') && draft.said.at(-1) === 'Thank you.') draft.said.pop();
  draft.said.push(text);
};

export const setPending = (draft: Draft, pending: Pending): void => {
  draft.memory = { ...draft.memory, pending, retries: 0 };
};

/** Keeps the answer of a step for read-backs and tools. */
export function keep(draft: Draft, label: string, at: number, value: string): void {
  const slots = draft.memory.slots.filter((slot) => slot.at !== at);
  draft.memory = { ...draft.memory, slots: [...slots, { label, value, at }].slice(-20) };
}

/** Runs steps from `from` until the caller has to answer or the call ends. */
export function run(agent: Agent, draft: Draft, from: number): void {
  let at = from;
  for (let hop = 0; hop < 400; hop++) {
    const step = agent.script.steps[at];
    if (at === END || !step) {
      finish(agent, draft);
      return;
    }
    const visits = (draft.memory.visits[at] ?? 0) + 1;
    draft.memory = { ...draft.memory, visits: { ...draft.memory.visits, [at]: visits } };
    if (visits > MAX_VISITS) {
      leaveScript(agent, draft);
      return;
    }
    const next = take(agent, draft, step, at);
    if (next === null) return;
    at = next;
  }
  leaveScript(agent, draft);
}

/** Starts the script after the part that the first message covers. */
export function begin(agent: Agent, draft: Draft): void {
  if (agent.script.start < 0 && agent.script.steps.length === 0) {
    setPending(draft, { type: 'help' });
    prompt(agent, draft);
  } else run(agent, draft, agent.script.start);
}

/** Runs one step; returns its successor, or null when the reply ends here. */
function take(agent: Agent, draft: Draft, step: Step, at: number): number | null {
  switch (step.type) {
    case 'say': {
      if (agent.hearsWords && isLast(agent, step.next) && takesLeave(agent, step.text)) {
        close(agent, draft, step.text);
        return null;
      }
      speak(
        draft,
        step.text === '' ? phrase(agent, draft, 'greeting', { name: agent.agentName }) : step.text,
      );
      const long = draft.said.join(' ').length > BREATH;
      const more = agent.script.steps[step.next];
      if (!long || !draft.hears || more?.type !== 'say') return step.next;
      speak(draft, phrase(agent, draft, 'goOn'));
      setPending(draft, { type: 'more', next: step.next });
      return null;
    }
    case 'ask':
      if (step.question === '' || (!draft.hears && !byKeypad(step)) || timeKnown(draft, step))
        return step.next;
      setPending(draft, proposedFor(agent, draft, step, at) ?? { type: 'step', at });
      prompt(agent, draft);
      return null;
    case 'confirm':
      setPending(draft, { type: 'step', at });
      prompt(agent, draft);
      return null;
    case 'callback':
      if (!draft.hears) return step.next;
      setPending(draft, { type: 'callback', next: step.next });
      prompt(agent, draft);
      return null;
    case 'transfer':
      transfer(agent, draft, step.next);
      return agent.transferTool === null ? step.next : null;
    case 'tool':
      return useTool(agent, draft, step.name, step.next) ? null : step.next;
    case 'close':
      close(agent, draft, step.text);
      break;
  }
  return null;
}

/** The read-back of a day or time that the caller named before this question for it; null for none. */
function proposedFor(
  agent: Agent,
  draft: Draft,
  step: Extract<Step, { type: 'ask' }>,
  at: number,
): Pending | null {
  const { proposed } = draft.memory;
  if (proposed === null || (step.answer !== 'date' && step.answer !== 'time')) return null;
  draft.memory = { ...draft.memory, proposed: null };
  const fits = understand({ text: proposed, by: 'speech' }, step, agent.wording);
  return fits?.type === 'value' ? { type: 'verify', at, value: fits.value } : null;
}

/** Whether the answer to the day already named the hour ("tomorrow at seven"). */
const timeKnown = (draft: Draft, step: Extract<Step, { type: 'ask' }>): boolean =>
  step.answer === 'time' &&
  /\d(?::\d\d)? ?(?:am|pm|o'clock)|\bat \d|\b(?:morning|afternoon|evening|noon)\b/.test(
    draft.memory.slots.at(-1)?.value ?? '',
  );

const byKeypad = (step: Extract<Step, { type: 'ask' }>): boolean =>
  step.answer !== 'name' && step.answer !== 'free' && step.answer !== 'rest';

/** Transfers the call with the agent's transfer tool; without one, promises a callback. */
export function transfer(agent: Agent, draft: Draft, next: number | null = null): void {
  if (agent.transferTool === null) speak(draft, phrase(agent, draft, 'noPerson'));
  else {
    speak(draft, phrase(agent, draft, 'connecting'));
    draft.tools.push({ name: agent.transferTool, args: {} });
    draft.memory = { ...draft.memory, awaiting: { name: agent.transferTool, next } };
  }
}

/** Calls an agent tool; false when the agent has none of that name. */
function useTool(agent: Agent, draft: Draft, name: string, next: number): boolean {
  const tool = agent.tools.get(name);
  if (tool === undefined) return false;
  draft.tools.push({ name, args: argumentsFor(tool, draft.memory, draft.history) });
  draft.memory = { ...draft.memory, awaiting: { name, next } };
  return true;
}

/** Leaves a script that does not get on: a caller who can be heard may ask for something else first. */
export function leaveScript(agent: Agent, draft: Draft): void {
  if (draft.hears && (agent.hearsWords || !draft.memory.offeredHelp)) offerHelp(agent, draft);
  else end(agent, draft, '');
}

function finish(agent: Agent, draft: Draft): void {
  if (agent.hearsWords) close(agent, draft, '');
  else if (agent.inbound && draft.hears && !draft.memory.offeredHelp) offerHelp(agent, draft);
  else end(agent, draft, '');
}

/** The script is over: the closing words wait for the goodbye of a caller whose every word is heard. */
export function close(agent: Agent, draft: Draft, text: string): void {
  if (!agent.hearsWords || draft.wantsNoMore) return end(agent, draft, text);
  if (text !== '') draft.memory = { ...draft.memory, closing: text };
  return offerHelp(agent, draft);
}

function offerHelp(agent: Agent, draft: Draft): void {
  draft.memory = { ...draft.memory, offeredHelp: true };
  setPending(draft, { type: 'anything_else' });
  prompt(agent, draft);
}

const FAREWELL = /\b(?:good ?bye|bye|have an? (?:\w+ )?(?:day|evening|night|weekend|time)|take care)\b/;

const isLast = ({ script }: Agent, next: number): boolean => {
  const step = script.steps[next];
  return next === END || step === undefined || step.type === 'close';
};

/** Whether the words end a call: thanks for the time, or a goodbye. */
const takesLeave = (agent: Agent, text: string): boolean =>
  /^thank you for your time\b/.test(normal(text)) || saysGoodbye(agent, normal(text));

/** In every phrase table the goodbye lines end in the same word. */
const saysGoodbye = (agent: Agent, soFar: string): boolean =>
  FAREWELL.test(soFar) || words(soFar).at(-1) === words(agent.wording.script.say.goodbye[0] ?? '').at(-1);

/** Ends the call, with a goodbye unless the reply already contains one. */
export function end(agent: Agent, draft: Draft, text: string): void {
  if (draft.said.length === 1 && agent.wording.script.say.acknowledge.includes(draft.said[0] ?? ''))
    draft.said = [];
  speak(draft, text === '' ? draft.memory.closing : text);
  const soFar = normal(draft.said.join(' '));
  if (!saysGoodbye(agent, soFar)) {
    const thanked = /\bthank you for your time\b/.test(soFar);
    speak(draft, thanked ? 'Goodbye!' : phrase(agent, draft, 'goodbye'));
  }
  draft.tools.push({ name: 'end_call', args: {} });
  setPending(draft, { type: 'closed' });
}

/** Says the pending question, with keypad help where speech is not available or failed before. */
export function prompt(agent: Agent, draft: Draft): void {
  const { pending, retries } = draft.memory;
  speak(draft, questionOf(agent, draft, pending));
  if (draft.hears && retries < 2) return;
  if (!draft.memory.keypadExplained && !draft.hears) {
    speak(draft, phrase(agent, draft, 'keypadOnly'));
    draft.memory = { ...draft.memory, keypadExplained: true };
  }
  speak(draft, keypadHelp(agent, draft, pending));
}

export function questionOf(agent: Agent, draft: Draft, pending: Pending): string {
  switch (pending.type) {
    case 'opening':
      return lastQuestion(agent.introMessage);
    case 'step': {
      const step = agent.script.steps[pending.at];
      if (step?.type === 'ask')
        return step.question === '' ? lastQuestion(agent.introMessage) : step.question;
      if (step?.type !== 'confirm') return '';
      return readBack(agent, draft) ?? step.question;
    }
    case 'verify':
      return phrase(agent, draft, 'verify', { value: pending.value });
    case 'other_time':
      return pending.value === null
        ? agent.wording.script.ask.date
        : phrase(agent, draft, 'verify', { value: pending.value });
    case 'callback':
      return phrase(agent, draft, 'askCallback');
    case 'anything_else':
      return phrase(agent, draft, 'anythingElse');
    case 'help':
      return phrase(agent, draft, 'howHelp');
    case 'more':
      return phrase(agent, draft, 'goOn');
    case 'closed':
      break;
  }
  return '';
}

const lastQuestion = (intro: string): string =>
  /(?<![^.!?।。])[^.!?।。]*[?？؟]/u.exec(intro)?.[0].trim() ?? '';

/** Lists the collected answers ("preferred day, Tuesday; name, Sam"); null when there are none. */
function readBack(agent: Agent, draft: Draft): string | null {
  const slots = draft.memory.slots.filter(({ value }) => hiddenEntry(value) === null);
  if (slots.length === 0) return null;
  const english = agent.wording.locale === 'en';
  const list = slots
    .filter(({ label, value }) => label !== '' || value.length <= 40)
    .map(({ label, value }) => (english && label !== '' ? `${label}, ${value}` : value));
  return phrase(agent, draft, 'readBack', { list: list.join(english ? '; ' : ', ') });
}

function keypadHelp(agent: Agent, draft: Draft, pending: Pending): string {
  const step = 'at' in pending ? agent.script.steps[pending.at] : undefined;
  if (pending.type === 'step' && step?.type === 'ask') {
    switch (step.answer) {
      case 'choice':
        return step.choices
          .map((choice, index) => phrase(agent, draft, 'pressChoice', { digit: String(index + 1), choice }))
          .join(' ');
      case 'date':
        return phrase(agent, draft, 'pressDay');
      case 'time':
        return phrase(agent, draft, 'pressHour');
      case 'number':
      case 'digits':
        return phrase(agent, draft, 'pressNumber');
      case 'yes_no':
        return phrase(agent, draft, 'pressYesNo');
      case 'name':
      case 'free':
      case 'rest':
        return '';
    }
  }
  if (pending.type === 'other_time' && pending.value === null) return phrase(agent, draft, 'pressDay');
  return pending.type === 'callback' || pending.type === 'help' || pending.type === 'closed'
    ? ''
    : phrase(agent, draft, 'pressYesNo');
}
