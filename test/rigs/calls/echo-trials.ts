import { createVadProvider } from '../../../src/providers/vad/provider.ts';
import { roomCall, type RoomResult } from './room-call.ts';
import type { RoomSpeech } from './room-speech.ts';

export interface EchoTrial {
  readonly echo: { readonly delayMs: number; readonly db: number; readonly walls: boolean };
  /** The caller is silent: everything heard is the agent's own voice. */
  readonly self: RoomResult;
  /** The caller interrupts. */
  readonly real: RoomResult;
}

const DELAYS = [20, 60, 120, 180, 250];
const LEVELS = [-12, -18, -24, -30];
/** The caller speaks into different words of the agent. */
const INTO_MS = [1_500, 2_300, 3_100, 4_000, 5_200];

/** Pairs of calls with an echo: all levels and delays in turn, every other round with reflections. */
export async function echoTrials(speech: RoomSpeech, count: number): Promise<EchoTrial[]> {
  const vad = createVadProvider();
  const agent = [speech.agent];
  const trials: EchoTrial[] = [];
  for (let n = 0; n < count; n++) {
    const round = Math.floor(n / (DELAYS.length * LEVELS.length));
    const delayMs = Math.min(250, (DELAYS[n % DELAYS.length] ?? 0) + round * 7);
    const db = LEVELS[Math.floor(n / DELAYS.length) % LEVELS.length] ?? 0;
    const echo = { delayMs, db, walls: n % 2 === 1 };
    const atMs = (INTO_MS[n % INTO_MS.length] ?? 0) + round * 130;
    const pcm = speech.callers[n % speech.callers.length] ?? new Int16Array(0);
    trials.push({
      echo,
      self: await roomCall({ vad, room: { echo }, agent, caller: [], endMs: 13_000 }),
      real: await roomCall({ vad, room: { echo }, agent, caller: [{ atMs, pcm }], endMs: atMs + 3_000 }),
    });
  }
  return trials;
}
