import { onPartial } from './caller.ts';
import { dropReply } from './closing.ts';
import { canReopen, reopenTurn } from './commit.ts';
import { isPreparedFor, waitForFinalMs } from './endpoint.ts';
import { wordsSoFar } from './policies/endpointing.ts';
import { generate } from './reply.ts';
import { changeCaller, changeReply, isFloorFree, type Step } from './state.ts';
import type { Recognised } from './types.ts';
import { normalised } from './words.ts';

/** The turn may be over: prepares the reply to the words so far. */
export function onEager(step: Step, words: Recognised): Step {
  if (words.text === '') return onHeard(step, words.at);
  const heard = onPartial(step, words);
  const { caller, reply, keypad, stopping } = heard.state;
  if (caller.partial === '' || !isFloorFree(heard.state) || keypad !== null || stopping !== null)
    return heard;
  if (heard.state.startBy !== null) return heard;
  const answers = wordsSoFar(heard.state);
  if (reply !== null && isPreparedFor(reply, [answers])) return heard;
  return generate(dropReply(heard), words.at, { speculative: true, words: answers });
}

/** Prepares a reply to words that look whole, before the recogniser ends them. */
export function anticipate(step: Step, at: number): Step {
  const words = wordsSoFar(step.state);
  const anticipated = [...step.state.caller.anticipated, normalised(words)];
  return generate(changeCaller(step, { anticipated }), at, { speculative: true, words });
}

/** The brain heard the turn itself: prepares its reply, which is released once the words are known. */
function onHeard(step: Step, at: number): Step {
  const { caller, reply, keypad, stopping, startBy } = step.state;
  if (!caller.sounded || reply !== null || keypad !== null || stopping !== null || startBy !== null)
    return step;
  const prepared = changeReply(generate(step, at, { speculative: true }), { hears: true });
  return caller.awaitingUntil === null ? prepared : waitOn(prepared, at);
}

/** The caller goes on: drops the prepared reply, or reopens the turn if it was committed for want of a certain end. */
export function onEndpointResumed(step: Step, turn: string | null, at: number): Step {
  const { reply, caller } = step.state;
  if (reply?.phase === 'prepared' && reply.kind === 'brain') {
    return waitOn(changeCaller(dropReply(step), { unprepared: false }), at);
  }
  if (turn === null || caller.taken?.turn !== turn || !canReopen(step)) {
    return reply === null && caller.partial !== '' ? waitOn(step, at) : step;
  }
  return waitOn(changeCaller(reopenTurn(step), { certain: false, partialTurn: turn }), at);
}

/** Waits for the words that the recogniser announced. */
function waitOn(step: Step, at: number): Step {
  const { caller } = step.state;
  return caller.speaking ? step : changeCaller(step, { awaitingUntil: at + waitForFinalMs(caller) });
}
