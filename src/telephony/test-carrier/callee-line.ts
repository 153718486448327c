import { FRAME_MS, beep, clearQueue, createFrameQueue, dbfs, pushPcm, readFrame } from '@callwright/audio';
import type { MediaLeg, MediaSink } from '@callwright/rtp';
import type { TtsContext, TtsProvider, TtsSession } from '../../providers/ports/voice.ts';
import type { Vad, VadProvider } from '../../providers/ports/recogniser.ts';
import { GATE_SETTINGS, type GateState, initialGate, stepGate } from '@callwright/turns';
import type { Clock } from '../../shared/clock.ts';
import { type Behaviour, type CalleeEvent, type CalleeState, newCallee, stepCallee } from './callee.ts';
import type { Recogniser, LineRecogniser } from '../../offline/callee/recogniser.ts';

/** A shorter pause does not end the agent's turn. */
const GATE = { ...GATE_SETTINGS, stopMs: 350 };
/** Long speech is split at a frame below this level. */
const QUIET_DBFS = -45;

export interface CalleeEngines {
  clock: Clock;
  vad: VadProvider;
  tts: TtsProvider;
  recogniser: Pick<Recogniser, 'open'>;
  voiceKey: string;
}

/** The callee of one answered call: recogniser, synthesised voice and the callee's state machine. */
export class CalleeLine implements MediaSink {
  readonly #leg: MediaLeg;
  readonly #clock: Clock;
  readonly #hangup: () => void;
  readonly #vad: Vad;
  /** Null for behaviours that ignore the agent's speech. */
  readonly #recogniser: LineRecogniser | null;
  readonly #tts: TtsSession;
  readonly #queue = createFrameQueue();
  #speech: TtsContext | null = null;
  #speaking = false;
  #gate: GateState = initialGate();
  #state: CalleeState;
  #closed = false;

  constructor(behaviour: Behaviour, leg: MediaLeg, engines: CalleeEngines, hangup: () => void) {
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
    this.#recogniser = listens
      ? engines.recogniser.open(leg.sampleRate, (text) => this.#understood(text))
      : null;
  }

  start(at: number): void {
    this.#leg.start(this);
    this.#dispatch({ type: 'answered', at });
  }

  onAudio(pcm: Int16Array, _timestamp: number, _concealed: boolean, at: number): void {
    if (this.#closed) return;
    const levelDbfs = dbfs(pcm);
    this.#recogniser?.write(pcm, levelDbfs < QUIET_DBFS);
    const frame = { probability: this.#vad.process(pcm), levelDbfs, frameMs: FRAME_MS, at };
    const { gate, edge } = stepGate(this.#gate, frame, GATE);
    this.#gate = gate;
    if (edge === null) return;
    if (edge.type === 'speech_started') {
      this.#recogniser?.begin();
      this.#dispatch({ type: 'agent_started', at });
    } else {
      this.#recogniser?.end();
      this.#dispatch({ type: 'agent_stopped', decoding: this.#recogniser?.decoding ?? false, at });
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
    // Callees of the test carrier ignore DTMF.
  }

  onMediaTimeout(): void {
    this.#hangup();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#tts.close();
    this.#recogniser?.close();
    this.#vad.close();
    await this.#leg.close();
  }

  #understood(text: string): void {
    const at = this.#clock.now();
    this.#dispatch({ type: 'agent_said', text, decoding: this.#recogniser?.decoding ?? false, at });
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
    this.#speech?.cancel();
    this.#speech = this.#tts.begin();
    this.#speaking = false;
    clearQueue(this.#queue);
    // Played only when complete: slow synthesis on a busy machine would add unnatural pauses.
    this.#speech.say(text, (event) => {
      if (event.type === 'audio') pushPcm(this.#queue, event.pcm);
      else if (event.type === 'done' || event.type === 'failed') this.#speaking = true;
    });
    this.#speech.end();
  }

  #play(chunks: readonly Int16Array[]): void {
    clearQueue(this.#queue);
    for (const chunk of chunks) pushPcm(this.#queue, chunk);
    this.#speaking = true;
  }
}
