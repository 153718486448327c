import type { Expected } from '../ports.ts';
import { pushText, restOfText } from '../prompt/sentences.ts';
import { acceptReply, advance, replyFailed } from './reply.ts';
import { speak } from './speaking.ts';
import { change, changeCaller, changeReply, type Reply, type Step } from './state.ts';
import { dropReply } from './closing.ts';
import { callTools } from './tools.ts';

/** More text than anyone listens to: the rest of such a reply is not taken. */
const LONGEST_REPLY_CHARS = 6_000;

const liveReply = (step: Step, replyId: number): Reply | null => {
  const { reply } = step.state;
  return reply !== null && reply.id === replyId && reply.kind === 'brain' && !reply.done ? reply : null;
};

/** A piece of text: whole sentences of it are spoken as they come, or kept back while suspended. */
export function onReplyText(step: Step, replyId: number, text: string, at: number): Step {
  const reply = liveReply(step, replyId);
  if (reply === null || text === '') return step;
  const taken = reply.utterances.reduce((sum, u) => sum + u.text.length, reply.pending.text.length);
  const { buffer, sentences } = pushText(
    reply.pending,
    text.slice(0, Math.max(0, LONGEST_REPLY_CHARS - taken)),
  );
  const next = changeReply(step, {
    pending: buffer,
    firstTextAt: reply.firstTextAt ?? at,
    activeAt: at,
  });
  return voice(next, sentences, at);
}

function voice(step: Step, sentences: readonly string[], at: number): Step {
  const { reply } = step.state;
  if (reply === null || sentences.length === 0) return step;
  if (reply.phase === 'suspended') return changeReply(step, { heldBack: [...reply.heldBack, ...sentences] });
  let next = step;
  for (const sentence of sentences) next = speak(next, sentence, at);
  return next;
}

/** A tool call takes effect only in a reply that is certain. */
export function onReplyTool(
  step: Step,
  call: { replyId: number; id: string; name: string; args: Record<string, unknown> },
  at: number,
): Step {
  const reply = liveReply(step, call.replyId);
  if (reply === null) return step;
  const heldTools = [...reply.heldTools, { id: call.id, name: call.name, args: call.args }];
  return callTools(changeReply(step, { heldTools, activeAt: at }), at);
}

export function onReplyDone(
  step: Step,
  done: { replyId: number; memory: unknown; expected: Expected | null },
  at: number,
): Step {
  const reply = liveReply(step, done.replyId);
  if (reply === null) return step;
  const rest = restOfText(reply.pending);
  const flushed = voice(step, rest === null ? [] : [rest], at);
  const { memory, expected } = done;
  const finished = changeReply(flushed, { done: true, memory, expected, activeAt: at });
  return afterDone(finished, at);
}

function afterDone(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply?.phase !== 'prepared') return advance(acceptReply(step), at);
  // A prepared reply that says and does nothing is not worth releasing.
  const empty = reply.utterances.length === 0 && reply.heldTools.length === 0;
  return empty ? changeCaller(dropReply(step), { unprepared: true }) : step;
}

/** The brain gave up. Sentences that are whole are still said; a reply without any has failed. */
export function onReplyFailed(step: Step, replyId: number, retryable: boolean, at: number): Step {
  const reply = liveReply(step, replyId);
  if (reply === null) return step;
  if (reply.phase === 'prepared') return changeCaller(dropReply(step), { unprepared: true });
  if (reply.utterances.length > 0 || reply.calledTools) return abandonBrain(step, at);
  return replyFailed(step, retryable, at);
}

/** Goes on with what there is of a reply: nothing more of it is taken, and its memory never counts. */
export function abandonBrain(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  return advance(changeReply(step, { done: true, accepted: true, pending: { text: '', first: false } }), at);
}

/** The turn is certain: its prepared reply may sound, and its tools run. */
export function releaseReply(step: Step, at: number): Step {
  const { reply, tools } = step.state;
  if (reply === null) return step;
  const released = change(
    changeReply(step, { phase: 'released', releasedAt: at }),
    { tools: { ...tools, fresh: false } },
    { type: 'release', replyId: reply.id },
  );
  return advance(acceptReply(callTools(released, at)), at);
}
