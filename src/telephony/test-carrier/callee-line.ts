import type { MediaSink, TtsProvider, TtsSession, Vad, VadProvider } from '../../voice/ports.ts';
import { FRAME_MS } from '../../voice/ports.ts';
import { createFrameQueue, clearQueue, pushPcm, readFrame } from '../../voice/audio/frame-queue.ts';
import { dbfs } from '../../voice/audio/level.ts';
import { beep } from '../../voice/audio/tones.ts';
import { GATE_SETTINGS, initialGate, stepGate, type GateState } from '../../voice/turn/speech-gate.ts';
import type { Clock } from '../../shared/clock.ts';
import type { RtpLeg } from '../rtp/rtp-leg.ts';
import type { Behaviour } from './behaviour.ts';
import { newCallee, stepCallee, type CalleeEvent, type CalleeState } from './callee.ts';
import type { Ear, LineEar } from './ear.ts';

/** A pause shorter than this is within the agent's speech. */
const GATE = { ...GATE_SETTINGS, stopMs: 350 };
/** A long speech may be cut at a frame below this. */
const QUIET_DBFS = -45;

export interface CalleeEngines {
  clock: Clock;
  vad: VadProvider;
  tts: TtsProvider;
  ear: Ear;
  voiceKey: string;
}

/** The person, or machine, at the other end of one answered call: ears, voice and the callee's manners. */
export class CalleeLine implements MediaSink {
  readonly #leg: RtpLeg;
  readonly #clock: Clock;
  readonly #hangup: () => void;
  readonly #vad: Vad;
  /** Null for those who do not listen. */
  readonly #ear: LineEar | null;
  readonly #tts: TtsSession;
  readonly #queue = createFrameQueue();
  #speech = new AbortController();
  #speaking = false;
  #gate: GateState = initialGate();
  #state: CalleeState;
  #closed = false;

  constructor(behaviour: Behaviour, leg: RtpLeg, engines: CalleeEngines, hangup: () => void) {
    this.#leg = leg;
    this.#clock = engines.clock;
    this.#hangup = hangup;
    this.#state = newCallee(behaviour);
    this.#vad = engines.vad.open(leg.sampleRate);
    this.#tts = engines.tts.open({
      voiceKey: engines.voiceKey,
      language: 'en-US',
      speed: 1,
      sampleRate: leg.sampleRate,
    });
    const listens = behaviour === 'cooperative' || behaviour === 'screening';
    this.#ear = listens ? engines.ear.open(leg.sampleRate, (text) => this.#understood(text)) : null;
  }

  start(at: number): void {
    this.#leg.start(this);
    this.#dispatch({ type: 'answered', at });
  }

  onAudio(pcm: Int16Array, _timestamp: number, _concealed: boolean, at: number): void {
    if (this.#closed) return;
    const levelDbfs = dbfs(pcm);
    this.#ear?.write(pcm, levelDbfs < QUIET_DBFS);
    const frame = { probability: this.#vad.process(pcm), levelDbfs, frameMs: FRAME_MS, at };
    const { gate, edge } = stepGate(this.#gate, frame, GATE);
    this.#gate = gate;
    if (edge === null) return;
    if (edge.type === 'speech_started') {
      this.#ear?.begin();
      this.#dispatch({ type: 'agent_started', at });
    } else {
      this.#ear?.end();
      this.#dispatch({ type: 'agent_stopped', decoding: this.#ear?.decoding ?? false, at });
    }
  }

  fill(out: Int16Array, at: number): boolean {
    if (this.#state.wakeAt !== null && this.#state.wakeAt <= at) this.#dispatch({ type: 'wake', at });
    if (!this.#speaking) return false;
    if (readFrame(this.#queue, out) > 0) return true;
    this.#speaking = false;
    this.#dispatch({ type: 'said', at });
    return false;
  }

  onDtmf(): void {
    // A callee of the test carrier has nothing to do with keys of the other side.
  }

  onMediaTimeout(): void {
    this.#hangup();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#speech.abort();
    this.#tts.close();
    this.#ear?.close();
    this.#vad.close();
    await this.#leg.close();
  }

  #understood(text: string): void {
    const at = this.#clock.now();
    this.#dispatch({ type: 'agent_said', text, decoding: this.#ear?.decoding ?? false, at });
  }

  #dispatch(event: CalleeEvent): void {
    if (this.#closed) return;
    const { state, effects } = stepCallee(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      if (effect.type === 'say') this.#say(effect.text);
      else if (effect.type === 'beep') this.#play([beep(1000, effect.ms, this.#leg.sampleRate)]);
      else {
        clearQueue(this.#queue);
        this.#hangup();
      }
    }
  }

  #say(text: string): void {
    this.#speech.abort();
    this.#speech = new AbortController();
    this.#speaking = false;
    clearQueue(this.#queue);
    // Begun when it is there as a whole: a voice slowed down by a busy machine would pause where no person does.
    this.#tts.speak(text, this.#speech.signal, (event) => {
      if (event.type === 'audio') pushPcm(this.#queue, event.pcm);
      else this.#speaking = true;
    });
  }

  #play(chunks: readonly Int16Array[]): void {
    clearQueue(this.#queue);
    for (const chunk of chunks) pushPcm(this.#queue, chunk);
    this.#speaking = true;
  }
}
