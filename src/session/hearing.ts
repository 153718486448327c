import {
  type AnswerSettings,
  type AnsweredBy,
  CallerFilter,
  type Ears,
  type EndReason,
  type Expected,
  type GateState,
  type Recognised,
  type TurnEvent,
  initialGate,
  stepGate,
} from '@callwright/turns';
import type { Language } from '@callwright/language';
import { FRAME_MS, type SampleRate, dbfs } from '@callwright/audio';
import type {
  SttEvent,
  SttProvider,
  SttWords,
  TurnModel,
  Vad,
  VadProvider,
} from '../providers/ports/recogniser.ts';
import type { AudioUse } from '../voice/measures.ts';
import type { VendorNews } from './conversation-record.ts';
import type { CallSpec } from './protocol.ts';
import { Answering } from './answering.ts';
import { CallEars } from './call-ears.ts';
import { TurnJudge } from './turn-judge.ts';

export interface HearingDeps {
  readonly providers: { readonly vad: VadProvider; readonly stt: SttProvider; readonly turn?: TurnModel };
  readonly sampleRate: SampleRate;
  /** In-place noise filter for caller frames; null: off or not available. */
  readonly noiseFilter: { process(frame: Int16Array): void; close(): void } | null;
  /** Press keys for a phone menu. */
  press(digits: string): void;
  /** Who answered: the decision, and each change of it. */
  onAnswered(answered: AnsweredBy): void;
  /** Words as they are recognised, not yet a line; `isFinal`: they no longer change. */
  onWords?(text: string, isFinal: boolean): void;
  onVendor(news: VendorNews): void;
  /** Another recogniser hears the call. */
  onEars(ears: Ears, at: number): void;
  /** Handling a result failed: thrown into the recogniser's callback, the error would end the thread. */
  onFault(error: unknown, at: number): void;
  dispatch(event: TurnEvent): void;
}

const SILENCE_DBFS = -100;
/** Longest silence added at once: a process that was suspended does not make up for all of it. */
const LONGEST_FILL_MS = 1_000;

/**
 * Turns the far side's audio into events: speech edges, recognised words, and whether a person or machine answered. The
 * recogniser hears every 20 ms of the call, and its audio time is also that of the speech gate.
 */
export class Hearing {
  readonly #deps: HearingDeps;
  readonly #vad: Vad;
  readonly #stt: CallEars;
  #languages: readonly Language[];
  readonly #silence: Int16Array;
  readonly #filter: CallerFilter;
  /** Of speech in the last frame. */
  #probability = 0;
  #gate: GateState = initialGate();
  /** Audio written to the recogniser, ms, and the time of its end. */
  #audioMs = 0;
  #filledUntil: number | null = null;
  /** Null: machine detection is off. */
  #answering: Answering | null = null;
  #expected: Expected | null = null;
  /** Null: no model judges turns in this language. */
  #turns: TurnJudge | null;

