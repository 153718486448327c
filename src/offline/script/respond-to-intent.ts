import {
  type CallerLine,
  type Intent,
  type Moment,
  dayAndTime,
  fromNowIn,
  momentIn,
  understand,
} from '@callwright/language';
import { branchFor } from './branching.ts';
import type { Memory } from './memory.ts';
import {
  acknowledgement,
  type Agent,
  close,
  type Draft,
  end,
  phrase,
  prompt,
  questionOf,
  run,
  setPending,
  speak,
  transfer,
} from './turn.ts';

/** Handles an intent; false leaves the line to the pending question. */
export function respondToIntent(agent: Agent, draft: Draft, intent: Intent, line: CallerLine): boolean {
  switch (intent) {
    case 'stop_calling':
      speak(draft, phrase(agent, draft, 'optOut'));
      draft.tools.push({ name: 'opt_out', args: {} });
      setPending(draft, { type: 'closed' });
      return true;
    case 'goodbye':
      end(agent, draft, '');
      return true;
    case 'robot':
      return aside(agent, draft, phrase(agent, draft, 'robot'));
    case 'who':
      return aside(agent, draft, who(agent, draft), why(agent, draft, false));
    case 'why':
      return aside(agent, draft, why(agent, draft, true));
    case 'why_asked':
      return aside(agent, draft, reasonFor(agent, draft, line.text));
    case 'hold':
      speak(draft, phrase(agent, draft, 'hold'));
      return true;
    case 'repeat':
    case 'what':
      return repeat(agent, draft);
    case 'human':
      transfer(agent, draft);
      if (agent.transferTool === null) prompt(agent, draft);
      return true;
    case 'wrong_person':
    case 'not_interested':
    case 'later':
      return refuse(agent, draft, intent, line);
    case 'thanks':
      return thanked(agent, draft);
    case 'hello':
      break;
  }
  return greeted(agent, draft);
}

/** Says an aside, then repeats the pending question. */
function aside(agent: Agent, draft: Draft, ...sentences: string[]): true {
  for (const sentence of sentences) speak(draft, sentence);
  resume(agent, draft);
  return true;
}

/** Repeats the pending question, or goes on with the script. */
export function resume(agent: Agent, draft: Draft): void {
  if (draft.memory.pending.type === 'opening' && questionOf(agent, draft, draft.memory.pending) === '') {
    run(agent, draft, agent.script.start);
  } else if (draft.memory.pending.type === 'closed') {
    setPending(draft, { type: 'anything_else' });
    prompt(agent, draft);
  } else prompt(agent, draft);
}

const english = (agent: Agent): boolean => agent.wording.locale === 'en';

const who = (agent: Agent, draft: Draft): string =>
  (english(agent) ? agent.script.who : null) ?? phrase(agent, draft, 'who', { name: agent.agentName });

const why = (agent: Agent, draft: Draft, always: boolean): string =>
  (english(agent) ? agent.script.why : null) ?? (always ? phrase(agent, draft, 'whyDefault') : '');

const REASON =
  /\b(?:because|so that|in order to|required|needs?|needed|to (?:find|send|reach|check|confirm|call|book))\b/i;

/** Why the pending question is asked, if the prompt says so. */
function reasonFor(agent: Agent, draft: Draft, text: string): string {
  const { pending } = draft.memory;
  const step = 'at' in pending ? agent.script.steps[pending.at] : undefined;
  const asked = step?.type === 'ask' ? step.slot : '';
  const found = [text, asked].map((about) => (about === '' ? null : agent.answerTo(about)));
  return found.find((answer) => answer !== null && REASON.test(answer)) ?? phrase(agent, draft, 'whyAsked');
}

function repeat(agent: Agent, draft: Draft): true {
  const last = draft.memory.said === '' ? agent.introMessage : draft.memory.said;
  if (draft.memory.pending.type === 'closed') end(agent, draft, '');
  else if (last === '') prompt(agent, draft);
  else speak(draft, last);
  return true;
}

