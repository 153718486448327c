import type { Heard, HistoryItem, Interruption, TurnEvent } from '@callwright/turns';
import type { LlmSession, ModelUsage, Replier } from '../providers/ports/model.ts';
import type { TtsContext, TtsEvent, TtsSession } from '../providers/ports/voice.ts';
import type { PartName } from '../voice/measures.ts';
import type { VendorPart } from '../shared/vendor-fault.ts';
import type { VendorNews } from './conversation-record.ts';
import type { Player } from './player.ts';
import type { StepSpeakers } from './step-speakers.ts';
import { asWritten } from './word-places.ts';

/** Receives reply metrics: usage, time to first audio, and the engine. */
export interface ReplyMeter {
  answered(replyId: number, use: ModelUsage): void;
  /** The engine of the reply; null: the requested provider. Called again when more is known. */
  repliedBy(replyId: number, by: Replier | null): void;
  /** `by` null: a free speaker. */
  spoken(replyId: number, characters: number, by: PartName | null): void;
  sounded(replyId: number, ms: number): void;
  /** A vendor failed, or a fallback took over. */
  vendor(part: VendorPart, news: VendorNews): void;
  /** These agents may take the call over next. */
  mayHandTo(agentIds: readonly string[]): void;
  /** Model or voice produced nothing for a reply. */
  failed(part: 'llm' | 'tts', message: string): void;
}

/** A sentence that is being spoken. */
interface Sentence {
  readonly replyId: number;
  readonly utteranceId: number;
  readonly text: string;
  readonly askedAt: number;
  isCharged: boolean;
  sounds: boolean;
}

/** The voice of an agent. */
interface Speaker {
  readonly tts: TtsSession;
  /** Null: each step sounds like the agent, and sentences are spoken as they are written. */
  readonly steps: StepSpeakers | null;
}

interface Running {
  /** Aborts the model's stream. */
  readonly model: AbortController;
  /** Null: nothing is spoken yet, or a stopped reply may resume in a new context. */
  speech: TtsContext | null;
  readonly utterances: Set<number>;
  /** The voice of its first words; null: there are none yet, and a fixed sentence has the agent's. */
  tts: TtsSession | null;
}

function closeVoices(speaker: Speaker | undefined): void {
  speaker?.tts.close();
  speaker?.steps?.close();
}

function stopSpeech(running: Running): void {
  const { speech } = running;
  running.speech = null;
  speech?.cancel();
}

/**
 * Model and synthesis requests of the replies in progress. Cancelling a reply aborts both, and late results are dropped.
 * Stopping speech aborts synthesis only: the model keeps streaming, because the interruption may be a false alarm.
 */
export class RunningReplies {
  readonly #running = new Map<number, Running>();
  readonly #llm: LlmSession;
  readonly #player: Player;
  readonly #now: () => number;
  readonly #dispatch: (event: TurnEvent) => void;
  readonly #meter: ReplyMeter | null;
  /** The voice of the first agent, and those of the agents that the call was handed over to. */
  readonly #first: Speaker;
  readonly #others = new Map<string, Speaker>();
  /** The agent that spoke last; null: the first one. */
  #agent: string | null = null;
  /** The rule for interruptions of the latest words; null: that of the call. */
  #interruption: Interruption | null = null;

  /** `steps`: of the first agent. */
  constructor(
    llm: LlmSession,
    tts: TtsSession,
    player: Player,
    now: () => number,
    dispatch: (event: TurnEvent) => void,
    meter: ReplyMeter | null = null,
    steps: StepSpeakers | null = null,
  ) {
    this.#llm = llm;
    this.#player = player;
    this.#now = now;
    this.#dispatch = dispatch;
    this.#meter = meter;
    this.#first = { tts, steps };
    this.#interruption = steps?.of(null).interruption ?? null;
  }

