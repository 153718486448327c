import {
  dial,
  type DialDecision,
  type GateDecision,
  redial,
  markAnswered,
  markRinging,
} from '../domain/calls/attempt/dial.ts';
import { mayHaveTalk, settleAttempt, type SettleDeps } from '../domain/calls/attempt/settle.ts';
import { releaseClaim, releaseUnsent, type Released } from '../domain/calls/attempt/release.ts';
import type { StoredStatus } from '../domain/calls/attempt/transitions.ts';
import { optOutOfCall } from '../domain/calls/opt-out.ts';
import type { Log } from '../shared/log.ts';
import { journalSent, type AttemptRef, type Ringing } from '../store/calls/attempts.ts';
import { journalCallback } from '../store/calls/callbacks.ts';
import { isTransient } from '../store/transient.ts';
import type { ConversationProgress, ToolLogEntry } from '../voice/conversation.ts';
import type { LiveCalls } from './live-calls.ts';
import { TalkJournal } from './talk-journal.ts';
import type { Ending } from '../domain/calls/attempt/next-step.ts';

/**
 * The database writes of attempts, one transaction each. Every step is committed before the outside world sees the next
 * one; only ringing, answer and talk may lag behind the call, and the settlement makes up for what they missed.
 */
export interface AttemptWrites {
  /** Passes the dial gate right before the INVITE. */
  dial(ref: AttemptRef, toolLog: readonly ToolLogEntry[]): Promise<DialDecision>;
  /** Passes the gate again for an INVITE that leaves after its permit expired. */
  redial(ref: AttemptRef): Promise<GateDecision>;
  sent(ref: AttemptRef): Promise<void>;
  ringing(ref: AttemptRef, ringing: Ringing): Promise<unknown>;
  /** False: the attempt is no longer this node's, so the leg must be hung up. */
  answered(ref: AttemptRef, at: number, missedRinging: Ringing | null): Promise<boolean>;
  /** The callee opted out during the call. */
  optOut(ref: AttemptRef): Promise<void>;
  /** The agent promised to call back at `at`. */
  callback(ref: AttemptRef, at: number): Promise<void>;
  /** The next piece of the talk, counted from 1; written soon, and nothing waits for it. */
  talk(ref: AttemptRef, seq: number, progress: ConversationProgress): void;
  settle(ref: AttemptRef, ending: Ending): Promise<StoredStatus>;
  /** No media is free: the call waits a moment, and no retry is used. */
  release(ref: AttemptRef): Promise<Released>;
  /** The dial is journalled, but this process knows that the INVITE has not left. */
  releaseUnsent(ref: AttemptRef, toolLog: readonly ToolLogEntry[]): Promise<Released>;
}

/** Delay before a released call may be claimed again, so that a full node does not claim it in a loop. */
const RELEASE_DELAY_MS = 1000;

export function createAttemptWrites(deps: SettleDeps & { readonly log: Log }): AttemptWrites {
  const talk = new TalkJournal(deps);
  const dueAt = (): number => deps.clock.now() + RELEASE_DELAY_MS;
  return {
    dial: (ref, toolLog) => dial(deps, ref, { toolLog }),
    redial: (ref) => redial(deps, ref),
    sent: (ref) => journalSent(deps.db, ref, new Date(deps.clock.now())),
    ringing: (ref, ringing) => markRinging(deps, ref, ringing),
    answered: (ref, at, missedRinging) => markAnswered(deps, ref, { at, missedRinging }),
    optOut: (ref) => optOutOfCall(deps, ref),
    callback: (ref, at) => journalCallback(deps.db, ref, new Date(at)),
    talk: (ref, seq, progress) => talk.add(ref, seq, progress),
    settle: async (ref, ending) => {
      // When the worker died, the talk journal is the only source of the conversation.
      if (mayHaveTalk(ending.end) && ending.result === null) await talk.flush();
      const settled = await settleAttempt(deps, { ...ref, ...ending });
      talk.forget(ref.callId);
      const stored = settled.settled ? settled : settled.stored;
      return stored ?? { status: 'error', subStatus: 'UNKNOWN_AFTER_CRASH' };
    },
    release: (ref) => releaseClaim(deps, ref, { subStatus: 'LIMIT_REACHED', dueAt: dueAt() }),
    releaseUnsent: (ref, toolLog) =>
      releaseUnsent(deps, ref, { subStatus: 'QUEUED', dueAt: dueAt(), toolLog }),
  };
}

