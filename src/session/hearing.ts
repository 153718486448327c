import { dbfs } from '../voice/audio/level.ts';
import type { AnswerSettings } from '../voice/answer/answer.ts';
import {
  FRAME_MS,
  type Expected,
  type SampleRate,
  type SttEvent,
  type SttProvider,
  type SttSession,
  type Vad,
  type VadProvider,
} from '../voice/ports.ts';
import { initialGate, stepGate, type GateState } from '../voice/turn/speech-gate.ts';
import type { EndReason, TurnEvent } from '../voice/turn/types.ts';
import type { CallSpec, LiveEvent } from '../workers/protocol.ts';
import { Answering } from './answering.ts';

export interface HearingDeps {
  readonly providers: { readonly vad: VadProvider; readonly stt: SttProvider };
  readonly sampleRate: SampleRate;
  /** In-place noise filter for caller frames; null: off or not available. */
  readonly noiseFilter: { process(frame: Int16Array): void; close(): void } | null;
  onLive(event: LiveEvent): void;
  dispatch(event: TurnEvent): void;
}

const SILENCE_DBFS = -100;

/** The far side's sound made into events: where speech begins and ends, what was said, and who has answered. */
export class Hearing {
  readonly #deps: HearingDeps;
  readonly #vad: Vad;
  readonly #stt: SttSession;
  #gate: GateState = initialGate();
  /** Null: nobody looks who has answered. */
  #answering: Answering | null = null;
  #expected: Expected | null = null;

  constructor({ agent }: Pick<CallSpec, 'agent'>, deps: HearingDeps) {
    this.#deps = deps;
    this.#vad = deps.providers.vad.open(deps.sampleRate);
    this.#stt = deps.providers.stt.open({
      language: agent.language,
      secondaryLanguage: agent.secondaryLanguage,
      sampleRate: deps.sampleRate,
      vocab: agent.vocab,
      onEvent: (event) => this.#onRecognised(event),
    });
  }

  /** Looks from here on whether a machine has answered. */
  listenForMachines(settings: AnswerSettings, at: number): void {
    this.#answering = new Answering(settings, this.#deps.sampleRate, at, {
      dispatch: (event) => this.#deps.dispatch(event),
      onSettled: () => this.#stt.expect(this.#expected),
      onVerdict: (verdict) => this.#deps.onLive({ type: 'notice', code: 'ANSWERED_BY', message: verdict }),
    });
  }

  audio(pcm: Int16Array, at: number): void {
    this.#answering?.audio(pcm, at);
    this.#deps.noiseFilter?.process(pcm);
    this.#stt.write(pcm, at);
    this.#gateFrame(this.#vad.process(pcm), dbfs(pcm), at);
  }

  /** A far side that sends nothing while it is silent must still be heard to have stopped. */
  nothing(at: number): void {
    if (this.#gate.speaking) this.#gateFrame(0, SILENCE_DBFS, at);
  }

  /** What comes is heard as if it were the beginning. */
  reset(): void {
    this.#gate = initialGate();
    this.#vad.reset();
  }

  expect(expected: Expected | null): void {
    this.#expected = expected;
    this.#stt.expect(this.#answering?.expect(expected) ?? expected);
  }

  /** Time passes for whoever looks who has answered; `hasSpoken`: our own voice has just ended. */
  tick(at: number, hasSpoken: boolean): void {
    this.#answering?.tick(at);
    if (hasSpoken) this.#answering?.spoken(at);
  }

  /** What it means that the far side has left. */
  leftAs(): EndReason {
    return this.#answering?.leftAs() ?? 'USER_LEFT';
  }

  close(): void {
    this.#stt.close();
    this.#vad.close();
    this.#deps.noiseFilter?.close();
  }

  #gateFrame(probability: number, levelDbfs: number, at: number): void {
    const { gate, edge } = stepGate(this.#gate, { probability, levelDbfs, frameMs: FRAME_MS, at });
    this.#gate = gate;
    if (edge === null) return;
    if (edge.type === 'speech_started') this.#stt.speechStarted(edge.since);
    else this.#stt.speechEnded(at);
    this.#answering?.edge(edge);
    this.#deps.dispatch(edge);
  }

  #onRecognised(event: SttEvent): void {
    this.#answering?.recognised(event);
    switch (event.type) {
      case 'partial':
      case 'final':
        this.#deps.dispatch({ type: event.type, text: event.text, at: event.at });
        return;
      case 'nothing':
        this.#deps.dispatch({ type: 'stt_nothing', at: event.at });
        return;
      case 'failed':
        this.#deps.onLive({ type: 'notice', code: 'STT_FAILED', message: event.message });
        this.#deps.dispatch({ type: 'stt_failed', retryable: event.retryable, at: event.at });
        return;
      default:
        event satisfies never;
    }
  }
}