/** Takes the script's branch for a refusal, or the default reaction. */
function refuse(
  agent: Agent,
  draft: Draft,
  intent: 'wrong_person' | 'not_interested' | 'later',
  line: CallerLine,
): boolean {
  const { pending } = draft.memory;
  if (pending.type === 'callback') return false;
  const at =
    pending.type === 'step' || pending.type === 'verify'
      ? pending.at
      : pending.type === 'opening'
        ? agent.script.start
        : -1;
  const step = agent.script.steps[at];
  if (step?.type === 'ask' || step?.type === 'confirm') {
    const branch = branchFor(step.branches, {
      question: step.question,
      text: line.text,
      answer: null,
      intent,
    });
    if (branch) {
      run(agent, draft, branch.to);
      return true;
    }
  }
  if (intent === 'wrong_person') end(agent, draft, phrase(agent, draft, 'wrongPerson'));
  else if (intent === 'not_interested') {
    const fits = pending.type === 'anything_else' || pending.type === 'help' || pending.type === 'closed';
    end(agent, draft, fits ? '' : phrase(agent, draft, 'notInterested'));
  } else later(agent, draft, line);
  return true;
}

function later(agent: Agent, draft: Draft, line: CallerLine): void {
  // A chat schedules no phone call, so the agent promises none.
  if (!agent.callsBack) return end(agent, draft, phrase(agent, draft, 'notInterested'));
  const moment = momentIn(line.text, agent.wording);
  if (moment !== null) {
    noteCallback(draft, moment, line.text, null);
    return;
  }
  setPending(draft, { type: 'callback', next: null });
  prompt(agent, draft);
}

function thanked(agent: Agent, draft: Draft): boolean {
  const { pending } = draft.memory;
  if (pending.type === 'closed' || pending.type === 'anything_else' || pending.type === 'help') {
    end(agent, draft, phrase(agent, draft, 'welcome'));
    return true;
  }
  if (pending.type === 'opening' && questionOf(agent, draft, pending) === '') return false;
  return aside(agent, draft, phrase(agent, draft, 'welcome'));
}

function greeted(agent: Agent, draft: Draft): boolean {
  const { pending } = draft.memory;
  if (pending.type === 'opening' && questionOf(agent, draft, pending) === '') return false;
  return aside(agent, draft, phrase(agent, draft, 'hello'));
}

/** Handles the answer to "When should we call you back?"; after a second answer without a time: in two hours. */
export function callback(agent: Agent, draft: Draft, next: number | null, line: CallerLine): void {
  const text = line.by === 'keypad' ? keyedTime(agent, line) : line.text;
  const moment = momentIn(text, agent.wording, { isAnswer: true });
  if (moment === null && draft.memory.retries < 1) {
    draft.memory = { ...draft.memory, retries: draft.memory.retries + 1 };
    speak(draft, phrase(agent, draft, 'notUnderstood'));
    prompt(agent, draft);
    return;
  }
  noteCallback(draft, moment ?? fromNowIn(agent.wording, 2, 'hour'), line.text, next);
}

/** The same digits are read both as a weekday number and as an hour. */
function keyedTime(agent: Agent, line: CallerLine): string {
  const keyed = (answer: 'date' | 'time'): string | null => {
    const found = understand(line, { answer, choices: [] }, agent.wording);
    return found?.type === 'value' ? found.value : null;
  };
  return dayAndTime(keyed('date'), keyed('time'));
}

/** The tool that schedules a callback. */
export const SCHEDULE_CALLBACK = 'schedule_callback';

function noteCallback(draft: Draft, moment: Moment, said: string, next: number | null): void {
  const name = SCHEDULE_CALLBACK;
  draft.tools.push({ name, args: { when: moment.english, said: said.slice(0, 200) } });
  // Announced once the service has accepted it: a number or time may be refused.
  draft.memory = { ...draft.memory, awaiting: { name, next, when: moment.text } };
}

/** The service accepted or refused the callback: the caller hears which, and the script goes on. */
export function callbackAnswered(
  agent: Agent,
  draft: Draft,
  { next, when = '' }: NonNullable<Memory['awaiting']>,
  isRefused: boolean,
): void {
  const text = isRefused
    ? phrase(agent, draft, 'noCallback')
    : phrase(agent, draft, 'callbackNoted', { when });
  const onward = next === null ? undefined : agent.script.steps[next];
  if (next === null || onward === undefined || onward.type === 'close') {
    if (agent.hearsWords) speak(draft, text);
    close(agent, draft, agent.hearsWords ? '' : text);
  } else {
    speak(draft, isRefused ? text : acknowledgement(agent, draft));
    run(agent, draft, next);
  }
}
