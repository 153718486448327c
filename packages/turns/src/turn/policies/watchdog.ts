import { abandonBrain } from '../brain.ts';
import { CHECK_IN_MS } from '../check-in.ts';
import { endCall, stopSpeaking } from '../closing.ts';
import { advance, replyFailed } from '../reply.ts';
import { isAudible, isDone, isUnfinished, ownUtterances } from '../reply-state.ts';
import { change, changeReply, type Step, type TurnState } from '../state.ts';

/** An utterance that has not started by START_MS is lost; one that plays longer than STUCK_MS is stuck. */
const START_MS = 3_000;
const STUCK_MS = { base: 8_000, perChar: 350 } as const;

/** After a tool: total silence before an apology, and the minimum time for the model within it. */
const SILENCE_MS = 7_000;
const MIN_MODEL_MS = 1_500;

/** When the wait for the model's next text times out, counted from the commit or the model's last event. */
export function replyTimeoutDue(state: TurnState): number | null {
  const { reply, settings } = state;
  if (reply?.playing.phase !== 'released' || isDone(reply)) return null;
  const own = ownUtterances(reply);
  if (own.some(isUnfinished)) return null;
  if (reply.kind === 'check_in' && own.length === 0) return reply.playing.releasedAt + CHECK_IN_MS;
  const lastSound = Math.max(0, ...own.map((u) => u.endedAt ?? 0));
  const due = Math.max(reply.playing.releasedAt, reply.activeAt, lastSound) + settings.replyTimeoutMs;
  if (state.tools.rounds === 0 || own.length > 0) return due;
  // The wait for the tool counts too, so that both together stay below the limit.
  return Math.max(reply.playing.releasedAt + MIN_MODEL_MS, Math.min(due, state.idle.since + SILENCE_MS));
}

export function replyTimedOut(step: Step, at: number): Step {
  const { reply, settings } = step.state;
  if (reply === null) return step;
  if (ownUtterances(reply).length === 0 && !reply.calledTools) {
    const again =
      step.state.tools.rounds === 0 || at - step.state.idle.since <= settings.replyTimeoutMs + MIN_MODEL_MS;
    return replyFailed(step, again, at);
  }
  return abandonBrain(change(step, {}, { type: 'cancel_reply', replyId: reply.id }), at);
}

/** When the next utterance, which has not started, is dropped. */
export function startDue({ reply }: TurnState): number | null {
  if (reply?.playing.phase !== 'released') return null;
  const index = reply.utterances.findIndex(isUnfinished);
  const next = reply.utterances[index];
  if (next === undefined || next.status !== 'queued') return null;
  const before = Math.max(0, ...reply.utterances.slice(0, index).map((u) => u.endedAt ?? 0));
  return Math.max(reply.playing.releasedAt, next.requestedAt, before) + START_MS;
}

/** A voice without audio for the first sentence is given up for the whole reply: waiting for each would be dead air. */
export function startTimedOut(step: Step, at: number): Step {
  const { reply } = step.state;
  const waiting = reply?.utterances.filter(isUnfinished) ?? [];
  return lose(step, new Set((isAudible(reply) ? waiting.slice(0, 1) : waiting).map(({ id }) => id)), at);
}

/** Continues without an utterance that failed. */
export const utteranceLost = (step: Step, utteranceId: number, at: number): Step =>
  lose(step, new Set([utteranceId]), at);

function lose(step: Step, ids: ReadonlySet<number>, at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const utterances = reply.utterances.map((u) =>
    ids.has(u.id) && isUnfinished(u)
      ? { ...u, status: 'failed' as const, endedAt: at, heard: '', rest: '' }
      : u,
  );
  return advance(changeReply(step, { utterances }), at);
}

export function stuckDue({ reply }: TurnState): number | null {
  if (reply?.playing.phase !== 'released') return null;
  const playing = reply.utterances.find((u) => u.status === 'playing');
  if (playing === undefined) return null;
  return (playing.startedAt ?? playing.requestedAt) + STUCK_MS.base + playing.text.length * STUCK_MS.perChar;
}

export const skipStuck = (step: Step, at: number): Step => stopSpeaking(step, { kind: 'skip' }, at);

/** The deadline of a goodbye. */
export const closeByDue = ({ reply }: TurnState): number | null => reply?.ending?.closeBy ?? null;

export function closeNow(step: Step, at: number): Step {
  const ending = step.state.reply?.ending;
  return ending == null ? step : endCall(step, ending.reason, true, at);
}
