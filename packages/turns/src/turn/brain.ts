import type { Expected } from './ports.ts';
import { pushText, restOfText, type SentenceBuffer } from '../sentences.ts';
import { acceptReply, advance, replyFailed } from './reply.ts';
import { endSpeech, speak } from './speaking.ts';
import { holdingBack, ownUtterances, type Reply } from './reply-state.ts';
import { change, changeCaller, changeReply, type Step } from './state.ts';
import { dropReply } from './closing.ts';
import { callTools } from './tools.ts';

/** Longest reply, in characters; the rest is dropped. */
const MAX_REPLY_CHARS = 6_000;

/** The reply with this id while the model generates it, and its text without a whole sentence yet. */
const generating = (step: Step, replyId: number): { reply: Reply; pending: SentenceBuffer } | null => {
  const { reply } = step.state;
  const isGenerated = reply?.kind === 'brain' || reply?.kind === 'check_in';
  return isGenerated && reply.id === replyId && reply.stream.phase === 'generating'
    ? { reply, pending: reply.stream.pending }
    : null;
};

/** Speaks each sentence as it completes; while the reply is suspended, sentences are held back. */
export function onReplyText(
  step: Step,
  { replyId, text, isPiece = false }: { replyId: number; text: string; isPiece?: boolean },
  at: number,
): Step {
  const live = generating(step, replyId);
  if (live === null || text === '') return step;
  const { reply, pending } = live;
  const taken = reply.utterances.reduce((sum, u) => sum + u.text.length, pending.text.length);
  const kept = text.slice(0, Math.max(0, MAX_REPLY_CHARS - taken));
  const { buffer, sentences } = isPiece ? { buffer: pending, sentences: [kept] } : pushText(pending, kept);
  const next = changeReply(step, {
    stream: { phase: 'generating', pending: buffer },
    firstTextAt: reply.firstTextAt ?? at,
    activeAt: at,
  });
  return voice(next, sentences, at);
}

function voice(step: Step, sentences: readonly string[], at: number): Step {
  const { reply } = step.state;
  if (reply === null || sentences.length === 0) return step;
  if (reply.playing.phase === 'suspended') {
    return changeReply(step, { playing: holdingBack(reply.playing, sentences) });
  }
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
  const reply = generating(step, call.replyId)?.reply ?? null;
  // A check-in must not run tools.
  if (reply === null || reply.kind === 'check_in') return step;
  const heldTools = [...reply.heldTools, { id: call.id, name: call.name, args: call.args }];
  return callTools(changeReply(step, { heldTools, activeAt: at }), at);
}

export function onReplyDone(
  step: Step,
  done: { replyId: number; memory: unknown; expected: Expected | null; onSilence?: true },
  at: number,
): Step {
  const live = generating(step, done.replyId);
  if (live === null) return step;
  const rest = restOfText(live.pending);
  const flushed = voice(step, rest === null ? [] : [rest], at);
  const { memory, expected, onSilence } = done;
  const stream = { phase: 'done', memory, expected, ...(onSilence === true ? { onSilence } : {}) } as const;
  const finished = changeReply(flushed, { stream, activeAt: at });
  return afterDone(endSpeech(finished), at);
}

function afterDone(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply?.playing.phase !== 'prepared') return advance(acceptReply(step), at);
  // An empty prepared reply is not released.
  const empty = reply.utterances.length === 0 && reply.heldTools.length === 0;
  return empty ? notPrepared(dropReply(step)) : step;
}

/** The model failed: speaks the complete sentences and requests the rest; without one, the reply failed. */
export function onReplyFailed(step: Step, replyId: number, retryable: boolean, at: number): Step {
  const reply = generating(step, replyId)?.reply ?? null;
  if (reply === null) return step;
  if (reply.playing.phase === 'prepared') return notPrepared(dropReply(step));
  const goesOn = retryable && reply.attempt === 1 && reply.kind === 'brain' && !reply.calledTools;
  if (ownUtterances(reply).length > 0 && goesOn) {
    return abandonBrain(endSpeech(step), at, 'broken_off');
  }
  if (ownUtterances(reply).length > 0 || reply.calledTools) return abandonBrain(endSpeech(step), at);
  return replyFailed(step, retryable, at);
}

/** Preparing a reply failed: the next request waits for the commit. */
const notPrepared = (step: Step): Step =>
  changeCaller(step, { preparing: { failed: true, words: step.state.caller.preparing.words } });

/** Ends a reply with the text so far: later text is ignored, and its memory is not kept. */
export const abandonBrain = (step: Step, at: number, phase: 'abandoned' | 'broken_off' = 'abandoned'): Step =>
  advance(changeReply(step, { stream: { phase } }), at);

/** The turn is committed: plays its prepared reply and runs its tools. */
export function releaseReply(step: Step, at: number): Step {
  const { reply, tools } = step.state;
  if (reply === null) return step;
  const released = change(
    changeReply(step, { playing: { phase: 'released', releasedAt: at } }),
    { tools: { ...tools, fresh: false } },
    { type: 'release', replyId: reply.id },
  );
  return advance(acceptReply(callTools(released, at)), at);
}
