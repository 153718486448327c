import {
  dial,
  markAnswered,
  markRinging,
  redial,
  type DialDecision,
  type GateDecision,
} from '../domain/calls/attempt/dial.ts';
import { failureOf, outcomeOf, type Ending } from '../domain/calls/attempt/next-step.ts';
import { release, type Released } from '../domain/calls/attempt/release.ts';
import { mayHaveTalk, settleAttempt, type SettleDeps } from '../domain/calls/attempt/settle.ts';
import type { StoredStatus } from '../domain/calls/attempt/transitions.ts';
import { optOutOfCall } from '../domain/calls/opt-out.ts';
import { failureReason, type FailureReason } from '../shared/failure-reason.ts';
import type { Log } from '../shared/log.ts';
import { journalSent, type AttemptRef, type Ringing } from '../store/calls/attempts.ts';
import { journalCallback } from '../store/calls/callbacks.ts';
import { isTransient, throughOutage } from '../store/transient.ts';
import type { ConversationProgress, ToolLogEntry } from '../voice/conversation.ts';
import type { LiveCalls } from './live-calls.ts';
import type { TalkJournal } from './talk-journal.ts';

export interface JournalDeps extends SettleDeps {
  readonly log: Log;
  readonly live: Pick<LiveCalls, 'markUnsettled'>;
  /** The talk of all live calls of this process. */
  readonly talk: Pick<TalkJournal, 'add' | 'flush' | 'forget'>;
}

/** The call's status after its settlement, and why the attempt failed; null: it did not. */
export interface SettledStatus extends StoredStatus {
  readonly failure: FailureReason | null;
}

/** A call as the claim stored it. */
export const CLAIMED: StoredStatus = { status: 'ongoing', subStatus: 'QUEUED' };

/** Delay before a released call may be claimed again, so that a full node does not claim it in a loop. */
const RELEASE_DELAY_MS = 1000;
/** Retry budget of a settlement for errors that are not outages. */
const MAX_FAULTS = 60;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 5000;

/**
 * Writes one attempt's journal, a transaction for each step. Every step is committed before the outside world sees the
 * next one; only ringing, answer, opt-out, callback and talk lag behind the call. These go through a queue, in their
 * order and without holding up the call; a ringing that could not be written is repeated with the answer or the
 * settlement.
 */
export class AttemptJournal {
  readonly #ref: AttemptRef;
  readonly #deps: JournalDeps;
  /** The attempt may have rung a phone: the reaper settles it and never releases it. */
  #isDialled: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #missedRinging: Ringing | null = null;
  #pieces = 0;

  /** `isClaimed`: the attempt passes the dial gate first; an inbound or browser call is live from its first row. */
  constructor(ref: AttemptRef, deps: JournalDeps, isClaimed = false) {
    this.#ref = ref;
    this.#deps = deps;
    this.#isDialled = !isClaimed;
  }

  get callId(): string {
    return this.#ref.callId;
  }