  constructor({ agent }: Pick<CallSpec, 'agent'>, deps: HearingDeps) {
    this.#deps = deps;
    this.#filter = new CallerFilter(deps.sampleRate);
    this.#silence = new Int16Array((deps.sampleRate * FRAME_MS) / 1000);
    this.#turns = this.#judge(agent.language);
    this.#languages = languagesOf(agent);
    this.#vad = deps.providers.vad.open(deps.sampleRate);
    this.#stt = new CallEars(deps.providers.stt, {
      language: agent.language,
      secondaryLanguage: agent.secondaryLanguage,
      sampleRate: deps.sampleRate,
      vocab: agent.vocab,
      onEvent: (event) => this.#received(event),
    });
  }

  /** Starts machine detection. */
  detectMachines(settings: AnswerSettings, at: number): void {
    this.#answering = new Answering(settings, this.#deps.sampleRate, at, {
      dispatch: (event) => this.#deps.dispatch(event),
      press: (digits) => this.#deps.press(digits),
      onSettled: () => this.#stt.expect(this.#expected),
      onAnswered: (answered) => this.#deps.onAnswered(answered),
    });
  }

  /** Hears the languages of an agent that takes the call over. False: the call is heard in its language already. */
  follow(agent: Pick<CallSpec['agent'], 'language' | 'secondaryLanguage' | 'vocab'>, at: number): boolean {
    const { language, secondaryLanguage, vocab } = agent;
    if (this.#languages.includes(language)) return false;
    this.#languages = languagesOf(agent);
    this.#stt.follow({ language, secondaryLanguage, vocab }, at);
    this.#turns?.close();
    this.#turns = this.#judge(language);
    const { stt } = this.#deps.providers;
    this.#deps.onEars(
      { understandsSpeech: stt.understands(language), onlyPhrases: stt.onlyPhrases?.(language) ?? false },
      at,
    );
    return true;
  }

  #judge(language: Language): TurnJudge | null {
    const { providers, sampleRate } = this.#deps;
    const { turn } = providers;
    if (turn?.judges(language) !== true) return null;
    return new TurnJudge(turn, sampleRate, (sound) =>
      this.#deps.dispatch({ type: 'turn_judged', ...sound, at: this.#filledUntil ?? 0 }),
    );
  }

  audio(pcm: Int16Array, at: number): void {
    this.#answering?.audio(pcm, this.#probability, at);
    this.#deps.noiseFilter?.process(pcm);
    const level = dbfs(pcm);
    const probability = this.#vad.process(pcm);
    this.#probability = probability;
    const wasFar = this.#filter.isFar;
    const { frame, spoken } = this.#filter.take(pcm, probability, level, at);
    const { isFar } = this.#filter;
    if (isFar !== wasFar) this.#deps.dispatch({ type: 'talker_far', isFar, at });
    this.#write(frame, at);
    this.#turns?.hear(frame);
    this.#gateFrame(spoken, level, at);
  }

  /** The agent speaks this sentence now. */
  agentSays(text: string): void {
    this.#filter.agentSays(text);
  }

  /** The frame that the agent sent; null: silence. */
  sent(pcm: Int16Array | null): void {
    if (pcm !== null && !this.#gate.speaking) this.#turns?.begin();
    this.#filter.sent(pcm);
  }

  /**
   * Fills the time without frames, such as a gap or a hold, with silence: speech ends although the far side stops sending,
   * and the recogniser's turns end too.
   */
  silence(at: number): void {
    let next = Math.max((this.#filledUntil ?? at) + FRAME_MS, at - LONGEST_FILL_MS);
    for (; next <= at; next += FRAME_MS) {
      this.#write(this.#silence, next);
      if (this.#gate.speaking) this.#gateFrame(0, SILENCE_DBFS, next);
    }
    this.#filledUntil ??= at;
  }

  /** Forgets the state of VAD and speech gate; an utterance that is under way ends here. */
  reset(at: number): void {
    if (this.#gate.speaking) this.#stt.speechEnded(at);
    this.#gate = initialGate();
    this.#vad.reset();
  }

  expect(expected: Expected | null): void {
    this.#expected = expected;
    this.#stt.expect(this.#answering?.expect(expected) ?? expected);
  }

  /** Another person or machine may answer now: restarts machine detection. */
  listenAgain(at: number): void {
    this.#answering?.listenAgain(at);
    this.#stt.expect(this.#answering?.expect(this.#expected) ?? this.#expected);
  }

  /** Advances machine detection; `speechEnded`: the agent's speech has just ended. */
  tick(at: number, speechEnded: boolean): void {
    this.#answering?.tick(at);
    if (speechEnded) this.#answering?.spoken(at);
  }

  /** End reason for a hangup by the far side now. */
  leftAs(): EndReason {
    return this.#answering?.leftAs() ?? 'USER_LEFT';
  }

  /** The recognisers of the call so far, the one that hears it now last. */
  usage(): readonly AudioUse[] {
    return this.#stt.usage();
  }

  close(): void {
    this.#turns?.close();
    this.#vad.close();
    this.#deps.noiseFilter?.close();
    this.#stt.close();
  }

  #write(frame: Int16Array, at: number): void {
    this.#stt.write(frame, at);
    this.#audioMs += FRAME_MS;
    this.#filledUntil = at;
  }

  /** The gate runs on audio time, so that its edges compare with those of the recogniser. */
  #gateFrame(probability: number, levelDbfs: number, at: number): void {
    const audioMs = this.#audioMs;
    const step = stepGate(this.#gate, { probability, levelDbfs, frameMs: FRAME_MS, at: audioMs });
    const wasPaused = this.#gate.isPaused;
    this.#gate = step.gate;
    if (step.edge === null) {
      const { isPaused } = step.gate;
      if (isPaused !== wasPaused) this.#deps.dispatch({ type: 'speech_paused', isPaused, at });
      return;
    }
    const since = at - (audioMs - step.edge.since);
    const edge = { type: step.edge.type, at, since, audioMs: step.edge.since };
    if (edge.type === 'speech_started') this.#stt.speechStarted(edge.since);
    else this.#stt.speechEnded(at);
    if (edge.type === 'speech_started') this.#turns?.speechStarted();
    else this.#turns?.speechEnded();
    this.#answering?.edge(edge);
    this.#deps.dispatch(edge);
  }

  #received(event: SttEvent): void {
    try {
      this.#onRecognised(event);
    } catch (error) {
      this.#deps.onFault(error, event.at);
    }
  }

  #onRecognised(event: SttEvent): void {
    if ('text' in event && this.#filter.areOwn(event.text, event.at)) {
      if (event.type === 'final') this.#deps.dispatch({ type: 'stt_nothing', at: event.at });
      return;
    }
    this.#answering?.recognised(event);
    if ('text' in event) {
      this.#turns?.words(event.text);
      this.#deps.onWords?.(event.text, event.type === 'final');
    }
    switch (event.type) {
      case 'partial':
      case 'eager':
        this.#deps.dispatch({ type: event.type, ...wordsOf(event) });
        return;
      case 'final':
        this.#deps.dispatch({ type: 'final', ...wordsOf(event), certain: event.endpoint === 'certain' });
        return;
      case 'resumed': {
        const { turn, at } = event;
        this.#deps.dispatch({ type: 'endpoint_resumed', at, ...(turn === undefined ? {} : { turn }) });
        return;
      }
      case 'nothing':
        this.#deps.dispatch({ type: 'stt_nothing', at: event.at });
        return;
      case 'switched':
        this.#deps.onVendor(event);
        if (event.ears !== undefined) this.#deps.onEars(event.ears, event.at);
        return;
      case 'failed':
        this.#deps.onVendor(event);
        this.#deps.dispatch({ type: 'stt_failed', retryable: event.retryable, at: event.at });
        return;
      default:
        event satisfies never;
    }
  }
}

const languagesOf = ({
  language,
  secondaryLanguage,
}: Pick<CallSpec['agent'], 'language' | 'secondaryLanguage'>) =>
  secondaryLanguage === null ? [language] : [language, secondaryLanguage];

function wordsOf({ text, at, audioMs, words, turn }: SttWords): Recognised {
  const last = words?.at(-1);
  return {
    text,
    at,
    ...(audioMs === null ? {} : { audioMs }),
    ...(last === undefined ? {} : { wordsEndMs: last.endMs }),
    ...(turn === undefined ? {} : { turn }),
  };
}
