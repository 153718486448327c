import {
  type DtmfDigit,
  type SampleRate,
  clearQueue,
  createFrameQueue,
  peak,
  pushPcm,
  readFrame,
} from '@callwright/audio';
import type { MediaLeg, MediaSink, MediaStats } from '@callwright/rtp';
import type { TtsContext, TtsSession } from '../providers/ports/voice.ts';
import type { TargetJudge } from './target-judge.ts';

export interface BridgeDeps {
  /** The leg of the transfer target. */
  readonly leg: MediaLeg;
  /** Keeps a fault of the sink from the leg. */
  guarded(sink: MediaSink): MediaSink;
  /** The agent's voice, for the briefing. */
  readonly tts: TtsSession;
  /** Spoken to the target before the caller is connected; empty: nothing. */
  readonly briefing: string;
  /** The agent is speaking to the caller. */
  isSpeaking(): boolean;
  /** A key that the target pressed. */
  onKey(digit: DtmfDigit): void;
  onConnected(at: number): void;
  /** The target hears the briefing and the agent has nothing more to say to the caller: the caller may wait on hold. */
  onBriefing(at: number): void;
  /** Judges who answered, until caller and target are connected. */
  judge(at: number): TargetJudge;
  /** The target's media timed out. */
  onLost(at: number): void;
  /** Takes the target's audio once it is connected, and gives what it hears; null: caller and target talk alone. */
  guest(): { audio(pcm: Int16Array, at: number): void; fill(out: Int16Array): boolean } | null;
}

/** Limit of the briefing, with its synthesis. */
const BRIEFING_MS = 30_000;
/** How long a target who keeps talking after the briefing is judged. */
const LONGEST_VERDICT_MS = 10_000;
/** The agent may finish its sentence to the caller for this long. */
const LAST_SENTENCE_MS = 4_000;

/**
 * The transfer leg of a call. It rings, plays the briefing to the target alone while it judges whether a machine answered,
 * then connects caller and target: frames and keys of each go to the other. Each leg keeps its own codec and clock.
 */
export class Bridge implements MediaSink {
  readonly #deps: BridgeDeps;
  readonly #toCaller: FrameRelay;
  readonly #toTarget: FrameRelay;
  readonly #briefing = createFrameQueue();
  readonly #speech: TtsContext;
  #phase: 'ringing' | 'briefing' | 'connected' | 'over' = 'ringing';
  #judge: TargetJudge | null = null;
  #isBriefingSynthesised = false;
  /** The target hears the briefing while the agent is silent. */
  #isAlone = false;
  #answeredAt = 0;
  /** When the target had heard the briefing. */
  #briefedAt: number | null = null;

