import type { EndReason } from './types.ts';
import {
  isDone,
  newReply,
  suspended,
  type Playing,
  type Reply,
  type Stopped,
  type Utterance,
} from './reply-state.ts';
import { change, changeReply, isSilenced, type Step } from './state.ts';

const LETTER = /[\p{L}\p{N}*#]/u;

/** Appends one sentence to the live reply and requests its audio. */
export function speak(
  step: Step,
  text: string,
  at: number,
  how: { isFiller?: true; author?: string } = {},
): Step {
  const { reply, nextUtteranceId } = step.state;
  if (reply === null || !LETTER.test(text)) return step;
  const utterance: Utterance = {
    id: nextUtteranceId,
    text,
    status: 'queued',
    requestedAt: at,
    startedAt: null,
    endedAt: null,
    heard: '',
    rest: text,
    ...how,
  };
  return changeReply(
    change(step, { nextUtteranceId: nextUtteranceId + 1 }),
    { utterances: [...reply.utterances, utterance] },
    { type: 'speak', replyId: reply.id, utteranceId: utterance.id, text },
  );
}

/** The live reply has no further sentence. A suspended one ends its speech when it resumes. */
export function endSpeech(step: Step): Step {
  const { reply } = step.state;
  if (reply === null || reply.playing.phase === 'suspended') return step;
  return change(step, {}, { type: 'end_speech', replyId: reply.id });
}

/**
 * Starts a reply with a fixed text. An empty text completes at once; a prepared one sounds after its release. Nothing is said
 * while a person talks in the agent's place.
 */
export function say(
  step: Step,
  text: string,
  at: number,
  how: { kind: Reply['kind']; ending?: Reply['ending']; isPrepared?: true; author?: string },
): Step {
  if (isSilenced(step.state)) return step;
  const id = step.state.nextReplyId;
  const playing: Playing =
    how.isPrepared === true ? { phase: 'prepared', answers: 'turn' } : { phase: 'released', releasedAt: at };
  const reply: Reply = {
    ...newReply(id, how.kind, playing, at),
    ending: how.ending ?? null,
  };
  const author = how.author === undefined ? {} : { author: how.author };
  const spoken = speak(change(step, { reply, nextReplyId: id + 1 }), text, at, author);
  const whole = endSpeech(spoken);
  return how.isPrepared === true ? whole : change(whole, { startBy: null }, { type: 'release', replyId: id });
}

/** Resumes a stopped reply: speaks the unheard rest, then the sentences held back. */
export function speakRest(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null || reply.playing.phase === 'prepared') return step;
  const { playing } = reply;
  const rests = [
    ...reply.utterances.filter((u) => u.status === 'stopped').map((u) => u.rest),
    ...(playing.phase === 'suspended' ? playing.heldBack : []),
  ];
  const utterances = reply.utterances.map((u) => (u.status === 'stopped' ? { ...u, rest: '' } : u));
  let next = changeReply(step, {
    playing: { phase: 'released', releasedAt: playing.releasedAt },
    utterances,
  });
  for (const rest of rests) next = speak(next, rest, at);
  if (isDone(reply)) next = endSpeech(next);
  return change(next, {}, { type: 'release', replyId: reply.id });
}

/** A goodbye that cannot be interrupted or cancelled. */
export const lastWords = (step: Step, text: string, at: number, reason: EndReason, closeBy: number): Step =>
  say(step, text, at, { kind: 'phrase', ending: { reason, cancellable: false, closeBy } });

/** Suspends the reply; `stopped`: the possible interruption that stopped it, null for a hold. */
export const suspend = (step: Step, stopped: Stopped | null): Step => {
  const { reply } = step.state;
  return reply === null ? step : changeReply(step, { playing: suspended(reply.playing, stopped) });
};
