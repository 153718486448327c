import { dropReply, closeReply, stopSpeaking } from './closing.ts';
import { isTalking } from './caller-state.ts';
import { generate } from './reply.ts';
import { isUnfinished } from './reply-state.ts';
import { change, isSilenced, type Step } from './state.ts';
import { hush } from './stop.ts';
import { sealTurn } from './transcript.ts';

/** A note of a person to the agent: its next reply knows it. A reply that was prepared without it is dropped. */
export function onNote(step: Step, text: string): Step {
  const sealed = sealTurn(step);
  const known = sealed.state.reply?.playing.phase === 'prepared' ? dropReply(sealed) : sealed;
  return change(known, { history: [...known.state.history, { role: 'note', text }] });
}

/** The agent stops and speaks a sentence that a person wrote; a final goodbye goes on instead. */
export const onSay = (step: Step, text: string, author: string, at: number): Step =>
  isSilenced(step.state) ? step : hush(step, { text, author }, at);

/**
 * A person talks in the agent's place from here on: the agent stops, also in a goodbye, and neither speaks nor asks its model.
 * The caller's words are still recognised and recorded as turns.
 */
export function takeOver(step: Step, at: number): Step {
  if (isSilenced(step.state)) return step;
  const silenced = change(step, { voice: 'silenced', startBy: null });
  const { reply } = silenced.state;
  if (reply?.playing.phase === 'prepared') return dropReply(silenced);
  if (reply?.playing.phase === 'released' && reply.utterances.some(isUnfinished))
    return stopSpeaking(silenced, { kind: 'hush', say: null }, at);
  return closeReply(silenced, at);
}

/** Words of the person who talks in the agent's place, or of a guest beside it, as one line of the conversation. */
export function onPersonSaid(
  step: Step,
  said: {
    readonly text: string;
    readonly author: string;
    readonly since: number;
    readonly at: number;
    readonly isGuest?: true;
  },
): Step {
  const { text, author, since, at, isGuest } = said;
  const guest = isGuest === undefined ? {} : { author };
  const sealed = sealTurn(step);
  return change(
    sealed,
    {
      history: [...sealed.state.history, { role: 'agent', text, interrupted: false, by: 'person', ...guest }],
      // A caller who listens to a member or a guest is not idle: the agent does not ask "Are you still there?".
      idle: { since: at, warned: false },
    },
    {
      type: 'transcribe',
      line: {
        role: 'agent',
        text,
        startedAt: Math.min(since, at),
        endedAt: at,
        interrupted: false,
        by: 'speech',
        author,
      },
    },
  );
}

/** The agent has the call again: it answers the caller's last words if the person did not, else it waits for new ones. */
export function handBack(step: Step, at: number): Step {
  if (!isSilenced(step.state)) return step;
  const back = change(step, { voice: 'full', idle: { since: at, warned: false }, missed: 0, failures: 0 });
  const { history, caller, keypad, attended, held, tools } = back.state;
  const isOpen = isTalking(caller) || caller.text !== '' || keypad !== null || tools.fresh;
  if (isOpen || held || attended !== 'person' || history.at(-1)?.role !== 'caller') return back;
  return generate(back, at, { speculative: false });
}