  /** Synthesises the briefing while the leg rings. */
  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    this.#toCaller = new FrameRelay(deps.leg.sampleRate);
    this.#toTarget = new FrameRelay(deps.leg.sampleRate);
    this.#speech = deps.tts.begin();
    if (deps.briefing === '') {
      this.#isBriefingSynthesised = true;
      return;
    }
    this.#speech.say(deps.briefing, (event) => {
      if (event.type === 'audio') pushPcm(this.#briefing, event.pcm);
      // Failed synthesis skips the briefing, not the transfer.
      else if (event.type === 'done' || event.type === 'failed') this.#isBriefingSynthesised = true;
    });
    this.#speech.end();
  }

  answered(at: number): void {
    if (this.#phase !== 'ringing') return;
    this.#phase = 'briefing';
    this.#answeredAt = at;
    this.#judge = this.#deps.judge(at);
    this.#deps.leg.start(this.#deps.guarded(this));
  }

  /** Audio of the caller. */
  hear(pcm: Int16Array): void {
    if (this.#phase === 'connected') this.#toTarget.push(pcm);
  }

  /** A key that the caller pressed. */
  press(digit: DtmfDigit): void {
    if (this.#phase === 'connected') this.#deps.leg.sendDtmf([digit]);
  }

  /** The next 20 ms for the caller; false: none. */
  take(out: Int16Array): boolean {
    return this.#phase === 'connected' && this.#toCaller.take(out);
  }

  onAudio(pcm: Int16Array, _timestamp: number, _concealed: boolean, at: number): void {
    if (this.#phase === 'connected') {
      const guest = this.#deps.guest();
      if (guest === null) this.#toCaller.push(pcm);
      else guest.audio(pcm, at);
    } else if (this.#phase === 'briefing') this.#judge?.audio(pcm, at);
  }

  fill(out: Int16Array, at: number): boolean {
    if (this.#phase === 'briefing') {
      const isBriefing = at - this.#answeredAt < BRIEFING_MS && readFrame(this.#briefing, out) > 0;
      this.#judge?.sent(isBriefing ? out : null, at);
      if (isBriefing && !this.#isAlone && !this.#deps.isSpeaking()) {
        this.#isAlone = true;
        this.#deps.onBriefing(at);
      }
      if (isBriefing) return true;
      if (this.#isBriefed(at)) this.#briefedAt ??= at;
      if (this.#mayConnect(at)) this.#connect(at);
    }
    return this.#phase === 'connected' && (this.#deps.guest()?.fill(out) ?? this.#toTarget.take(out));
  }

  onDtmf(digit: DtmfDigit): void {
    if (this.#phase === 'connected') this.#deps.onKey(digit);
  }

  onMediaTimeout(at: number): void {
    if (this.#phase !== 'over') this.#deps.onLost(at);
  }

  /** Returns the leg's media statistics, once; null when the leg was not answered. */
  close(): MediaStats | null {
    const wasAnswered = this.#phase === 'briefing' || this.#phase === 'connected';
    this.#phase = 'over';
    this.#endJudging();
    this.#speech.cancel();
    clearQueue(this.#briefing);
    return wasAnswered ? this.#deps.leg.stats() : null;
  }

  #isBriefed(at: number): boolean {
    const isHeard = this.#isBriefingSynthesised && this.#briefing.length === 0;
    return isHeard || at - this.#answeredAt >= BRIEFING_MS;
  }

  #mayConnect(at: number): boolean {
    if (this.#briefedAt === null) return false;
    const waitedMs = at - this.#briefedAt;
    if (waitedMs < LONGEST_VERDICT_MS && this.#judge?.isPending(at) === true) return false;
    return !this.#deps.isSpeaking() || waitedMs >= LAST_SENTENCE_MS;
  }

  #connect(at: number): void {
    this.#phase = 'connected';
    this.#endJudging();
    this.#speech.cancel();
    this.#deps.onConnected(at);
  }

  #endJudging(): void {
    this.#judge?.close();
    this.#judge = null;
  }
}

/** Frames buffered before playing starts, and at most: packets arrive with jitter, the wheel ticks evenly. */
const PREFILL_FRAMES = 2;
const MAX_FRAMES = 12;
/** Peak below which a frame is dropped to shorten the buffer. */
const QUIET_PEAK = 100;

/** A jitter buffer for one direction of a bridge: 20 ms frames from one leg to the other's wheel tick. Allocates nothing. */
export class FrameRelay {
  readonly #frames: readonly Int16Array[];
  #first = 0;
  #waiting = 0;
  #flows = false;

  constructor(sampleRate: SampleRate) {
    this.#frames = Array.from({ length: MAX_FRAMES }, () => new Int16Array(sampleRate / 50));
  }

  push(pcm: Int16Array): void {
    if (this.#waiting > PREFILL_FRAMES && peak(pcm) < QUIET_PEAK) return;
    // A sender with a faster clock and no pauses: one small cut instead of a growing delay.
    if (this.#waiting === MAX_FRAMES) this.#skip(MAX_FRAMES - PREFILL_FRAMES);
    this.#frames[(this.#first + this.#waiting) % MAX_FRAMES]?.set(pcm);
    this.#waiting += 1;
  }

  /** Fills `out` with the next frame; false when none is due. */
  take(out: Int16Array): boolean {
    if (this.#waiting === 0) this.#flows = false;
    if (this.#waiting < (this.#flows ? 1 : PREFILL_FRAMES)) return false;
    this.#flows = true;
    out.set(this.#frames[this.#first] as Int16Array);
    this.#skip(1);
    return true;
  }

  #skip(frames: number): void {
    this.#first = (this.#first + frames) % MAX_FRAMES;
    this.#waiting -= frames;
  }
}
