import type { MediaStats } from '@callwright/rtp';
import type { AgentName, AudioUse, TurnMeasure } from '../voice/measures.ts';
import type {
  AnsweredBy,
  TranscriptLine,
  TurnEffect,
  TurnEvent,
  TurnLatency,
  TurnState,
} from '@callwright/turns';
import { joinText } from '@callwright/turns';
import { readMove } from '../shared/flow-moves.ts';
import type { AgentSnapshot, LiveEvent } from './protocol.ts';
import type { CallFault, ConversationProgress, RecordingPause, ToolLogEntry } from '../voice/conversation.ts';
import type { VendorFault, VendorPart } from '../shared/vendor-fault.ts';
import { PersonRequests, type Speaker } from './person-requests.ts';
import type { ReplySources } from './reply-sources.ts';
import type { TurnMeasures } from './turn-measures.ts';

type RecordedEffect = Extract<TurnEffect, { type: 'transcribe' | 'turn_latency' | 'interrupted' }>;

/** What a recogniser, speaker or model reports beside its work. */
export interface VendorNews {
  readonly type: 'switched' | 'failed';
  readonly message: string;
  readonly fault?: VendorFault;
}

const MOST_FAULTS = 20;
/** Between two changes of the caller's words that watchers get. */
const WORDS_MS = 300;

interface Listeners {
  onLive(event: LiveEvent): void;
  onProgress(part: ConversationProgress): void;
}

/** Collects transcript, latencies and interruptions; sends them to live watchers and, in parts, to the journal. */
export class ConversationRecord {
  readonly #transcript: TranscriptLine[] = [];
  readonly #latencies: TurnLatency[] = [];
  /** Media of the answered transfer legs, in order. */
  readonly transfers: MediaStats[] = [];
  readonly #listeners: Listeners;
  readonly #measures: TurnMeasures;
  readonly #sources: ReplySources;
  readonly #heard: () => readonly AudioUse[];
  readonly #requests: PersonRequests;
  #faults: readonly CallFault[] = [];
  #interruptions = 0;
  /** When watchers got words of the caller last. */
  #shownAt = -Infinity;
  #firstUtteranceMs: number | null = null;
  #answeredBy: AnsweredBy | null = null;
  /** Lengths of the lists at the last `publish`. */
  readonly #published = { lines: 0, latencies: 0, tools: 0 };
  /** The pauses at the last `publish`: a list that never changes. */
  #publishedPauses: readonly RecordingPause[] = [];

  /** `heard`: the recognisers of the call so far, with their audio. */
  constructor(
    listeners: Listeners,
    measures: TurnMeasures,
    sources: ReplySources,
    heard: () => readonly AudioUse[],
    agent: Speaker,
  ) {
    this.#listeners = listeners;
    this.#measures = measures;
    this.#sources = sources;
    this.#heard = heard;
    this.#requests = new PersonRequests(agent);
  }

  /** The agent's first packet left this long after the answer. */
  agentSounded(afterMs: number): void {
    this.#firstUtteranceMs ??= afterMs;
  }

  /** Machine detection decided, or changed its decision. */
  answeredBy(answeredBy: AnsweredBy): void {
    this.#answeredBy = answeredBy;
    this.#listeners.onLive({ type: 'notice', code: 'ANSWERED_BY', message: answeredBy.kind });
  }

  /** A vendor of the call failed, or another one took over. */
  vendor(part: VendorPart, { type, message, fault }: VendorNews, at: number): void {
    const code = `${part.toUpperCase()}_${type.toUpperCase()}`;
    if (fault === undefined) return this.#listeners.onLive({ type: 'notice', code, message });
    const { vendor, kind, status } = fault;
    this.#listeners.onLive({ type: 'notice', code, message, part, vendor, reason: kind, status });
    if (this.#faults.length >= MOST_FAULTS) return;
    this.#faults = [
      ...this.#faults,
      { part, vendor, kind, status, message: fault.message, effect: type, at },
    ];
  }

  /** The voice of the agent is that of another vendor, whose account is missing. */
  replacedVoice(replaced: AgentSnapshot['replacedVoice'], at: number): void {
    if (replaced === undefined) return;
    const { vendor, message } = replaced;
    const fault = { vendor, kind: 'account', status: null, message, retryable: false } as const;
    this.vendor('tts', { type: 'switched', message, fault }, at);
  }