  /** Passes the dial gate right before the INVITE. */
  async dial(toolLog: readonly ToolLogEntry[]): Promise<DialDecision> {
    // Until the gate has answered, it may have been passed.
    this.#isDialled = true;
    const decision = await dial(this.#deps, this.#ref, { toolLog });
    this.#isDialled = decision.go;
    return decision;
  }

  /** Stores the call before every other step: it was answered while the database was away. */
  storeFirst(store: () => Promise<void>): void {
    this.#enqueue('first', store);
  }

  /** Passes the gate again for an INVITE that leaves after its permit expired. */
  redial(): Promise<GateDecision> {
    return redial(this.#deps, this.#ref);
  }

  /** Notes that the INVITE left. Without the note, a pause or termination waits for the permit's whole lifetime. */
  sent(): void {
    const { db, clock, log } = this.#deps;
    journalSent(db, this.#ref, new Date(clock.now())).catch((error: unknown) => {
      log.warn({ err: error, callId: this.callId }, 'the sending of an INVITE was not journalled');
    });
  }

  /**
   * Releases the attempt, whose INVITE has not left: the call waits a moment, and no retry is used. Tries again for
   * `outageMs` while the database is away.
   */
  release(toolLog: readonly ToolLogEntry[] = [], outageMs = 0): Promise<Released> {
    const dueAt = this.#deps.clock.now() + RELEASE_DELAY_MS;
    const again = this.#isDialled
      ? ({ subStatus: 'QUEUED', dueAt, toolLog, isUnsent: true } as const)
      : { subStatus: 'LIMIT_REACHED', dueAt };
    return throughOutage(() => release(this.#deps, this.#ref, again), outageMs);
  }

  ringing(ringing: Ringing): void {
    this.#enqueue('ringing', async () => {
      this.#missedRinging = ringing;
      await markRinging(this.#deps, this.#ref, ringing);
      this.#missedRinging = null;
    });
  }

  /** Calls `onLost` when the attempt is no longer this node's. */
  answered(at: number, onLost: () => void): void {
    this.#enqueue('answered', async () => {
      const missedRinging = this.#missedRinging;
      const isOurs = await markAnswered(this.#deps, this.#ref, { at, missedRinging });
      this.#missedRinging = null;
      if (!isOurs) onLost();
    });
  }

  /** The callee opted out during the call. */
  optOut(): void {
    this.#enqueue('opt-out', () => optOutOfCall(this.#deps, this.#ref));
  }

  /** The agent promised to call back at `at`. */
  callback(at: number): void {
    this.#enqueue('callback', () => journalCallback(this.#deps.db, this.#ref, new Date(at)));
  }

  /** Talk results are written outside the step queue, so neither blocks the other. */
  talk(progress: ConversationProgress): void {
    this.#pieces += 1;
    this.#deps.talk.add(this.#ref, this.#pieces, progress);
  }

  /**
   * Settles the attempt after every queued step, and retries until the settlement is stored: until then the outcome
   * exists only in this process. Once the retry budget for faults is used up, the reaper ends the attempt from the
   * journal.
   */
  async settle(ending: Ending): Promise<SettledStatus> {
    await this.#last;
    for (let tries = 0, faults = 0; faults < MAX_FAULTS; tries++) {
      try {
        return await this.#store({ ...ending, missedRinging: this.#missedRinging });
      } catch (error) {
        if (!isTransient(error)) faults += 1;
        this.#deps.live.markUnsettled(this.callId);
        this.#deps.log.error(
          { err: error, callId: this.callId },
          'a call is not settled yet; the settlement is retried',
        );
        await new Promise((resolve) =>
          setTimeout(resolve, Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** tries)),
        );
      }
    }
    return this.#isDialled
      ? { ...reaped(), failure: failureReason('PROCESS_LOST') }
      : { ...CLAIMED, failure: null };
  }

  async #store(ending: Ending): Promise<SettledStatus> {
    const { talk } = this.#deps;
    // When the worker died, the talk journal is the only source of the conversation.
    if (mayHaveTalk(ending.end) && ending.result === null) await talk.flush();
    const settled = await settleAttempt(this.#deps, { ...this.#ref, ...ending });
    talk.forget(this.callId);
    const outcome = outcomeOf(ending.end);
    // A call that was deleted meanwhile has no status any more: its watchers get this attempt's outcome.
    const stored = (settled.settled ? settled : settled.stored) ?? {
      status: outcome.final,
      subStatus: outcome.subStatus,
    };
    return {
      status: stored.status,
      subStatus: stored.subStatus,
      failure: failureOf(ending, outcome),
    };
  }

  #enqueue(step: string, write: () => Promise<unknown>): void {
    this.#last = this.#last.then(write).catch((error: unknown) => {
      this.#deps.log.error({ err: error, callId: this.callId, step }, 'a call step was not journalled');
    });
  }
}

/** What the reaper stores for an attempt whose dial is journalled. */
function reaped(): StoredStatus {
  const { final, subStatus } = outcomeOf({ kind: 'crashed' });
  return { status: final, subStatus };
}
