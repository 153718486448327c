import type { Expected } from './ports.ts';
import { pushText, restOfText } from '../sentences.ts';
import { acceptReply, advance, replyFailed } from './reply.ts';
import { endSpeech, speak } from './speaking.ts';
import { change, changeCaller, changeReply, ownUtterances, type Reply, type Step } from './state.ts';
import { dropReply } from './closing.ts';
import { callTools } from './tools.ts';

/** Text of a reply beyond this is dropped. */
const MAX_REPLY_CHARS = 6_000;

const liveReply = (step: Step, replyId: number): Reply | null => {
  const { reply } = step.state;
  const isGenerated = reply?.kind === 'brain' || reply?.kind === 'check_in';
  return isGenerated && reply.id === replyId && !reply.done ? reply : null;
};

/** Speaks each sentence as it completes; while the reply is suspended, sentences are held back. */
export function onReplyText(
  step: Step,
  { replyId, text, isPiece = false }: { replyId: number; text: string; isPiece?: boolean },
  at: number,
): Step {
  const reply = liveReply(step, replyId);
  if (reply === null || text === '') return step;
  const taken = reply.utterances.reduce((sum, u) => sum + u.text.length, reply.pending.text.length);
  const kept = text.slice(0, Math.max(0, MAX_REPLY_CHARS - taken));
  const { buffer, sentences } = isPiece
    ? { buffer: reply.pending, sentences: [kept] }
    : pushText(reply.pending, kept);
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

/** Holds a tool call until its reply is released. */
export function onReplyTool(
  step: Step,
  call: { replyId: number; id: string; name: string; args: Record<string, unknown> },
  at: number,
): Step {
  const reply = liveReply(step, call.replyId);
  // A silence is no reason to act.
  if (reply === null || reply.kind === 'check_in') return step;
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
  return afterDone(endSpeech(finished), at);
}

function afterDone(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply?.phase !== 'prepared') return advance(acceptReply(step), at);
  // An empty prepared reply is not released.
  const empty = reply.utterances.length === 0 && reply.heldTools.length === 0;
  return empty ? changeCaller(dropReply(step), { unprepared: true }) : step;
}

/** The model failed. Complete sentences are still spoken, and a new reply goes on; a reply without any is a failure. */
export function onReplyFailed(step: Step, replyId: number, retryable: boolean, at: number): Step {
  const reply = liveReply(step, replyId);
  if (reply === null) return step;
  if (reply.phase === 'prepared') return changeCaller(dropReply(step), { unprepared: true });
  const goesOn = retryable && reply.attempt === 1 && reply.kind === 'brain' && !reply.calledTools;
  if (ownUtterances(reply).length > 0 && goesOn) {
    return abandonBrain(changeReply(endSpeech(step), { brokenOff: true }), at);
  }
  if (ownUtterances(reply).length > 0 || reply.calledTools) return abandonBrain(endSpeech(step), at);
  return replyFailed(step, retryable, at);
}

/** Ends a reply with the text so far: later text is ignored, and its memory is not kept. */
export function abandonBrain(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  return advance(changeReply(step, { done: true, accepted: true, pending: { text: '', first: false } }), at);
}

/** The turn is committed: plays its prepared reply and runs its tools. */
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