  /** The agent with this id may speak. */
  add(agent: string, speaker: Speaker): void {
    closeVoices(this.#others.get(agent));
    this.#others.set(agent, speaker);
  }

  /** An agent that spoke before speaks again; null: the first one. */
  returnTo(agent: string | null): void {
    this.#agent = agent;
  }

  generate(replyId: number, history: readonly HistoryItem[], memory: unknown): void {
    const { signal } = this.#open(replyId).model;
    const onCancelled = (use: ModelUsage): void => this.#meter?.answered(replyId, use);
    this.#llm.reply({ history, memory, signal, onCancelled }, (event) => {
      if (signal.aborted) return;
      const at = this.#now();
      switch (event.type) {
        case 'delta': {
          const { by = null, step = null, ...words } = event;
          this.#agent = by?.agent?.id ?? this.#agent;
          this.#sound(replyId, step, at);
          this.#meter?.repliedBy(replyId, by);
          this.#dispatch({ ...words, type: 'reply_text', replyId, at });
          return;
        }
        case 'tool':
          this.#dispatch({
            type: 'reply_tool',
            replyId,
            id: event.id,
            name: event.name,
            args: event.args,
            at,
          });
          return;
        case 'done':
          this.#meter?.repliedBy(replyId, event.by ?? null);
          if (event.usage !== undefined) this.#meter?.answered(replyId, event.usage);
          if (event.mayHandTo !== undefined) this.#meter?.mayHandTo(event.mayHandTo);
          this.#dispatch({
            type: 'reply_done',
            replyId,
            memory: event.memory,
            expected: event.expected,
            ...(event.onSilence === undefined ? {} : { onSilence: event.onSilence }),
            ...(event.steps === undefined ? {} : { steps: event.steps }),
            at,
          });
          return;
        case 'switched':
          this.#meter?.vendor('llm', event);
          return;
        case 'failed':
          if (event.fault !== undefined) this.#meter?.vendor('llm', event);
          this.#meter?.failed('llm', event.message);
          this.#dispatch({ type: 'reply_failed', replyId, retryable: event.retryable, at });
          return;
        default:
          event satisfies never;
      }
    });
  }

  /** `isFixed`: other calls say the same sentence. */
  speak(replyId: number, utteranceId: number, text: string, isFixed = false): void {
    const running = this.#open(replyId);
    running.utterances.add(utteranceId);
    const { tts, steps } = this.#speaker;
    this.#player.add(replyId, utteranceId, steps?.formOf(text) ?? asWritten(text));
    const speech = (running.speech ??= (running.tts ?? tts).begin());
    const sentence: Sentence = {
      replyId,
      utteranceId,
      text,
      askedAt: this.#now(),
      isCharged: false,
      sounds: false,
    };
    speech.say(
      text,
      (event) => {
        if (running.speech === speech) this.#spoken(running, sentence, event);
      },
      isFixed ? { isFixed } : undefined,
    );
  }

  get #speaker(): Speaker {
    return this.#others.get(this.#agent ?? '') ?? this.#first;
  }

  /** The first words of a reply decide on its voice, and how it is interrupted. */
  #sound(replyId: number, step: string | null, at: number): void {
    const { tts, steps } = this.#speaker;
    const running = this.#open(replyId);
    if (running.tts !== null) return;
    const sound = steps?.of(step);
    running.tts = sound?.tts ?? tts;
    const rule = sound?.interruption ?? this.#interruption;
    if (rule === null || rule === this.#interruption) return;
    this.#interruption = rule;
    this.#dispatch({ type: 'interruption_changed', rule, at });
  }

  /** No sentence of the reply follows. */
  endSpeech(replyId: number): void {
    this.#running.get(replyId)?.speech?.end();
  }

  cancel(replyId: number): void {
    const running = this.#running.get(replyId);
    running?.model.abort();
    if (running !== undefined) stopSpeech(running);
    this.#running.delete(replyId);
    this.#player.cancel(replyId);
  }

  /** Stops the speech of every released reply; returns how much of each utterance was sent. */
  stopSpeaking(unplayedMs = 0): Heard[] {
    for (const [replyId, running] of this.#running) {
      if (!this.#player.isReleased(replyId)) continue;
      stopSpeech(running);
      running.utterances.clear();
    }
    return this.#player.stop(unplayedMs);
  }

  stop(): void {
    for (const running of this.#running.values()) {
      running.model.abort();
      stopSpeech(running);
    }
    this.#running.clear();
    for (const speaker of this.#others.values()) closeVoices(speaker);
    this.#others.clear();
    this.#first.steps?.close();
  }

  #spoken(running: Running, sentence: Sentence, event: TtsEvent): void {
    const { replyId, utteranceId } = sentence;
    switch (event.type) {
      case 'audio':
        this.#sounded(sentence);
        return this.#player.push(utteranceId, event.pcm);
      case 'marks':
        return this.#player.mark(utteranceId, event.marks);
      case 'cut':
        return this.#player.cut(utteranceId, event.audioMs);
      case 'usage':
        sentence.isCharged = true;
        return this.#meter?.spoken(replyId, event.characters, { vendor: event.vendor, model: event.model });
      case 'switched':
        return this.#meter?.vendor('tts', event);
      case 'done':
        // Without audio nothing is heard: the record must not have the sentence.
        if (!sentence.sounds) return this.#lost(running, sentence, 'the voice returned no sound');
        this.#player.complete(utteranceId);
        running.utterances.delete(utteranceId);
        return;
      case 'failed':
        if (event.fault !== undefined) this.#meter?.vendor('tts', event);
        return this.#lost(running, sentence, event.message);
      default:
        event satisfies never;
    }
  }

  #lost(running: Running, { utteranceId }: Sentence, message: string): void {
    this.#meter?.failed('tts', message);
    this.#player.drop(utteranceId);
    running.utterances.delete(utteranceId);
    this.#dispatch({ type: 'utterance_failed', utteranceId, at: this.#now() });
  }

  /** The usage of a vendor comes before its audio; speech without it is free. */
  #sounded(sentence: Sentence): void {
    if (sentence.sounds) return;
    sentence.sounds = true;
    const { replyId, text, askedAt, isCharged } = sentence;
    if (!isCharged) this.#meter?.spoken(replyId, text.length, null);
    this.#meter?.sounded(replyId, this.#now() - askedAt);
  }

  #open(replyId: number): Running {
    let running = this.#running.get(replyId);
    if (running === undefined) {
      running = { model: new AbortController(), speech: null, utterances: new Set(), tts: null };
      this.#running.set(replyId, running);
      this.#forgetOld(replyId);
    }
    return running;
  }

  /** Evicts finished replies: ids only grow, and at most two replies are live. */
  #forgetOld(replyId: number): void {
    for (const [id, running] of this.#running) {
      if (id < replyId - 8 && running.utterances.size === 0) this.#running.delete(id);
    }
  }
}
