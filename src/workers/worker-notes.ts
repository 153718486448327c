import { VendorFaultCounts, type VendorFaultCount } from '../providers/choose/faults.ts';
import type { FaultyPart } from '../providers/choose/faults.ts';
import type { EntranceName } from '../shared/ingress/entrance.ts';
import { FallbackCounts, type FallbackCount } from '../shared/fallback-counts.ts';
import type { Log } from '../shared/log.ts';
import type { VendorFault } from '../shared/vendor-fault.ts';
import type { ConversationProgress, ConversationResult } from '../voice/conversation.ts';
import type { LiveEvent } from '../session/protocol.ts';
import { FailingRecognisers, type FailingRecogniser } from './failing-recognisers.ts';

/** Counts and logs for the operator what went wrong in the calls of all workers. */
export class WorkerNotes {
  readonly #log: Log;
  readonly #vendorFaults = new VendorFaultCounts();
  readonly #fallbacks = new FallbackCounts();
  readonly #recognisers = new FailingRecognisers();
  readonly #refused = new Map<EntranceName, number>();
  #recordingFailures = 0;
  #recordingFailedAt: number | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Calls since the start whose recording failed, wholly or in part, and how long ago the last one did. */
  get recordingFailures(): { readonly count: number; readonly agoMs: number | null } {
    const lastAt = this.#recordingFailedAt;
    return { count: this.#recordingFailures, agoMs: lastAt === null ? null : performance.now() - lastAt };
  }

  /** Replies of another engine than the agent's first model, since the start. */
  get fallbackReplies(): readonly FallbackCount[] {
    return this.#fallbacks.list();
  }

  get vendorFaults(): readonly VendorFaultCount[] {
    return this.#vendorFaults.list();
  }

  /** Recognisers that failed in each of the last calls that used them. */
  get failingRecognisers(): readonly FailingRecogniser[] {
    return this.#recognisers.list();
  }

  /** Connections that were closed because they sent more than their budget, since the start. */
  get refusals(): readonly (readonly [EntranceName, number])[] {
    return [...this.#refused];
  }

  refused(entrance: EntranceName): void {
    this.#refused.set(entrance, (this.#refused.get(entrance) ?? 0) + 1);
  }

  vendorFault(part: FaultyPart, fault: VendorFault): void {
    this.#vendorFaults.add(part, fault);
    const { vendor, kind, status } = fault;
    this.#log.warn({ part, vendor, kind, status }, 'a vendor failed');
  }

  finished(result: ConversationResult): void {
    const failing = this.#recognisers.ended(result);
    if (failing === null) return;
    const { vendor, kind } = failing;
    this.#log.error({ vendor, kind }, 'a recogniser fails in every call');
  }

  /** Replies that came from another engine than the agent's first model. */
  progress(callId: string, { transcript }: ConversationProgress): void {
    for (const { spokenBy } of transcript) {
      if (spokenBy?.isFallback !== true || spokenBy.engine === null) continue;
      const { engine, vendor } = spokenBy;
      this.#fallbacks.add(engine);
      this.#log.warn({ callId, engine, vendor }, "another engine than the agent's model replied");
    }
  }

  /** Failed conversations and recordings; a recording is counted, and its call goes on. */
  live(callId: string, event: LiveEvent): void {
    if (event.type !== 'notice') return;
    if (event.code === 'CONVERSATION_FAILED') {
      this.#log.error({ callId, error: event.message }, 'an error ended a conversation');
    }
    if (event.code !== 'RECORDING_FAILED') return;
    this.#recordingFailures += 1;
    this.#recordingFailedAt = performance.now();
    this.#log.error({ callId, reason: event.message }, 'a recording could not be kept; its call goes on');
  }
}
