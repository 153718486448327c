import { reported } from './committed-turn.ts';
import { acceptReply, advance } from './reply.ts';
import { isUnfinished, type Utterance } from './reply-state.ts';
import { change, changeReply, type Step } from './state.ts';
import { sealTurn } from './transcript.ts';

function patch(step: Step, utteranceId: number, patched: (u: Utterance) => Utterance): Step | null {
  const { reply } = step.state;
  const found = reply?.utterances.find((u) => u.id === utteranceId);
  if (reply === null || found === undefined || reply.playing.phase !== 'released') return null;
  // An utterance given up as lost may still start late.
  if (!isUnfinished(found) && found.status !== 'failed') return null;
  return changeReply(step, { utterances: reply.utterances.map((u) => (u === found ? patched(u) : u)) });
}

/** The first packet of an utterance was sent: the caller hears the agent, so the last turn is final. */
export function onUtteranceStarted(step: Step, utteranceId: number, at: number): Step {
  const next = patch(step, utteranceId, (u) => ({ ...u, status: 'playing', startedAt: at, rest: u.text }));
  if (next === null) return step;
  const isFiller = next.state.reply?.utterances.some((u) => u.id === utteranceId && u.isFiller === true);
  const sealed = sealTurn(next);
  // A filler answers nothing: the reply's latency is that of the model's words.
  return isFiller === true ? sealed : acceptReply(reportLatency(sealed, at));
}

export function onUtteranceEnded(step: Step, utteranceId: number, at: number): Step {
  const next = patch(step, utteranceId, (u) => ({
    ...u,
    status: 'played',
    startedAt: u.startedAt ?? at,
    endedAt: at,
    heard: u.text,
    rest: '',
  }));
  return next === null ? step : advance(acceptReply(sealTurn(next)), at);
}

/** Reports the latency of a turn at the first packet of its reply, once a turn. */
function reportLatency(step: Step, at: number): Step {
  const { turn, reply } = step.state;
  if (turn === null || turn.phase === 'reported' || reply === null || reply.kind !== 'brain') return step;
  const { firstTextAt, requestedAt } = reply;
  return change(
    step,
    { turn: reported(turn) },
    {
      type: 'turn_latency',
      latency: {
        turn: step.state.turns,
        endpointingMs: Math.max(0, turn.committedAt - turn.lastSoundAt),
        recognitionMs: turn.finalAt === null ? null : Math.max(0, turn.finalAt - turn.lastSoundAt),
        modelMs: firstTextAt === null ? null : Math.max(0, firstTextAt - requestedAt),
        voiceMs: firstTextAt === null ? null : Math.max(0, at - firstTextAt),
        totalMs: Math.max(0, at - turn.lastSoundAt),
        prepared: turn.prepared,
      },
    },
  );
}
