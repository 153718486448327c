import type { MediaStats } from '../voice/ports.ts';
import type { TranscriptLine, TurnEffect, TurnLatency } from '../voice/turn/types.ts';
import type { LiveEvent, Talk, ToolUse } from '../workers/protocol.ts';

type Noted = Extract<TurnEffect, { type: 'transcribe' | 'turn_latency' | 'interrupted' }>;

interface Listeners {
  onLive(event: LiveEvent): void;
  /** What came since the last time. */
  onTalk(news: Talk): void;
}

/** What is kept of how a conversation went, told to whoever follows it live, and to its journal piece by piece. */
export class TalkRecord {
  readonly #transcript: TranscriptLine[] = [];
  readonly #latencies: TurnLatency[] = [];
  /** Audio of the legs of those the caller was handed to, in order. */
  readonly transfers: MediaStats[] = [];
  readonly #listeners: Listeners;
  #interruptions = 0;
  #firstUtteranceMs: number | null = null;
  /** How much of each was told. */
  readonly #told = { lines: 0, latencies: 0, tools: 0 };

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  /** The agent's first sound came so long after the answer. */
  sounded(afterMs: number): void {
    this.#firstUtteranceMs ??= afterMs;
  }

  bridged(media: MediaStats | null | undefined): void {
    if (media != null) this.transfers.push(media);
  }

  note(effect: Noted): void {
    switch (effect.type) {
      case 'transcribe':
        this.#transcript.push(effect.line);
        this.#listeners.onLive({ type: 'line', line: effect.line });
        return;
      case 'turn_latency':
        this.#latencies.push(effect.latency);
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

  /** All of it, with the tools used. */
  whole(toolLog: readonly ToolUse[]): Talk {
    return this.#since({ lines: 0, latencies: 0, tools: 0 }, toolLog);
  }

  /** Tells what is new once a line is complete or a tool was used; how often and how soon is told as it is by then. */
  tell(toolLog: readonly ToolUse[]): void {
    const told = this.#told;
    if (told.lines === this.#transcript.length && told.tools === toolLog.length) return;
    const news = this.#since(told, toolLog);
    told.lines = this.#transcript.length;
    told.latencies = this.#latencies.length;
    told.tools = toolLog.length;
    this.#listeners.onTalk(news);
  }

  #since(told: { lines: number; latencies: number; tools: number }, toolLog: readonly ToolUse[]): Talk {
    return {
      transcript: this.#transcript.slice(told.lines),
      latencies: this.#latencies.slice(told.latencies),
      interruptions: this.#interruptions,
      toolLog: toolLog.slice(told.tools),
      firstUtteranceMs: this.#firstUtteranceMs,
    };
  }
}
