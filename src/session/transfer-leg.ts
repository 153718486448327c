import { type DtmfDigit, FRAME_MS, HoldMusic } from '@callwright/audio';
import type { MediaLeg, MediaSink, MediaStats } from '@callwright/rtp';
import type { TtsSession } from '../providers/ports/voice.ts';
import type { CallSpec } from './protocol.ts';
import { Bridge } from './bridge.ts';
import type { SessionDeps } from './session-deps.ts';
import { judgeTarget } from './target-judge.ts';

export interface TransferLegDeps {
  readonly spec: CallSpec;
  readonly session: Pick<SessionDeps, 'leg' | 'providers' | 'onBridge'>;
  /** The agent's voice, for the briefing. */
  readonly tts: TtsSession;
  /** The agent is speaking to the caller. */
  isSpeaking(): boolean;
  guarded(sink: MediaSink): MediaSink;
  readonly onFault: (error: unknown, at: number) => void;
  /** Caller and target hear each other. */
  onConnected(at: number): void;
}

/** How long nobody speaks to a waiting caller before music sounds. */
const QUIET_MS = 1_500;

/** The second leg of a warm transfer: none, on its way to the target, or connected with the caller. */
export class TransferLeg {
  readonly #deps: TransferLegDeps;
  #bridge: Bridge | null = null;
  #isConnected = false;
  readonly #music: HoldMusic;
  /** How long the waiting caller has heard nothing. */
  #quietMs = 0;

  constructor(deps: TransferLegDeps) {
    this.#deps = deps;
    this.#music = new HoldMusic(deps.session.leg.sampleRate);
  }

  /** Caller and target are connected: the agent neither hears nor speaks. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** `briefing` is spoken to the target before the caller is connected; empty: nothing. */
  open(leg: MediaLeg, briefing: string): void {
    const { spec, session, tts, onFault } = this.#deps;
    this.#bridge = new Bridge({
      leg,
      guarded: (sink) => this.#deps.guarded(sink),
      tts,
      briefing,
      isSpeaking: () => this.#deps.isSpeaking(),
      onKey: (digit) => session.leg.sendDtmf([digit]),
      onConnected: (at) => {
        this.#isConnected = true;
        this.#deps.onConnected(at);
      },
      judge: (at) =>
        judgeTarget(
          spec,
          session.providers,
          leg.sampleRate,
          {
            onMachine: (kind, heardAt) => session.onBridge({ type: 'machine', kind, at: heardAt }),
            onFault,
          },
          at,
        ),
      onLost: (at) => session.onBridge({ type: 'lost', at }),
    });
  }

  answered(at: number): void {
    this.#bridge?.answered(at);
  }

  /** Audio of the caller. */
  hear(pcm: Int16Array): void {
    this.#bridge?.hear(pcm);
  }

  /** A key that the caller pressed. */
  press(digit: DtmfDigit): void {
    this.#bridge?.press(digit);
  }

  /** The target's next 20 ms for the caller; false: none. */
  take(out: Int16Array): boolean {
    return this.#bridge?.take(out) === true;
  }

  /**
   * Fills a frame for the caller with music while the leg is on its way to the target and the agent is silent. `hasVoice`:
   * the frame has sound already. Returns whether it has sound now.
   */
  withMusic(out: Int16Array, hasVoice: boolean, isHeld: boolean): boolean {
    if (this.#bridge === null || this.#isConnected || isHeld || hasVoice) {
      this.#quietMs = 0;
      return hasVoice;
    }
    this.#quietMs += FRAME_MS;
    if (this.#quietMs <= QUIET_MS) return false;
    this.#music.write(out);
    return true;
  }

  /** Ends the leg. Returns its media statistics; null: no target was reached. */
  close(): MediaStats | null {
    const bridge = this.#bridge;
    this.#bridge = null;
    this.#isConnected = false;
    return bridge?.close() ?? null;
  }
}
