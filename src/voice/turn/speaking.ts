import type { EndReason } from './types.ts';
import { change, changeReply, newReply, type Reply, type Step, type Utterance } from './state.ts';

const LETTER = /[\p{L}\p{N}*#]/u;

/** Adds one sentence to the live reply and asks for its audio. */
export function speak(step: Step, text: string, at: number): Step {
  const { reply, nextUtteranceId } = step.state;
  if (reply === null || !LETTER.test(text)) return step;
  const utterance: Utterance = {
    id: nextUtteranceId,
    text,
    status: 'queued',
    askedAt: at,
    startedAt: null,
    endedAt: null,
    heard: '',
    rest: text,
  };
  return changeReply(
    change(step, { nextUtteranceId: nextUtteranceId + 1 }),
    { utterances: [...reply.utterances, utterance] },
    { type: 'speak', replyId: reply.id, utteranceId: utterance.id, text },
  );
}

/** Says words of our own. An empty phrase counts as said: the reply is over as soon as it is looked at. */
export function say(
  step: Step,
  text: string,
  at: number,
  how: { kind: Reply['kind']; ending?: Reply['ending']; closeBy?: number },
): Step {
  const id = step.state.nextReplyId;
  const reply: Reply = {
    ...newReply(id, how.kind, 'released', at),
    ending: how.ending ?? null,
    closeBy: how.closeBy ?? null,
  };
  const spoken = speak(change(step, { reply, nextReplyId: id + 1 }), text, at);
  return change(spoken, {}, { type: 'release', replyId: id });
}

/** Speaks what a stop left unheard, then what came meanwhile, under the same reply. */
export function speakRest(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const rests = [
    ...reply.utterances.filter((u) => u.status === 'stopped').map((u) => u.rest),
    ...reply.heldBack,
  ];
  const utterances = reply.utterances.map((u) => (u.status === 'stopped' ? { ...u, rest: '' } : u));
  let next = changeReply(step, { phase: 'released', utterances, heldBack: [] });
  for (const rest of rests) next = speak(next, rest, at);
  return change(next, { stopped: null }, { type: 'release', replyId: reply.id });
}

/** A goodbye that nothing calls off. */
export const lastWords = (step: Step, text: string, at: number, reason: EndReason, closeBy: number): Step =>
  say(step, text, at, { kind: 'phrase', ending: { reason, cancellable: false }, closeBy });
