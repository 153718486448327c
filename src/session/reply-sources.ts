import { sourceOf } from '../shared/spoken-by.ts';
import type { LineSource } from '@callwright/turns';
import type { Replier } from '../providers/ports/model.ts';

/** Replies kept: lines are completed within a few replies. */
const MOST_KEPT = 16;

/** Maps the agent's transcript lines to the engines of their replies. */
export class ReplySources {
  readonly #sources = new Map<number, LineSource>();
  readonly #replyOf = new Map<number, number>();
  /** When a reply's first sentence began, as the transcript keeps it. */
  readonly #startedAt = new Map<number, number>();

  /** An engine gave the reply, or its first words. */
  repliedBy(replyId: number, by: Replier): void {
    this.#sources.set(replyId, sourceOf(by));
    forgetOldest(this.#sources);
  }

  /** A sentence goes to the voice; the fixed phrases for a failed model count as an apology. */
  spoken(
    replyId: number,
    utteranceId: number,
    text: string,
    phrases: { readonly apology: string; readonly technicalGoodbye: string },
  ): void {
    this.#replyOf.set(utteranceId, replyId);
    forgetOldest(this.#replyOf);
    if (this.#sources.has(replyId) || (text !== phrases.apology && text !== phrases.technicalGoodbye)) return;
    this.#sources.set(replyId, { engine: 'apology', vendor: null, model: null, isFallback: true });
  }

  started(utteranceId: number, at: number): void {
    const replyId = this.#replyOf.get(utteranceId);
    if (replyId === undefined) return;
    this.#startedAt.set(at, replyId);
    forgetOldest(this.#startedAt);
  }

  /** The engine of the agent's line that began then; null: none, as for a fixed first message. */
  ofLine(startedAt: number): LineSource | null {
    const replyId = this.#startedAt.get(startedAt);
    return replyId === undefined ? null : (this.#sources.get(replyId) ?? null);
  }
}

function forgetOldest(map: Map<number, unknown>): void {
  if (map.size <= MOST_KEPT) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
