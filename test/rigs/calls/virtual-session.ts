import { createFakeLlm, type FakeLlmOptions } from '../../../src/offline/scripted/llm.ts';
import { createFakeStt, type FakeSttOptions } from '../../../src/offline/scripted/stt.ts';
import { createFakeTts, type FakeTtsOptions } from '../../../src/offline/scripted/tts.ts';
import { createVadProvider } from '../../../src/providers/vad/provider.ts';
import { CallSession } from '../../../src/session/call-session.ts';
import type { Recorder } from '../../../src/session/recorder.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import type { ConversationProgress, ConversationResult } from '../../../src/voice/conversation.ts';
import type { LlmProvider } from '../../../src/providers/ports/model.ts';
import type { SttProvider, TurnModel, VadProvider } from '../../../src/providers/ports/recogniser.ts';
import type { TtsProvider } from '../../../src/providers/ports/voice.ts';
import type {
  AgentSnapshot,
  BridgeEvent,
  CallSpec,
  InvitedGuest,
  LiveEvent,
  ToolRequest,
} from '../../../src/session/protocol.ts';
import { phoneLine, type PhoneLine } from '../../helpers/sip/phone-line.ts';
import { inRoom, type Room } from './room.ts';
import { VirtualLeg } from './virtual-leg.ts';
import { VirtualTime } from './virtual-time.ts';

export interface VirtualSessionOptions {
  readonly agent?: Partial<AgentSnapshot>;
  readonly spec?: Partial<CallSpec>;
  /** Results of the recogniser, one final per utterance. */
  readonly finals?: readonly string[];
  readonly stt?: FakeSttOptions;
  /** Instead of the fake recogniser. */
  readonly recogniser?: SttProvider;
  readonly tts?: FakeTtsOptions;
  readonly turn?: TurnModel;
  /** Instead of the light voice detector. */
  readonly vad?: VadProvider;
  /** What the person's phone picks up beside them. */
  readonly room?: Room;
  /** Instead of the fake speaker. */
  readonly speaker?: TtsProvider;
  readonly recorder?: Recorder;
  /** A brain, or the lines of the fake brain. */
  readonly llm?: LlmProvider | FakeLlmOptions;
  /** Agents that may take the call over next. */
  readonly onMayHandTo?: (agentIds: readonly string[]) => void;
  /** The time of the call, if its providers run on it, too. */
  readonly time?: VirtualTime;
}

/** One real session in virtual time; the test controls the person at the other end. */
export interface VirtualSession {
  readonly session: CallSession;
  readonly time: VirtualTime;
  readonly person: PhoneLine;
  /** Milliseconds since the answer. */
  elapsed(): number;
  readonly live: readonly LiveEvent[];
  readonly progress: readonly ConversationProgress[];
  readonly tools: readonly ToolRequest[];
  readonly bridge: readonly BridgeEvent[];
  readonly optOuts: () => number;
  /** The session has hung up. */
  isOver(): boolean;
  /** Opens the leg of a warm transfer; returns the person at its other end. */
  openTransfer(briefing: string, guest?: InvitedGuest): PhoneLine;
  /** The person speaks for this long; the recogniser returns the next of `finals`. */
  talk(ms: number): void;
  /** Advances time until the agent has finished a matching line. */
  hasSaid(words: RegExp): Promise<void>;
  /** Advances time until the session has hung up; returns the call's result. */
  result(): Promise<ConversationResult>;
}

const AGENT: AgentSnapshot = {
  name: 'Appointments',
  language: 'en-US',
  secondaryLanguage: null,
  voiceKey: 'fake',
  voiceSpeed: 1,
  prompt: '# Task\n1. Ask "Can you make it on Tuesday?"\n2. Thank them and say goodbye.',
  introMessage: 'Hello, this is Maya.',
  vocab: [],
  firstSpeaker: { mode: 'agent', delayMs: 0, limitMs: 10_000 },
  muteDuringIntro: false,
  muteWhileAgentSpeaks: false,
  interruptionSensitivity: 'default',
  idleWarningSeconds: 8,
  idleEndSeconds: 16,
  noiseSuppression: null,
};

