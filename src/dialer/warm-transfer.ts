import type { CallTransferTool } from '../domain/tools/tool-types.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { AttemptRef } from '../store/attempts.ts';
import type { OutboundLeg, Signalling } from '../telephony/leg.ts';
import type { CallMedia } from '../workers/call-media.ts';
import type { BridgeEvent, ToolAnswer } from '../workers/protocol.ts';
import { reofferAnswerer, sessionIdOf, type SdpNegotiator } from './sdp-session.ts';
import { ringMsOf } from './transfer-call.ts';
import type { TransferPermit } from './transfer-gate.ts';

export interface WarmDeps {
  readonly signalling: Pick<Signalling, 'call'>;
  readonly sdp: SdpNegotiator;
  /** The address the far side sends its RTP to. */
  readonly mediaAddress: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The gate of the second leg, asked right before its INVITE. */
  permit(ref: AttemptRef, trunkId: string, to: string): Promise<TransferPermit>;
  /** The second leg is over. Never rejects. */
  released(ref: AttemptRef): Promise<void>;
}

export interface WarmOrder {
  readonly ref: AttemptRef;
  /** The trunk of the caller's own leg. */
  readonly trunkId: string;
  readonly tool: CallTransferTool;
  readonly media: Pick<
    CallMedia,
    'openBridge' | 'setBridgeMedia' | 'bridgeAnswered' | 'bridgeDtmf' | 'closeBridge'
  >;
  /** The person has left the caller they were connected with. */
  onLeft(): void;
}

/** From the gate to the INVITE: a process that was held up for longer sends nothing. */
const INVITE_WITHIN_MS = 800;
/** How often a trunk whose pace is used up is asked again. */
const PACE_TRIES = 5;

/**
 * Hands a caller over: a second leg through the caller's own trunk, which stays a leg of this call. Until the person
 * is connected, whatever fails leaves the caller with the agent; from then on either side's end is the call's.
 */
export class WarmTransfer {
  readonly #deps: WarmDeps;
  readonly #order: WarmOrder;
  readonly #outcome = Promise.withResolvers<ToolAnswer>();
  #leg: OutboundLeg | null = null;
  #isOver = false;
  #isPermitted = false;
  #calledAt = 0;
  #answeredAt = 0;
  #connectedAt: number | null = null;
  #endedBy: 'caller' | 'target' | 'system' | null = null;

  constructor(deps: WarmDeps, order: WarmOrder) {
    this.#deps = deps;
    this.#order = order;
  }

  /** Resolves when the caller is connected, or stays. Never rejects. */
  async run(): Promise<ToolAnswer> {
    try {
      await this.#call();
    } catch (error) {
      const { callId } = this.#order.ref;
      this.#deps.log.error({ err: error, callId }, 'a transfer could not be made');
      this.#fail(null, 'the call to the other side could not be made');
    }
    return this.#outcome.promise;
  }

