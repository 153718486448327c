import { type DtmfDigit, FRAME_MS, HoldMusic } from '@callwright/audio';
import type { MediaLeg, MediaSink, MediaStats } from '@callwright/rtp';
import type { TurnEvent } from '@callwright/turns';
import type { TtsSession } from '../providers/ports/voice.ts';
import type { AudioUse } from '../voice/measures.ts';
import type { CallSpec, InvitedGuest } from './protocol.ts';
import { Bridge } from './bridge.ts';
import { Guest } from './guest.ts';
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
  dispatch(event: TurnEvent): void;
}

/** How long nobody speaks to a waiting caller before music sounds. */
const QUIET_MS = 1_500;

/**
 * The second leg of a call: none, on its way to the target of a warm transfer, connected with the caller, or that of a guest beside
 * caller and agent.
 */
export class TransferLeg {
  readonly #deps: TransferLegDeps;
  #bridge: Bridge | null = null;
  #isConnected = false;
  /** The leg is for a guest, who may still be on their way. */
  #isForGuest = false;
  #guest: Guest | null = null;
  /** The caller waits for the guest. */
  #isAwaited = false;
  /** Audio that recognisers heard of guests who left. */
  #heard: readonly AudioUse[] = [];
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

  /**
   * `briefing` is spoken to the target before the caller is connected; empty: nothing. `guest`: who joins caller and agent; null: the
   * target takes the agent's place.
   */
  open(leg: MediaLeg, briefing: string, guest: InvitedGuest | null = null): void {
    const { spec, session, tts, onFault } = this.#deps;
    this.#isForGuest = guest !== null;
    this.#isAwaited = guest?.isAwaited === true;
    this.#bridge = new Bridge({
      leg,
      guarded: (sink) => this.#deps.guarded(sink),
      tts,
      briefing,
      isSpeaking: () => this.#deps.isSpeaking(),
      onKey: (digit) => {
        if (guest === null) session.leg.sendDtmf([digit]);
      },
      guest: () => this.#guest,
      onConnected: (at) => {
        if (guest !== null) return this.#join(guest, at);
        this.#isConnected = true;
        this.#deps.onConnected(at);
      },
      onBriefing: (at) => {
        if (guest === null) session.onBridge({ type: 'briefing', at });
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
    if (this.#guest === null) this.#bridge?.hear(pcm);
    else this.#guest.caller(pcm);
  }

  /** Adds a guest to the frame that leaves to the caller. `hasVoice`: the agent sounds in it. False: both are silent. */
  withGuest(out: Int16Array, hasVoice: boolean, at: number): boolean {
    return this.#guest?.join(out, hasVoice, at) ?? hasVoice;
  }

  /** The audio that recognisers heard of guests, then that of others. */
  usage(others: readonly AudioUse[]): readonly AudioUse[] {
    return [...this.#heard, ...(this.#guest?.usage() ?? []), ...others];
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
   * Fills a frame for the caller with music while the leg is on its way to the target and the agent is silent, and at once while
   * the caller is on hold (`isWaiting`). `hasVoice`: the frame has sound already. `isHeld`: the caller's side takes none.
   * Returns whether it has sound now.
   */
  withMusic(out: Int16Array, hasVoice: boolean, isHeld: boolean, isWaiting = false): boolean {
    if (isWaiting && !hasVoice) {
      this.#music.write(out);
      return true;
    }
    const isTalking = this.#isConnected || (this.#isForGuest && !this.#isAwaited) || this.#guest !== null;
    if (this.#bridge === null || isTalking || isHeld || hasVoice) {
      this.#quietMs = 0;
      return hasVoice;
    }
    this.#quietMs += FRAME_MS;
    if (this.#quietMs <= QUIET_MS) return false;
    this.#music.write(out);
    return true;
  }

  /** The agent leaves caller and guest alone. */
  connectGuest(at: number): void {
    const guest = this.#guest;
    if (guest === null) return;
    this.#heard = this.usage([]);
    this.#guest = null;
    this.#isForGuest = false;
    this.#isConnected = true;
    try {
      guest.close();
    } catch (error) {
      this.#deps.onFault(error, at);
    }
    this.#deps.onConnected(at);
  }

  /** Ends the leg. Returns its media statistics; null: no target was reached. `at`: now, if the call goes on. */
  close(at: number | null = null): MediaStats | null {
    const bridge = this.#bridge;
    const guest = this.#guest;
    this.#heard = this.usage([]);
    this.#bridge = null;
    this.#isConnected = false;
    this.#isForGuest = false;
    this.#guest = null;
    guest?.close();
    if (at !== null) guest?.leave(at);
    return bridge?.close() ?? null;
  }

  #join(guest: InvitedGuest, at: number): void {
    const { spec, session, tts, onFault } = this.#deps;
    const { providers, leg } = session;
    const deps = {
      spec,
      providers,
      sampleRate: leg.sampleRate,
      tts,
      dispatch: (event: TurnEvent) => this.#deps.dispatch(event),
      onFault,
    };
    this.#guest = new Guest(guest, deps, at);
    session.onBridge({ type: 'connected', at });
  }
}
