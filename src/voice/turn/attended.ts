import { closeReply, dropReply, stopSpeaking } from './closing.ts';
import { say } from './speaking.ts';
import { change, clearedCaller, isUnfinished, type Step } from './state.ts';

/** A machine has taken the call: what it says is nobody's turn, and nothing more is said to it of our own accord. */
export function onMachine(step: Step, before: 'machine' | 'screening', at: number): Step {
  const caller = { ...clearedCaller(step.state.caller), speaking: false };
  return hush(change(step, { attended: before, caller, keypad: null }), null, at);
}

/** Tells a screening machine who calls, then waits for a person without a bound of its own. */
export const introduce = (step: Step, text: string, at: number): Step =>
  step.state.attended === 'screening' ? hush(step, text, at) : step;

/** A person is on the line after all: silence is counted anew. */
export function onPerson(step: Step, at: number): Step {
  if (step.state.attended !== 'screening') return step;
  const back = change(step, { attended: 'person', idle: { since: at, warned: false } });
  return back.state.reply?.phase === 'prepared' ? dropReply(back) : closeReply(back, at);
}

/** Stops what is being said; a last goodbye is left to end the call. */
function hush(step: Step, text: string | null, at: number): Step {
  const { reply } = step.state;
  if (reply?.ending?.cancellable === false) return step;
  if (reply?.phase === 'prepared') return hushed(dropReply(step), text, at);
  if (reply?.phase === 'released' && reply.utterances.some(isUnfinished)) {
    return stopSpeaking(step, { kind: 'hush', say: text }, at);
  }
  return hushed(step, text, at);
}

/** What was heard goes on record and the rest is forgotten; then `text`, if there is any. */
export function hushed(step: Step, text: string | null, at: number): Step {
  const closed = closeReply(step, at);
  return text === null ? closed : say(closed, text, at, { kind: 'phrase' });
}
