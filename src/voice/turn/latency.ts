import { change, type Step } from './state.ts';

/** Reports the turn's waterfall when the first sound of its reply goes out; once per turn. */
export function reportLatency(step: Step, at: number): Step {
  const { turn, reply } = step.state;
  if (turn === null || turn.reported || reply === null || reply.kind !== 'brain') return step;
  const { firstTextAt, askedAt } = reply;
  return change(
    step,
    { turn: { ...turn, reported: true } },
    {
      type: 'turn_latency',
      latency: {
        turn: turn.number,
        endpointingMs: Math.max(0, turn.committedAt - turn.lastSoundAt),
        recognitionMs: turn.finalAt === null ? null : Math.max(0, turn.finalAt - turn.lastSoundAt),
        modelMs: firstTextAt === null ? null : Math.max(0, firstTextAt - askedAt),
        voiceMs: firstTextAt === null ? null : Math.max(0, at - firstTextAt),
        totalMs: Math.max(0, at - turn.lastSoundAt),
        prepared: turn.prepared,
      },
    },
  );
}
