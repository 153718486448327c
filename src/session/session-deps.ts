import type { OptOutSense } from '@callwright/language';
import type { BrainContext, LlmProvider, StepLlms } from '../providers/ports/model.ts';
import type { MediaLeg } from '@callwright/rtp';
import type { SttProvider, TurnModel, VadProvider } from '../providers/ports/recogniser.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';
import type { Scheduler } from '../shared/clock.ts';
import type { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import type { EndReason } from '@callwright/turns';
import type { BridgeEvent, LiveEvent, ToolRequest } from './protocol.ts';
import type { ConversationProgress } from '../voice/conversation.ts';
import type { Listeners } from './taps.ts';
import type { Recorder } from './recorder.ts';

/** Everything a session needs from its thread. */
export interface SessionDeps {
  providers: {
    vad: VadProvider;
    stt: SttProvider;
    tts: TtsProvider;
    llm: LlmProvider;
    /** Absent: turns end by words and silence. */
    turn?: TurnModel;
    stepModels?: StepLlms;
  };
  leg: MediaLeg;
  /** Null: the call is not recorded. */
  recorder: Recorder | null;
  /** Whether there is space for the event log; absent: there is. */
  mayKeepLog?(): Promise<boolean>;
  /** Members of the workspace who listen to the call; absent: none can. */
  listeners?: Listeners;
  /** In-place noise filter for caller frames; null: off or not available. */
  noiseFilter: { process(frame: Int16Array): void; close(): void } | null;
  /** The thread's shared knowledge indexes; absent: the session builds its own. */
  indexes?: KnowledgeIndexes;
  /** The call's clock and timers: system time in a worker, virtual time in tests. */
  scheduler: Scheduler;
  onLive(event: LiveEvent): void;
  /** Words of the caller as they are recognised; absent: only whole lines are shown. */
  onWords?(text: string, isFinal: boolean): void;
  /** The part of the conversation since the last such event, for the journal. */
  onProgress(progress: ConversationProgress): void;
  /** Detects an opt-out in words and keys, independently of the model. */
  optOutSense(context: BrainContext): OptOutSense;
  /** The caller opted out. Called once, as soon as it is detected. */
  onOptOut(): void;
  /** Run a tool on the main thread; answer with `toolResult`. */
  onTool(request: ToolRequest): void;
  /** These agents may take the call over next; absent: none is prepared ahead. */
  readonly onMayHandTo?: (agentIds: readonly string[]) => void;
  onBridge(event: BridgeEvent): void;
  /** The conversation is over: hang up the signalling. */
  onHangup(reason: EndReason): void;
}
