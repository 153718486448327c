import type {
  MediaSink,
  SttProvider,
  SttSession,
  TtsProvider,
  TtsSession,
  Vad,
  VadProvider,
} from '../../voice/ports.ts';
import { FRAME_MS } from '../../voice/ports.ts';
import { createFrameQueue, clearQueue, pushPcm, readFrame } from '../../voice/audio/frame-queue.ts';
import { dbfs } from '../../voice/audio/level.ts';
import { beep } from '../../voice/audio/tones.ts';
import { initialGate, stepGate, type GateState } from '../../voice/turn/speech-gate.ts';
import type { RtpLeg } from '../rtp/rtp-leg.ts';
import { newCallee, stepCallee, type Behaviour, type CalleeEvent, type CalleeState } from './callee.ts';

export interface CalleeEngines {
  vad: VadProvider;
  tts: TtsProvider;
  /** Null: the callee answers without understanding. */
  stt: SttProvider | null;
  voiceKey: string;
}

/** The person, or machine, at the other end of one answered call: ears, voice and the callee's manners. */
export class CalleeLine implements MediaSink {
  readonly #leg: RtpLeg;
  readonly #hangup: () => void;
  readonly #vad: Vad;
  readonly #stt: SttSession | null;
  readonly #tts: TtsSession;
  readonly #queue = createFrameQueue();
  #speech = new AbortController();
  #speaking = false;
  #complete = false;
  #gate: GateState = initialGate();
  #state: CalleeState;
  #closed = false;

  constructor(behaviour: Behaviour, leg: RtpLeg, engines: CalleeEngines, hangup: () => void) {
    this.#leg = leg;
    this.#hangup = hangup;
    this.#state = newCallee(behaviour);
    this.#vad = engines.vad.open(leg.sampleRate);
    this.#tts = engines.tts.open({
      voiceKey: engines.voiceKey,
      language: 'en-US',
      speed: 1,
      sampleRate: leg.sampleRate,
    });
    this.#stt =
      engines.stt?.open({
        language: 'en-US',
        secondaryLanguage: null,
        sampleRate: leg.sampleRate,
        vocab: [],
        onEvent: (event) => {
          if (event.type === 'final') this.#dispatch({ type: 'agent_said', text: event.text, at: event.at });
        },
      }) ?? null;
  }

  start(at: number): void {
    this.#leg.start(this);
    this.#dispatch({ type: 'answered', at });
  }

  onAudio(pcm: Int16Array, _timestamp: number, _concealed: boolean, at: number): void {
    if (this.#closed) return;
    this.#stt?.write(pcm, at);
    const { gate, edge } = stepGate(this.#gate, {
      probability: this.#vad.process(pcm),
      levelDbfs: dbfs(pcm),
      frameMs: FRAME_MS,
      at,
    });
    this.#gate = gate;
    if (edge === null) return;
    if (edge.type === 'speech_started') {
      this.#stt?.speechStarted(edge.since);
      this.#dispatch({ type: 'agent_started', at });
    } else {
      this.#stt?.speechEnded(at);
      this.#dispatch({ type: 'agent_stopped', at });
    }
  }

  fill(out: Int16Array, at: number): boolean {
    if (this.#state.wakeAt !== null && this.#state.wakeAt <= at) this.#dispatch({ type: 'wake', at });
    if (!this.#speaking) return false;
    if (readFrame(this.#queue, out) > 0) return true;
    if (this.#complete) {
      this.#speaking = false;
      this.#dispatch({ type: 'said', at });
    }
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
    this.#stt?.close();
    this.#vad.close();
    await this.#leg.close();
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
    this.#play([]);
    this.#complete = false;
    this.#tts.speak(text, this.#speech.signal, (event) => {
      if (event.type === 'audio') pushPcm(this.#queue, event.pcm);
      else this.#complete = true;
    });
  }

  #play(chunks: readonly Int16Array[]): void {
    clearQueue(this.#queue);
    for (const chunk of chunks) pushPcm(this.#queue, chunk);
    this.#speaking = true;
    this.#complete = true;
  }
}
