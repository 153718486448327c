import { onPartial } from './caller.ts';
import { dropReply } from './closing.ts';
import { canReopen, reopenTurn } from './commit.ts';
import { isPreparedFor, waitForFinalMs } from './endpoint.ts';
import { wordsSoFar } from './policies/endpointing.ts';
import { generate } from './reply.ts';
import { owedBy, owedUntil } from './segment.ts';
import { changeCaller, changeReply, isFloorFree, type Step } from './state.ts';
import type { Recognised } from './types.ts';
import { normalised } from './words.ts';

/** The turn may be over: prepares the reply to the words so far. */
export function onEager(step: Step, words: Recognised): Step {
  if (words.text === '') return onHeard(step, words.at);
  const heard = onPartial(step, words);
  const { caller, reply, keypad, stopping } = heard.state;
  if (caller.partial.text === '' || !isFloorFree(heard.state) || keypad !== null || stopping !== null)
    return heard;
  if (heard.state.startBy !== null) return heard;
  const answers = wordsSoFar(heard.state);
  if (reply !== null && isPreparedFor(reply, [answers], heard.state)) return heard;
  return generate(dropReply(heard), words.at, { speculative: true, words: answers });
}

/** Prepares a reply to words that look whole, before the recogniser ends them. */
export function anticipate(step: Step, at: number): Step {
  const words = wordsSoFar(step.state);
  const { failed, words: before } = step.state.caller.preparing;
  const preparing = { failed, words: [...before, normalised(words)] };
  return generate(changeCaller(step, { preparing }), at, { speculative: true, words });
}

/** The brain heard the turn itself: prepares its reply, which is released once the words are known. */
function onHeard(step: Step, at: number): Step {
  const { caller, reply, keypad, stopping, startBy } = step.state;
  if (
    caller.sound.phase === 'none' ||
    reply !== null ||
    keypad !== null ||
    stopping !== null ||
    startBy !== null
  )
    return step;
  const playing = { phase: 'prepared', answers: 'sound' } as const;
  const prepared = changeReply(generate(step, at, { speculative: true }), { playing });
  return owedUntil(caller.sound) === null ? prepared : waitOn(prepared, at);
}

/** The caller continues: drops the prepared reply, or reopens a turn that was committed without a certain end. */
export function onEndpointResumed(step: Step, turn: string | null, at: number): Step {
  const { reply, caller } = step.state;
  if (reply?.playing.phase === 'prepared' && reply.kind === 'brain') {
    const preparing = { failed: false, words: caller.preparing.words };
    return waitOn(changeCaller(dropReply(step), { preparing }), at);
  }
  if (turn === null || caller.taken?.turn !== turn || !canReopen(step)) {
    return reply === null && caller.partial.text !== '' ? waitOn(step, at) : step;
  }
  const reopened = reopenTurn(step);
  const { partial, end } = reopened.state.caller;
  return waitOn(
    changeCaller(reopened, {
      end: { certain: false, judged: end.judged },
      partial: { text: partial.text, turn },
    }),
    at,
  );
}

/** Waits for the words that the recogniser announced. */
function waitOn(step: Step, at: number): Step {
  const { caller } = step.state;
  return changeCaller(step, { sound: owedBy(caller.sound, at + waitForFinalMs(caller)) });
}
