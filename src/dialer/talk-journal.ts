import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { storableJson } from '../shared/storable.ts';
import type { AttemptRef } from '../store/attempts.ts';
import type { Db } from '../store/database.ts';
import { addTalk, type TalkPiece } from '../store/talk-journal.ts';
import { isTransient } from '../store/transient.ts';
import type { Talk } from '../workers/protocol.ts';

/** What comes within so long is one statement, and the next look at a database that took none. */
const TURN_MS = 300;
const AWAY_MS = 1000;
/** Pieces of one statement. */
const MOST = 1000;
/** Characters that wait for the database; what comes beyond is not journalled. */
const ROOM = 8_000_000;

const charsOf = (pieces: readonly TalkPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0);

export interface TalkJournalDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The talk of this process's live calls on its way into the database, those of all calls together. Nobody waits for
 * it but the settlement of a conversation that was cut off; a call goes on whatever becomes of it.
 */
export class TalkJournal {
  readonly #deps: TalkJournalDeps;
  readonly #room: number;
  #waiting: TalkPiece[] = [];
  #chars = 0;
  #timer: NodeJS.Timeout | null = null;
  #last: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(deps: TalkJournalDeps, room = ROOM) {
    this.#deps = deps;
    this.#room = room;
  }

  /** Without room for a piece the talk is kept up to there. */
  add({ workspaceId, callId, attempt, nodeId }: AttemptRef, seq: number, news: Talk): void {
    const text = storableJson(news);
    if (this.#chars + text.length > this.#room) return;
    this.#waiting.push({ workspaceId, callId, attempt, nodeId, seq, text });
    this.#chars += text.length;
    this.#wait(TURN_MS);
  }

  /** The call is settled: what still waits of its talk is known. */
  forget(callId: string): void {
    const known = this.#waiting.filter((piece) => piece.callId === callId);
    if (known.length === 0) return;
    this.#waiting = this.#waiting.filter((piece) => piece.callId !== callId);
    this.#chars -= charsOf(known);
  }

  /** Resolves once everything added so far is written; rejects while the database does not take it. */
  flush(): Promise<void> {
    const turn = this.#last.then(() => this.#write());
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #wait(ms: number): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.flush().then(
        () => this.#next(TURN_MS),
        () => this.#next(AWAY_MS),
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
    for (let left = this.#waiting.length; left > 0 && this.#waiting.length > 0; left -= MOST) {
      const batch = this.#waiting.splice(0, Math.min(left, MOST));
      try {
        await addTalk(db, batch, new Date(clock.now()));
        this.#isFailing = false;
        this.#chars -= charsOf(batch);
      } catch (error) {
        this.#tell(error);
        if (!isTransient(error)) this.#chars -= charsOf(batch);
        else {
          this.#waiting.unshift(...batch);
          throw error;
        }
      }
    }
  }

  /** Said once until it works again. */
  #tell(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#deps.log.error({ err: error }, 'the talk of live calls is not journalled; the calls go on');
  }
}