  /** The call goes on with this agent. */
  handedOver(agent: AgentName & Speaker, at: number): void {
    const { id, name } = agent;
    this.#measures.handedOver({ id, name }, at, this.#heard());
    this.#requests.add(agent);
  }

  bridged(media: MediaStats | null | undefined): void {
    if (media != null) this.transfers.push(media);
  }

  /**
   * Shows watchers the words of a line before it is over, the agent's sentence as it begins and the caller's as they are recognised,
   * and the moves of a flow.
   */
  follow(event: TurnEvent, { reply, caller }: TurnState): void {
    const { at } = event;
    if (event.type === 'utterance_started') {
      const text = reply?.utterances.find(({ id }) => id === event.utteranceId)?.text;
      if (text !== undefined) this.#listeners.onLive({ type: 'words', role: 'agent', text, at });
    } else if (event.type === 'partial' && at - this.#shownAt >= WORDS_MS) {
      this.#shownAt = at;
      const text = joinText([caller.text, caller.partial.text]);
      if (text !== '') this.#listeners.onLive({ type: 'words', role: 'caller', text, at });
    } else if (event.type === 'reply_done') {
      for (const step of event.steps ?? []) {
        const move = readMove(step);
        if (move !== null) this.#listeners.onLive({ type: 'moved', ...move, at });
      }
    }
  }

  add(effect: RecordedEffect): void {
    switch (effect.type) {
      case 'transcribe':
        this.#transcript.push(this.#withSource(effect.line));
        if (effect.line.role === 'agent' && effect.line.author === undefined)
          this.#measures.heard(effect.line);
        this.#listeners.onLive({ type: 'line', line: effect.line });
        if (this.#requests.isIn(effect.line)) {
          this.#listeners.onLive({
            type: 'notice',
            code: 'ASKED_FOR_PERSON',
            message: 'the caller asks for a person',
          });
        }
        return;
      case 'turn_latency':
        this.#latencies.push(effect.latency);
        this.#measures.began(effect.latency.turn, this.#heard().at(-1) ?? null);
        this.#listeners.onLive({ type: 'latency', latency: effect.latency });
        return;
      case 'interrupted': {
        const { at, stoppedAt } = effect;
        this.#interruptions += 1;
        this.#listeners.onLive({ type: 'interrupted', at, stopMs: stoppedAt - at });
        return;
      }
      default:
        effect satisfies never;
    }
  }

  #withSource(line: TranscriptLine): TranscriptLine {
    const spokenBy =
      line.role === 'agent' && line.author === undefined ? this.#sources.ofLine(line.startedAt) : null;
    return spokenBy === null ? line : { ...line, spokenBy };
  }

  /** The whole conversation. */
  whole(toolLog: readonly ToolLogEntry[], pauses: readonly RecordingPause[]): ConversationProgress {
    return this.#since({ lines: 0, latencies: 0, tools: 0 }, toolLog, pauses, this.#measures.all());
  }

  /** Sends the part since the last call, once it holds a complete line, a tool log entry or a change of the pauses. */
  publish(toolLog: readonly ToolLogEntry[], pauses: readonly RecordingPause[]): void {
    const published = this.#published;
    const isSame = published.lines === this.#transcript.length && published.tools === toolLog.length;
    if (isSame && pauses === this.#publishedPauses) return;
    const part = this.#since(published, toolLog, pauses, this.#measures.changes());
    this.#publishedPauses = pauses;
    published.lines = this.#transcript.length;
    published.latencies = this.#latencies.length;
    published.tools = toolLog.length;
    this.#listeners.onProgress(part);
  }

  #since(
    from: { lines: number; latencies: number; tools: number },
    toolLog: readonly ToolLogEntry[],
    recordingPauses: readonly RecordingPause[],
    turns: readonly TurnMeasure[],
  ): ConversationProgress {
    const { handovers } = this.#measures;
    return {
      transcript: this.#transcript.slice(from.lines),
      latencies: this.#latencies.slice(from.latencies),
      interruptions: this.#interruptions,
      toolLog: toolLog.slice(from.tools),
      recordingPauses,
      firstUtteranceMs: this.#firstUtteranceMs,
      turns,
      usage: this.#measures.usage(this.#heard()),
      ...(handovers.length === 0 ? {} : { handovers: [...handovers] }),
      faults: this.#faults,
      answeredBy: this.#answeredBy,
    };
  }
}
