import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { storableJson } from '../shared/storable.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import type { Db } from '../store/database.ts';
import { addTalk, type TalkPiece } from '../store/calls/talk-journal.ts';
import { isTransient } from '../store/transient.ts';
import type { ConversationProgress } from '../voice/conversation.ts';

/** Pieces of this long are written as one batch. */
const GATHER_MS = 300;
/** Delay after a write that the database refused. */
const RETRY_MS = 1000;
const MAX_BATCH = 1000;
/** Most characters that wait for the database; further pieces are dropped, and a talk is used up to its first gap. */
const MAX_WAITING_CHARS = 8_000_000;

const charsOf = (pieces: readonly TalkPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0);

export interface TalkJournalDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Writes the talk of this process's live calls to the database, in batches over all calls. Only the settlement of a
 * conversation that was cut off waits for it; a failed write never disturbs a call.
 */
export class TalkJournal {
  readonly #deps: TalkJournalDeps;
  readonly #maxChars: number;
  #waiting: TalkPiece[] = [];
  #chars = 0;
  #timer: NodeJS.Timeout | null = null;
  #last: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(deps: TalkJournalDeps, maxChars = MAX_WAITING_CHARS) {
    this.#deps = deps;
    this.#maxChars = maxChars;
  }

  /** Drops the piece when the buffer is full: the journalled talk then ends before it. */
  add({ workspaceId, callId, attempt, nodeId }: AttemptRef, seq: number, news: ConversationProgress): void {
    const text = storableJson(news);
    if (this.#chars + text.length > this.#maxChars) return;
    this.#waiting.push({ workspaceId, callId, attempt, nodeId, seq, text });
    this.#chars += text.length;
    this.#wait(GATHER_MS);
  }

  /** Drops the waiting pieces of a settled call: its record holds them. */
  forget(callId: string): void {
    const known = this.#waiting.filter((piece) => piece.callId === callId);
    if (known.length === 0) return;
    this.#waiting = this.#waiting.filter((piece) => piece.callId !== callId);
    this.#chars -= charsOf(known);
  }

  /** Resolves once everything added so far is written; rejects while the database does not take it. */
  flush(): Promise<void> {
    const written = this.#last.then(() => this.#write());
    this.#last = written.catch(() => undefined);
    return written;
  }

  #wait(ms: number): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.flush().then(
        () => this.#next(GATHER_MS),
        () => this.#next(RETRY_MS),
      );
    }, ms);
    this.#timer.unref();
  }

  #next(ms: number): void {
    this.#timer = null;
    if (this.#waiting.length > 0) this.#wait(ms);
  }

  async #write(): Promise<void> {
    const { db, clock } = this.#deps;
    for (let left = this.#waiting.length; left > 0 && this.#waiting.length > 0; left -= MAX_BATCH) {
      const batch = this.#waiting.splice(0, Math.min(left, MAX_BATCH));
      try {
        await addTalk(db, batch, new Date(clock.now()));
        this.#isFailing = false;
        this.#chars -= charsOf(batch);
      } catch (error) {
        this.#logOnce(error);
        if (!isTransient(error)) this.#chars -= charsOf(batch);
        else {
          this.#waiting.unshift(...batch);
          throw error;
        }
      }
    }
  }

  /** Logs the first failure until a write succeeds. */
  #logOnce(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#deps.log.error({ err: error }, 'the talk of live calls is not journalled; the calls go on');
  }
}
