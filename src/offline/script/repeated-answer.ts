import {
  asksSomething,
  bareAnswer,
  type CallerLine,
  normal,
  sentences,
  takesBack,
  understand,
} from '@callwright/language';
import { YES_NO } from './answer-step.ts';
import type { Answered, Memory, Pending } from './memory.ts';
import { type Agent, type Draft, prompt, speak } from './turn.ts';

/** Callers who say yes more often than that do not repeat an answer: the pending question is not understood. */
const MOST_REPEATS = 2;
/** So much of a question shows that the caller heard it. */
const HEARD_CHARS = 12;

/** Whether yes or no may answer the pending question. */
function wantsYesNo({ script }: Agent, pending: Pending): boolean {
  switch (pending.type) {
    case 'step': {
      const step = script.steps[pending.at];
      if (step?.type !== 'ask') return true;
      return step.answer === 'yes_no' || step.answer === 'free' || step.answer === 'rest';
    }
    case 'other_time':
      return pending.value !== null;
    case 'callback':
    case 'help':
      return false;
    case 'opening':
    case 'verify':
    case 'anything_else':
    case 'more':
    case 'closed':
      break;
  }
  return true;
}

/** What the line answered by yes or no in the memory before it; null when it answered otherwise. */
export function answeredWith(agent: Agent, asked: Memory, line: CallerLine): Answered | null {
  if (!wantsYesNo(agent, asked.pending)) return null;
  const answer = understand(line, YES_NO, agent.wording)?.type;
  if (answer !== 'yes' && answer !== 'no') return null;
  return { answer, pending: asked.pending, slots: asked.slots, results: asked.results, repeated: 0 };
}

/** Whether the caller spoke before the agent had asked the pending question. */
function isUnheard({ history, fresh, memory }: Draft): boolean {
  const at = history.findLastIndex((item) => item.role === 'agent');
  const last = history[at];
  const since = history.slice(at + 1).filter((item) => item.role === 'caller').length;
  // Nothing of the last reply was said.
  if (since > fresh) return true;
  if (last?.role !== 'agent' || !last.interrupted) return false;
  const question = normal(sentences(memory.said).at(-1) ?? '').slice(0, HEARD_CHARS);
  return !normal(last.text).includes(question);
}

/**
 * Whether a line only repeats the yes or no before it ("Yeah." "That is right."). Where yes or no may also answer the pending
 * question, it does so once the caller has heard that question.
 */
export function repeatsAnswer(
  agent: Agent,
  draft: Draft,
  answered: Answered | null,
  line: CallerLine,
): answered is Answered {
  const { pending } = draft.memory;
  if (answered === null || line.by === 'keypad' || answered.repeated >= MOST_REPEATS) return false;
  if (pending.type === 'closed' || bareAnswer(line.text, agent.wording) !== answered.answer) return false;
  if (asksSomething(line.text, agent.wording)) return false;
  const step = pending.type === 'step' ? agent.script.steps[pending.at] : undefined;
  if (step?.type === 'ask' && understand(line, step, agent.wording)?.type === 'value' && !isUnheard(draft))
    return false;
  return !wantsYesNo(agent, pending) || isUnheard(draft);
}

/** Goes on with what the repetition interrupted, or asks the pending question in place; it counts as no retry. */
export function goOnWithout(agent: Agent, draft: Draft, answered: Answered): void {
  draft.memory = { ...draft.memory, answered: { ...answered, repeated: answered.repeated + 1 } };
  if (isUnheard(draft)) speak(draft, draft.memory.said);
  else prompt(agent, draft);
}

/**
 * The memory from before a yes to a read-back that the caller takes back by the next line ("Yeah." "No, that is wrong."), so
 * that the line answers the read-back; null for other lines, and once a tool has used the answer.
 */
export function takenBack(
  agent: Agent,
  draft: Draft,
  answered: Answered | null,
  line: CallerLine,
): Memory | null {
  const { memory } = draft;
  if (answered?.answer !== 'yes' || line.by === 'keypad' || memory.pending.type === 'closed') return null;
  const { pending, slots } = answered;
  const isReadBack =
    pending.type === 'verify' ||
    (pending.type === 'step' && agent.script.steps[pending.at]?.type === 'confirm');
  if (!isReadBack || memory.awaiting !== null || memory.results > answered.results) return null;
  if (wantsYesNo(agent, memory.pending) && !isUnheard(draft)) return null;
  return takesBack(line.text, agent.wording) ? { ...memory, pending, slots, retries: 0 } : null;
}
