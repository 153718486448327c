import type { DtmfDigit } from '@callwright/audio';
import type { CallTransferTool } from '../store/json/tools.ts';
import { DIAL_PERMIT_MS } from '../domain/calls/attempt/dial.ts';
import type { LegTimes } from '../domain/calls/attempt/transfer-charges.ts';
import type { AnsweredKind } from '@callwright/turns';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import type { OutboundLeg } from '@callwright/sip';
import type { Signalling } from '../telephony/signalling.ts';
import type { CallMedia } from '../workers/call-media.ts';
import type { BridgeEvent, InvitedGuest, ToolAnswer } from '../session/protocol.ts';
import type { Transfers } from './tool-use.ts';
import { newSessionId, renegotiation, type SdpNegotiator, trunkMedia, type TrunkPauses } from './trunk.ts';
import { coldTransfer, ringMsOf, type ReferPermit, type TransferPermit } from './transfer.ts';

/** What transfers of either kind need from the process. */
export interface TransferDeps {
  readonly signalling: Pick<Signalling, 'call' | 'mediaAddress' | 'mediaRules' | 'trace'>;
  readonly sdp: SdpNegotiator;
  readonly clock: Clock;
  readonly log: Log;
  readonly pauses: Pick<TrunkPauses, 'note'>;
  /** The dial gate of the second leg, right before its INVITE. */
  permit(ref: AttemptRef, trunkId: string, to: string): Promise<TransferPermit>;
  /** The dial gate of a cold transfer. */
  permitRefer(ref: AttemptRef, trunkId: string, to: string): Promise<ReferPermit>;
  /** Whether a call may follow a redirect of its carrier. */
  permitRedirect(
    ref: AttemptRef,
    trunkId: string,
    to: string,
  ): Promise<{ readonly go: true } | { readonly go: false; readonly reason: string }>;
  /** Frees what a permitted cold transfer locked. Never rejects. */
  referFailed(ref: AttemptRef, leg: number): Promise<void>;
  /** Journals that the second leg was answered. Never rejects. */
  legAnswered(ref: AttemptRef, leg: number, at: number): Promise<void>;
  /** Frees the second leg's trunk channel and unused credits. Never rejects. */
  legEnded(ref: AttemptRef, times: LegTimes): Promise<void>;
}

export interface WarmOrder {
  readonly ref: AttemptRef;
  /** The trunk of the caller's own leg. */
  readonly trunkId: string;
  /** Those of the call at its start, for the headers of the trunk. */
  readonly variables: Readonly<Record<string, string>>;
  readonly tool: CallTransferTool;
  readonly media: Pick<
    CallMedia,
    | 'openBridge'
    | 'setBridgeMedia'
    | 'bridgeAnswered'
    | 'connectGuest'
    | 'bridgeDtmf'
    | 'bridgeKeysInAudio'
    | 'closeBridge'
  >;
  /** The caller's own leg; null: it is not up. Absent: the far side cannot join it with another. */
  readonly caller?: () => Pick<OutboundLeg, 'refer'> | null;
  /** Who the target is beside caller and agent; absent: it takes the agent's place. */
  readonly guest?: InvitedGuest;
  /** Puts the caller on hold while the target is talked to, or takes the caller off. Absent: the caller waits without it. */
  hold?(isHeld: boolean): void;
  /** The target hung up after it was connected with the caller, or was removed. */
  onLeft(): void;
}

const MACHINE_ANSWERED: Readonly<Partial<Record<AnsweredKind, string>>> = {
  voicemail: 'a voicemail box answered',
  fax: 'a fax answered',
  sit: 'the network says that the number cannot be reached',
};
/** How long the far side may take to join caller and target. */
const JOIN_MS = 20_000;
/** Requests of a dial permit before the transfer fails: the trunk has used up its pace, or the permit came too late. */
const GATE_TRIES = 5;

/**
 * A warm transfer: a second leg of this call to the target, through the caller's own trunk. Until the target is
 * connected, any failure leaves the caller with the agent; from then on the call ends when either side hangs up. A guest joins
 * caller and agent on such a leg instead, and the call goes on when they leave.
 */
export class WarmTransfer {
  readonly #deps: TransferDeps;
  readonly #order: WarmOrder;
  readonly #outcome = Promise.withResolvers<ToolAnswer>();
  #leg: OutboundLeg | null = null;
  #isOver = false;
  /** The agent has left the caller and the guest alone. */
  #isLeftAlone = false;
  /** The journalled leg; null before its permit. */
  #permitted: { readonly leg: number; readonly capMs: number | null } | null = null;
  #calledAt = 0;
  #answeredAt: number | null = null;
  #endedAt: number | null = null;
  #creditsEnd: NodeJS.Timeout | null = null;
  #connectedAt: number | null = null;
  #endedBy: 'caller' | 'target' | 'system' | null = null;

  constructor(deps: TransferDeps, order: WarmOrder) {
    this.#deps = deps;
    this.#order = order;
  }

