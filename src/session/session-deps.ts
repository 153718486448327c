import type {
  BrainContext,
  LlmProvider,
  MediaLeg,
  OptOutSense,
  SttProvider,
  TtsProvider,
  VadProvider,
} from '../voice/ports.ts';
import type { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import type { EndReason } from '../voice/turn/types.ts';
import type { BridgeEvent, LiveEvent, Talk, ToolRequest } from '../workers/protocol.ts';
import type { Recorder } from './recorder.ts';

/** What one conversation needs from the thread that it runs on. */
export interface SessionDeps {
  providers: { vad: VadProvider; stt: SttProvider; tts: TtsProvider; llm: LlmProvider };
  leg: MediaLeg;
  /** Null: the call is not recorded. */
  recorder: Recorder | null;
  /** In-place noise filter for caller frames; null: off or not available. */
  noiseFilter: { process(frame: Int16Array): void; close(): void } | null;
  /** The thread's indexes of what agents may look up; absent: one of the call's own. */
  indexes?: KnowledgeIndexes;
  now: () => number;
  onLive(event: LiveEvent): void;
  /** What came of the talk since the last time: it is kept before the call ends. */
  onTalk(news: Talk): void;
  /** Understands beside the brain that the caller wants no more calls. */
  optOutSense(context: BrainContext): OptOutSense;
  /** The person asked not to be called again; told once, as soon as it is understood. */
  onOptOut(): void;
  /** A tool that works outside this call's media; answered by `toolResult`. */
  onTool(request: ToolRequest): void;
  onBridge(event: BridgeEvent): void;
  /** The conversation is over on our side: hang up the signalling. */
  onHangup(reason: EndReason): void;
}
