import type {
  DtmfDigit,
  LlmProvider,
  LlmSession,
  MediaLeg,
  MediaSink,
  SttProvider,
  SttSession,
  TtsProvider,
  TtsSession,
  Vad,
  VadProvider,
} from '../voice/ports.ts';
import { frameSamples } from '../voice/ports.ts';
import { initialState, step, type TurnState } from '../voice/turn/machine.ts';
import { initialGate, stepGate, type GateState } from '../voice/turn/speech-gate.ts';
import type {
  EndReason,
  TranscriptLine,
  TurnEffect,
  TurnEvent,
  TurnLatency,
  TurnSettings,
} from '../voice/turn/types.ts';
import { Player } from './player.ts';
import type { Recorder, Recording } from './recorder.ts';

export interface SessionProviders {
  vad: VadProvider;
  stt: SttProvider;
  tts: TtsProvider;
  llm: LlmProvider;
}
