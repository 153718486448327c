import type { TranscriptLine, TurnEffect, TurnLatency } from '../voice/turn/types.ts';
import type { LiveEvent } from '../workers/protocol.ts';

type Noted = Extract<TurnEffect, { type: 'transcribe' | 'turn_latency' | 'interrupted' }>;

/** What is kept of how a conversation went, told to whoever follows it live. */
export class TalkRecord {
  readonly transcript: TranscriptLine[] = [];
  readonly latencies: TurnLatency[] = [];
  readonly #onLive: (event: LiveEvent) => void;
  #interruptions = 0;
  #firstUtteranceMs: number | null = null;

  constructor(onLive: (event: LiveEvent) => void) {
    this.#onLive = onLive;
  }

  get interruptions(): number {
    return this.#interruptions;
  }

  /** From the answer to the agent's first sound; null: it made none. */
  get firstUtteranceMs(): number | null {
    return this.#firstUtteranceMs;
  }

  sounded(afterMs: number): void {
    this.#firstUtteranceMs ??= afterMs;
  }

  note(effect: Noted): void {
    switch (effect.type) {
      case 'transcribe':
        this.transcript.push(effect.line);
        this.#onLive({ type: 'line', line: effect.line });
        return;
      case 'turn_latency':
        this.latencies.push(effect.latency);
        this.#onLive({ type: 'latency', latency: effect.latency });
        return;
      case 'interrupted':
        this.#interruptions += 1;
        this.#onLive({ type: 'interrupted', at: effect.at, stopMs: effect.stoppedAt - effect.at });
        return;
      default:
        effect satisfies never;
    }
  }
}