const isProvider = (llm: LlmProvider | FakeLlmOptions | undefined): llm is LlmProvider =>
  llm !== undefined && 'open' in llm;

/** The call that `answerVirtualCall` answers with these options. */
export const virtualSpec = ({ spec, agent }: Pick<VirtualSessionOptions, 'spec' | 'agent'>): CallSpec => ({
  callId: 'call',
  workspaceId: 'workspace',
  attempt: 1,
  direction: 'outbound',
  variables: {},
  maxCallMs: 120_000,
  recordingPath: null,
  ...spec,
  agent: { ...AGENT, ...agent },
});

/** Answers a call. Recognition takes 100 ms, synthesis 50 ms, the fake brain 100 ms. */
export function answerVirtualCall(options: VirtualSessionOptions = {}): VirtualSession {
  const time = options.time ?? new VirtualTime(new ManualClock());
  const [leg, far] = [new VirtualLeg(time), new VirtualLeg(time)];
  VirtualLeg.join(leg, far);
  const { line, sink } = phoneLine(far, [], () => time.now());
  far.start(options.room === undefined ? sink : inRoom(sink, options.room));
  const live: LiveEvent[] = [];
  const progress: ConversationProgress[] = [];
  const tools: ToolRequest[] = [];
  const bridge: BridgeEvent[] = [];
  let optOuts = 0;
  let isOver = false;
  const spec = virtualSpec(options);
  const { llm } = options;
  const session = new CallSession(spec, {
    providers: {
      vad: options.vad ?? createVadProvider({ engine: 'light' }),
      ...(options.turn === undefined ? {} : { turn: options.turn }),
      stt:
        options.recogniser ??
        createFakeStt({ sttMs: 100, finals: options.finals ?? [], scheduler: time, ...options.stt }),
      tts: options.speaker ?? createFakeTts({ ttsMs: 50, scheduler: time, ...options.tts }),
      llm: isProvider(llm) ? llm : createFakeLlm({ llmMs: 100, scheduler: time, ...llm }),
    },
    leg,
    recorder: options.recorder ?? null,
    noiseFilter: null,
    scheduler: time,
    optOutSense: () => ({ words: (text) => /stop calling/i.test(text), keys: (keys) => keys === '9' }),
    onLive: (event) => void live.push(event),
    onProgress: (part) => void progress.push(part),
    onOptOut: () => {
      optOuts += 1;
    },
    onTool: (request) => void tools.push(request),
    ...(options.onMayHandTo === undefined ? {} : { onMayHandTo: options.onMayHandTo }),
    onBridge: (event) => void bridge.push(event),
    onHangup: () => {
      isOver = true;
    },
  });
  const startedAt = time.now();
  session.start(startedAt);
  return {
    session,
    time,
    person: line,
    elapsed: () => time.now() - startedAt,
    live,
    progress,
    tools,
    bridge,
    optOuts: () => optOuts,
    isOver: () => isOver,
    openTransfer(briefing, guest) {
      const [ours, theirs] = [new VirtualLeg(time), new VirtualLeg(time)];
      VirtualLeg.join(ours, theirs);
      const target = phoneLine(theirs, [], () => time.now());
      theirs.start(target.sink);
      session.openBridge(ours, briefing, guest);
      return target.line;
    },
    talk: (ms) => line.say(voice(ms)),
    async hasSaid(words) {
      await time.until(`the agent to say ${words}`, () =>
        live.some(
          (event) => event.type === 'line' && event.line.role === 'agent' && words.test(event.line.text),
        ),
      );
    },
    async result() {
      await time.until('the session to hang up', () => isOver);
      return session.finish();
    },
  };
}

/** Harmonics with a syllable rhythm, which a detector takes for speech. */
export function voice(ms: number): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, i) => {
    const envelope = 0.55 - 0.45 * Math.cos((2 * Math.PI * 4 * i) / 8000);
    let value = 0;
    for (let harmonic = 2; harmonic <= 20; harmonic++)
      value += Math.sin((2 * Math.PI * 140 * harmonic * i) / 8000);
    return Math.round(1500 * envelope * value);
  });
}