  /** Resolves when the caller is connected or the transfer failed. Never rejects. */
  async run(): Promise<ToolAnswer> {
    try {
      await this.#call();
    } catch (error) {
      const { callId } = this.#order.ref;
      this.#deps.log.error({ err: error, callId }, 'a transfer failed');
      this.#fail(null, 'the call to the other side could not be made');
    }
    return this.#outcome.promise;
  }

  onBridge(event: BridgeEvent): void {
    if (this.#isOver) return;
    if (event.type === 'briefing') {
      if (this.#connectedAt === null) this.#hold(true);
      return;
    }
    if (event.type === 'connected') {
      this.#connectedAt ??= event.at;
      this.#hold(false);
      this.#outcome.resolve({ ok: true, result: this.#result(null) });
      void this.#join();
      return;
    }
    if (event.type === 'machine') {
      if (this.#connectedAt !== null) return;
      this.#fail(null, MACHINE_ANSWERED[event.kind] ?? 'a machine answered');
      this.#leg?.hangup('a machine answered');
      return;
    }
    this.#left('system', 'no sound came from the other side');
    this.#leg?.hangup('media timeout');
  }

  /** Sends keys to the other side by the signalling of its leg. */
  onKeys(digits: readonly DtmfDigit[]): void {
    const { media } = this.#order;
    for (const digit of digits)
      this.#leg?.sendInfoDtmf(digit, (refused) => media.bridgeKeysInAudio([refused]));
  }

  /** Caller and target hear each other. */
  get isConnected(): boolean {
    return this.#connectedAt !== null && !this.#isOver;
  }

  /** A guest joins caller and agent, who go on talking: nobody waits. */
  #hold(isHeld: boolean): void {
    if (!this.#isGuest) this.#order.hold?.(isHeld);
  }

  /** The far side connects caller and target itself where the trunk says so. If it does not, they stay bridged. */
  async #join(): Promise<void> {
    const { trunkId, variables, guest, caller } = this.#order;
    const uri = this.#leg?.replacingUri ?? null;
    if (guest !== undefined || uri === null) return;
    if (this.#deps.signalling.mediaRules(trunkId).joinsByRefer !== true) return;
    const outcome = await caller?.()?.refer(uri, JOIN_MS, variables);
    if (outcome?.transferred !== true || this.#isOver) return;
    this.#left('system', 'the far side has joined caller and target');
    this.#leg?.hangup('normal');
  }

  /** The caller's call ended. */
  end(by: 'caller' | 'system'): void {
    if (this.#isOver) return;
    this.#endedBy ??= by;
    this.#fail(null, 'the call ended');
    this.#leg?.hangup('normal');
  }

  /** The agent leaves the caller and the guest alone: from now on the call ends when either side hangs up. */
  leaveAlone(): ToolAnswer {
    this.#isLeftAlone = true;
    this.#order.media.connectGuest();
    return { ok: true, result: this.#result(null) };
  }

  /** A guest leaves, or is not called any more. */
  remove(): void {
    if (this.#isOver) return;
    this.#left('system', 'the invitation was taken back');
    this.#leg?.hangup('normal');
  }

  /** The transfer's result once the caller's call ended at `at`; null when they were never connected. */
  summary(at: number): ToolAnswer | null {
    const isGuest = this.#isGuest;
    const endedAt = isGuest ? Math.min(at, this.#endedAt ?? at) : at;
    return this.#connectedAt === null ? null : { ok: true, result: this.#result(endedAt) };
  }

  /** When the second leg was answered and ended; null: none was permitted. */
  get times(): LegTimes | null {
    if (this.#permitted === null) return null;
    return { leg: this.#permitted.leg, answeredAt: this.#answeredAt, endedAt: this.#endedAt };
  }

  /** The target is beside caller and agent. */
  get #isGuest(): boolean {
    return this.#order.guest !== undefined && !this.#isLeftAlone;
  }

  #result(endedAt: number | null): Record<string, unknown> {
    const connectedAt = this.#connectedAt ?? 0;
    const answeredAt = this.#answeredAt ?? connectedAt;
    return {
      status: this.#isGuest ? 'joined' : 'transferred',
      sip_code: 200,
      ring_ms: answeredAt - this.#calledAt,
      connect_ms: Math.max(0, connectedAt - answeredAt),
      ...(endedAt === null
        ? {}
        : { talk_ms: Math.max(0, endedAt - connectedAt), ended_by: this.#endedBy ?? 'system' }),
    };
  }

  async #call(): Promise<void> {
    const { ref, trunkId, variables, tool, media, guest = null } = this.#order;
    const { clock, signalling } = this.#deps;
    if (signalling.mediaRules(trunkId).stream !== undefined)
      return this.#fail(null, 'the trunk of this call carries no second leg beside it');
    const sdp = trunkMedia(this.#deps, { callId: ref.callId, trunkId });
    const port = await media.openBridge(tool.briefing ?? '', guest).catch(() => null);
    if (port === null) return this.#fail(null, 'no media is free');
    const address = signalling.mediaAddress(trunkId);
    const ours = { address, port, sessionId: newSessionId(), version: 1 };
    const offer = sdp.createOffer(ours);
    const permit = await this.#permit();
    if (this.#isOver) return undefined;
    if (!permit.go) return this.#fail(null, permit.reason);
    this.#calledAt = clock.now();
    let hasRung = false;
    this.#leg = signalling.call(
      {
        trunkId,
        from: permit.from,
        to: tool.transferTo,
        displayName: permit.displayName,
        sdpOffer: offer,
        ringTimeoutMs: ringMsOf(tool),
        variables,
        attemptId: `${ref.callId}-${ref.attempt}-transfer-${this.#calledAt}`,
      },
      {
        onRinging: () => {
          hasRung = true;
        },
        onAnswered: ({ sdp: answer, at }) => this.#answered(sdp.acceptAnswer(answer, offer), at),
        onFailed: (failure) => {
          void this.#deps.pauses.note(trunkId, failure, hasRung);
          this.#fail(failure.sipCode, failure.reason);
        },
        onEnded: ({ by }) => this.#left(by === 'caller' ? 'target' : 'system', 'the other side hung up'),
        ...renegotiation(sdp, ours, offer, (negotiated) => media.setBridgeMedia(negotiated)),
        onDtmf: (digit, at) => media.bridgeDtmf(digit, at),
      },
    );
    return undefined;
  }

  /** Passes the dial gate, and again while only the trunk's pace refuses or the permit came late. Nothing is awaited between permit and INVITE. */
  async #permit(): Promise<Exclude<TransferPermit, { go: 'later' }>> {
    const { ref, trunkId, tool } = this.#order;
    const { clock } = this.#deps;
    let refusal = 'the trunk takes no more calls now';
    for (let left = GATE_TRIES; left > 0 && !this.#isOver; left--) {
      const requestedAt = clock.monotonic();
      const permit = await this.#deps.permit(ref, trunkId, tool.transferTo);
      if (permit.go === 'later') {
        await new Promise((resolve) => setTimeout(resolve, permit.waitMs));
        continue;
      }
      if (!permit.go) return permit;
      if (clock.monotonic() - requestedAt <= DIAL_PERMIT_MS) {
        this.#permitted = permit;
        if (this.#isOver) this.#release();
        return permit;
      }
      refusal = 'the gate took too long';
      await this.#deps.legEnded(ref, { leg: permit.leg, answeredAt: null, endedAt: clock.now() });
    }
    return { go: false, reason: refusal };
  }

  #answered(outcome: ReturnType<SdpNegotiator['acceptAnswer']>, at: number): void {
    if (this.#isOver) return;
    if (!outcome.accepted) {
      this.#fail(488, outcome.reason);
      this.#leg?.hangup('incompatible media');
      return;
    }
    this.#answeredAt = at;
    this.#order.media.setBridgeMedia({
      ...outcome.media,
      signallingAddress: this.#leg?.peerAddress ?? null,
    });
    this.#order.media.bridgeAnswered(at);
    const { ref } = this.#order;
    const { leg, capMs } = this.#permitted ?? { leg: 0, capMs: null };
    void this.#deps.legAnswered(ref, leg, at);
    if (capMs !== null) this.#creditsEnd = setTimeout(() => this.#outOfCredits(), capMs);
  }

  /** The locked credits cover no further pulse. */
  #outOfCredits(): void {
    if (this.#isOver) return;
    this.#deps.log.info(
      { callId: this.#order.ref.callId },
      'a transfer ended: its locked credits are used up',
    );
    this.#leg?.hangup('the credits are used up');
    this.#left('system', 'the credits of the workspace do not cover more talk');
  }

  /** The second leg ended after its answer. */
  #left(by: 'target' | 'system', reason: string): void {
    if (this.#isOver) return;
    if (this.#connectedAt === null) {
      this.#fail(null, reason);
      return;
    }
    this.#endedBy ??= by;
    // Before closing: a bridge that closes while the call goes on returns the caller to the agent.
    this.#order.onLeft();
    this.#close();
  }

  /** Ends the transfer without a connection. An outcome that was resolved before stays. */
  #fail(sipCode: number | null, reason: string): void {
    if (this.#isOver) return;
    this.#close();
    this.#outcome.resolve({ ok: false, result: { status: 'failed', sip_code: sipCode, reason } });
  }

  #close(): void {
    this.#isOver = true;
    this.#hold(false);
    if (this.#creditsEnd !== null) clearTimeout(this.#creditsEnd);
    this.#order.media.closeBridge();
    this.#release();
  }

  /** Journals the end of the second leg. */
  #release(): void {
    this.#endedAt ??= this.#deps.clock.now();
    const { times } = this;
    if (times !== null) void this.#deps.legEnded(this.#order.ref, times);
  }
}

/** The transfers of a call on a trunk; `leg` is null until the call is up. */
export const transfersOf = (
  deps: TransferDeps,
  call: Pick<WarmOrder, 'ref' | 'trunkId' | 'variables'>,
  leg: () => Pick<OutboundLeg, 'refer'> | null,
): Transfers => ({
  cold: (tool) => coldTransfer(deps, { ...call, leg: leg() }, tool),
  warm: (order) => new WarmTransfer(deps, { ...order, ...call, caller: leg }),
});
