/**
 * Turns the speech probability of each 20 ms frame into speech edges, with hysteresis: sound must last `startMs` to
 * start speech, quiet `stopMs` to end it. Pure.
 */
export interface GateSettings {
  /** Thresholds of probability; between them the state does not change. */
  startAbove: number;
  stopBelow: number;
  startMs: number;
  stopMs: number;
  /** Frames below this level count as quiet at any probability. */
  floorDbfs: number;
}

export const GATE_SETTINGS: GateSettings = {
  startAbove: 0.5,
  stopBelow: 0.35,
  startMs: 60,
  stopMs: 80,
  floorDbfs: -60,
};

export interface GateState {
  readonly speaking: boolean;
  /** Start and length of the loud run that may become speech. */
  readonly loudSince: number | null;
  readonly loudMs: number;
  /** End of the last frame that was not quiet. */
  readonly lastSound: number;
  /** Speech is quiet now; the next frames show whether it has ended. */
  readonly isPaused: boolean;
}

export const initialGate = (): GateState => ({
  speaking: false,
  loudSince: null,
  loudMs: 0,
  lastSound: 0,
  isPaused: false,
});

/** `at` is the end of the frame in ms, `levelDbfs` its RMS level (0 dB is full scale). */
export interface GateFrame {
  probability: number;
  levelDbfs: number;
  frameMs: number;
  at: number;
}

export type GateEdge =
  | { type: 'speech_started'; at: number; since: number }
  | { type: 'speech_stopped'; at: number; since: number };

/** Handles one frame; `edge` is set where speech begins or ends, with `since` the time of the sound. */
export function stepGate(
  gate: GateState,
  frame: GateFrame,
  settings: GateSettings = GATE_SETTINGS,
): { gate: GateState; edge: GateEdge | null } {
  const probability = frame.levelDbfs < settings.floorDbfs ? 0 : frame.probability;
  return gate.speaking
    ? whileSpeaking(gate, frame, probability, settings)
    : whileQuiet(gate, frame, probability, settings);
}

function whileQuiet(gate: GateState, frame: GateFrame, probability: number, settings: GateSettings) {
  if (probability < settings.stopBelow) {
    return { gate: gate.loudSince === null ? gate : { ...gate, loudSince: null, loudMs: 0 }, edge: null };
  }
  if (probability < settings.startAbove) return { gate, edge: null };
  const since = gate.loudSince ?? frame.at - frame.frameMs;
  const loudMs = gate.loudMs + frame.frameMs;
  if (loudMs < settings.startMs) return { gate: { ...gate, loudSince: since, loudMs }, edge: null };
  return {
    gate: { speaking: true, loudSince: null, loudMs: 0, lastSound: frame.at, isPaused: false },
    edge: { type: 'speech_started', at: frame.at, since } as const,
  };
}

function whileSpeaking(gate: GateState, frame: GateFrame, probability: number, settings: GateSettings) {
  if (probability >= settings.stopBelow) {
    return { gate: { ...gate, lastSound: frame.at, isPaused: false }, edge: null };
  }
  if (frame.at - gate.lastSound < settings.stopMs) {
    return { gate: gate.isPaused ? gate : { ...gate, isPaused: true }, edge: null };
  }
  return {
    gate: { ...gate, speaking: false, isPaused: false },
    edge: { type: 'speech_stopped', at: frame.at, since: gate.lastSound } as const,
  };
}