/** Retry budget of a settlement for errors that are not outages. */
const MAX_FAULTS = 60;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 5000;

/**
 * Writes one attempt's journal. Ringing, answer, opt-out and callback go through a queue, in their order and without
 * holding up the call; a ringing that could not be written is repeated with the answer or the settlement.
 */
export class AttemptJournal {
  readonly #ref: AttemptRef;
  readonly #writes: AttemptWrites;
  readonly #live: Pick<LiveCalls, 'markUnsettled'>;
  readonly #log: Log;
  #last: Promise<unknown> = Promise.resolve();
  #missedRinging: Ringing | null = null;
  #pieces = 0;

  constructor(
    ref: AttemptRef,
    deps: {
      readonly writes: AttemptWrites;
      readonly live: Pick<LiveCalls, 'markUnsettled'>;
      readonly log: Log;
    },
  ) {
    this.#ref = ref;
    this.#writes = deps.writes;
    this.#live = deps.live;
    this.#log = deps.log;
  }

  get callId(): string {
    return this.#ref.callId;
  }

  dial(toolLog: readonly ToolLogEntry[]): Promise<DialDecision> {
    return this.#writes.dial(this.#ref, toolLog);
  }

  redial(): Promise<GateDecision> {
    return this.#writes.redial(this.#ref);
  }

  /** Notes that the INVITE left. Without the note, a pause or termination waits for the permit's whole lifetime. */
  sent(): void {
    this.#writes.sent(this.#ref).catch((error: unknown) => {
      this.#log.warn({ err: error, callId: this.callId }, 'the sending of an INVITE was not journalled');
    });
  }

  release(): Promise<Released> {
    return this.#writes.release(this.#ref);
  }

  releaseUnsent(toolLog: readonly ToolLogEntry[]): Promise<Released> {
    return this.#writes.releaseUnsent(this.#ref, toolLog);
  }

  ringing(ringing: Ringing): void {
    this.#enqueue('ringing', async () => {
      this.#missedRinging = ringing;
      await this.#writes.ringing(this.#ref, ringing);
      this.#missedRinging = null;
    });
  }

  /** Calls `onLost` when the attempt is no longer this node's. */
  answered(at: number, onLost: () => void): void {
    this.#enqueue('answered', async () => {
      const isOurs = await this.#writes.answered(this.#ref, at, this.#missedRinging);
      this.#missedRinging = null;
      if (!isOurs) onLost();
    });
  }

  optOut(): void {
    this.#enqueue('opt-out', () => this.#writes.optOut(this.#ref));
  }

  callback(at: number): void {
    this.#enqueue('callback', () => this.#writes.callback(this.#ref, at));
  }

  /** Talk results are written outside the step queue, so neither blocks the other. */
  talk(progress: ConversationProgress): void {
    this.#pieces += 1;
    this.#writes.talk(this.#ref, this.#pieces, progress);
  }

  /**
   * Settles the attempt after every queued step, and retries until the settlement is stored: until then the outcome
   * exists only in this process. Once the retry budget for faults is used up the reaper settles the attempt from the
   * journal.
   */
  async settle(ending: Ending): Promise<StoredStatus> {
    await this.#last;
    for (let tries = 0, faults = 0; faults < MAX_FAULTS; tries++) {
      try {
        return await this.#writes.settle(this.#ref, { ...ending, missedRinging: this.#missedRinging });
      } catch (error) {
        if (!isTransient(error)) faults += 1;
        this.#live.markUnsettled(this.callId);
        this.#log.error(
          { err: error, callId: this.callId },
          'a call is not settled yet; the settlement is retried',
        );
        await new Promise((resolve) =>
          setTimeout(resolve, Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** tries)),
        );
      }
    }
    return { status: 'error', subStatus: 'FAILED' };
  }

  #enqueue(step: string, write: () => Promise<unknown>): void {
    this.#last = this.#last.then(write).catch((error: unknown) => {
      this.#log.error({ err: error, callId: this.callId, step }, 'a call step was not journalled');
    });
  }
}
