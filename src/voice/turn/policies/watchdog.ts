import { abandonBrain } from '../brain.ts';
import { endCall, stopSpeaking } from '../closing.ts';
import { advance, replyFailed } from '../reply.ts';
import { change, changeReply, isUnfinished, type Step, type TurnState } from '../state.ts';

/** An utterance that does not sound by then is lost; one that sounds for longer than its text can take is stuck. */
const START_MS = 3_000;
const STUCK_MS = { base: 8_000, perChar: 350 } as const;

/** Silence that goes before an apology after a tool, and the least a brain is given then. */
const SILENCE_MS = 7_000;
const LEAST_MS = 1_500;

/** The brain owes text: since the turn was committed, or since its last sign of life. */
export function replyTimeoutDue(state: TurnState): number | null {
  const { reply, settings } = state;
  if (reply?.phase !== 'released' || reply.done || reply.utterances.some(isUnfinished)) return null;
  const lastSound = Math.max(0, ...reply.utterances.map((u) => u.endedAt ?? 0));
  const due = Math.max(reply.releasedAt ?? 0, reply.activeAt, lastSound) + settings.replyTimeoutMs;
  if (state.tools.rounds === 0 || reply.utterances.length > 0) return due;
  // The wait for a tool went before: both together are no dead air.
  return Math.max((reply.releasedAt ?? 0) + LEAST_MS, Math.min(due, state.idle.since + SILENCE_MS));
}

export function replyTimedOut(step: Step, at: number): Step {
  const { reply, settings } = step.state;
  if (reply === null) return step;
  if (reply.utterances.length === 0 && !reply.calledTools) {
    const again =
      step.state.tools.rounds === 0 || at - step.state.idle.since <= settings.replyTimeoutMs + LEAST_MS;
    return replyFailed(step, again, at);
  }
  return abandonBrain(change(step, {}, { type: 'cancel_reply', replyId: reply.id }), at);
}

/** The next utterance in order should have sounded by now. */
export function startDue({ reply }: TurnState): number | null {
  if (reply?.phase !== 'released') return null;
  const index = reply.utterances.findIndex(isUnfinished);
  const next = reply.utterances[index];
  if (next === undefined || next.status !== 'queued') return null;
  const before = Math.max(0, ...reply.utterances.slice(0, index).map((u) => u.endedAt ?? 0));
  return Math.max(reply.releasedAt ?? 0, next.askedAt, before) + START_MS;
}

export function startTimedOut(step: Step, at: number): Step {
  const next = step.state.reply?.utterances.find(isUnfinished);
  return next === undefined ? step : utteranceLost(step, next.id, at);
}

/** Goes on without an utterance that could not be made or played. */
export function utteranceLost(step: Step, utteranceId: number, at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const utterances = reply.utterances.map((u) =>
    u.id === utteranceId && isUnfinished(u)
      ? { ...u, status: 'failed' as const, endedAt: at, heard: '', rest: '' }
      : u,
  );
  return advance(changeReply(step, { utterances }), at);
}

export function stuckDue({ reply }: TurnState): number | null {
  if (reply?.phase !== 'released') return null;
  const playing = reply.utterances.find((u) => u.status === 'playing');
  if (playing === undefined) return null;
  return (playing.startedAt ?? playing.askedAt) + STUCK_MS.base + playing.text.length * STUCK_MS.perChar;
}

export const skipStuck = (step: Step, at: number): Step => stopSpeaking(step, { kind: 'skip' }, at);

/** Last words have a bound of their own. */
export const closeByDue = ({ reply }: TurnState): number | null =>
  reply === null || reply.ending === null ? null : reply.closeBy;

export function closeNow(step: Step, at: number): Step {
  const ending = step.state.reply?.ending;
  return ending == null ? step : endCall(step, ending.reason, true, at);
}