  onBridge(event: BridgeEvent): void {
    if (this.#isOver) return;
    if (event.type === 'connected') {
      this.#connectedAt = event.at;
      this.#outcome.resolve({ ok: true, result: this.#result(null) });
      return;
    }
    this.#left('system', 'no sound came from the other side');
    this.#leg?.hangup('media timeout');
  }

  /** The caller's call is over: so is this. */
  end(by: 'caller' | 'system'): void {
    if (this.#isOver) return;
    this.#endedBy ??= by;
    this.#fail(null, 'the call ended');
    this.#leg?.hangup('normal');
  }

  /** What is known once the caller's call ended at `at`; null where they were never connected. */
  summary(at: number): ToolAnswer | null {
    return this.#connectedAt === null ? null : { ok: true, result: this.#result(at) };
  }

  #result(endedAt: number | null): Record<string, unknown> {
    const connectedAt = this.#connectedAt ?? 0;
    return {
      status: 'transferred',
      sip_code: 200,
      ring_ms: this.#answeredAt - this.#calledAt,
      connect_ms: Math.max(0, connectedAt - this.#answeredAt),
      ...(endedAt === null
        ? {}
        : { talk_ms: Math.max(0, endedAt - connectedAt), ended_by: this.#endedBy ?? 'system' }),
    };
  }

  async #call(): Promise<void> {
    const { ref, trunkId, tool, media } = this.#order;
    const { clock, sdp, signalling, mediaAddress: address } = this.#deps;
    const port = await media.openBridge(tool.briefing ?? '').catch(() => null);
    if (port === null) return this.#fail(null, 'no media is free');
    const ours = { address, port, sessionId: sessionIdOf(clock.now()), version: 1 };
    const offer = sdp.createOffer(ours);
    const permit = await this.#permit();
    if (this.#isOver) return undefined;
    if (!permit.go) return this.#fail(null, permit.reason);
    this.#calledAt = clock.now();
    this.#leg = signalling.call(
      {
        trunkId,
        from: permit.from,
        to: tool.transfer_to,
        displayName: permit.displayName,
        sdpOffer: offer,
        ringTimeoutMs: ringMsOf(tool),
        attemptId: `${ref.callId}-${ref.attempt}-transfer-${this.#calledAt}`,
      },
      {
        onRinging: () => undefined,
        onAnswered: ({ sdp: answer, at }) => this.#answered(sdp.acceptAnswer(answer, offer), at),
        onFailed: ({ sipCode, reason }) => this.#fail(sipCode, reason),
        onEnded: ({ by }) => this.#left(by === 'caller' ? 'target' : 'system', 'the other side hung up'),
        onReoffer: reofferAnswerer(sdp, ours, offer, (negotiated) => media.setBridgeMedia(negotiated)),
        onDtmf: (digit) => media.bridgeDtmf(digit),
      },
    );
    return undefined;
  }

  /** Asks the gate, again where only the trunk's pace says no; from its answer to the INVITE nothing is waited for. */
  async #permit(): Promise<Exclude<TransferPermit, { go: 'later' }>> {
    const { ref, trunkId, tool } = this.#order;
    const { clock } = this.#deps;
    for (let left = PACE_TRIES; left > 0 && !this.#isOver; left--) {
      const askedAt = clock.monotonic();
      const permit = await this.#deps.permit(ref, trunkId, tool.transfer_to);
      if (permit.go === true) {
        this.#isPermitted = true;
        if (this.#isOver) this.#release();
        if (clock.monotonic() - askedAt > INVITE_WITHIN_MS)
          return { go: false, reason: 'the gate took too long' };
      }
      if (permit.go !== 'later') return permit;
      await new Promise((resolve) => setTimeout(resolve, permit.waitMs));
    }
    return { go: false, reason: 'the trunk takes no more calls now' };
  }

  #answered(outcome: ReturnType<SdpNegotiator['acceptAnswer']>, at: number): void {
    if (this.#isOver) return;
    if (!outcome.accepted) {
      this.#fail(488, 'the answer has no audio we can speak');
      this.#leg?.hangup('incompatible media');
      return;
    }
    this.#answeredAt = at;
    this.#order.media.setBridgeMedia(outcome.media);
    this.#order.media.bridgeAnswered(at);
  }

  /** An answered leg has ended. */
  #left(by: 'target' | 'system', reason: string): void {
    if (this.#isOver) return;
    if (this.#connectedAt === null) {
      this.#fail(null, reason);
      return;
    }
    this.#endedBy ??= by;
    // First: a leg that closes while the call goes on gives the caller back to the agent.
    this.#order.onLeft();
    this.#close();
  }

  /** The caller stays, or is gone; an outcome that is known already stays too. */
  #fail(sipCode: number | null, reason: string): void {
    if (this.#isOver) return;
    this.#close();
    this.#outcome.resolve({ ok: false, result: { status: 'failed', sip_code: sipCode, reason } });
  }

  #close(): void {
    this.#isOver = true;
    this.#order.media.closeBridge();
    this.#release();
  }

  /** Its channel of the trunk is free. */
  #release(): void {
    if (!this.#isPermitted) return;
    this.#isPermitted = false;
    void this.#deps.released(this.#order.ref);
  }
}
