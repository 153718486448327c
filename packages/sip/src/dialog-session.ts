import { type AnswerOutcome, AnsweredInvites } from './answered-invites.ts';
import type { UserAgentContext } from './call-context.ts';
import type { DialogOwner, DialogRequests, DialogRoute } from './dialog-requests.ts';
import type { Reoffer, ReofferOutcome } from './call.ts';
import { refreshTarget } from './dialog.ts';
import { glareMs } from './glare.ts';
import { allowOf, contact, SDP_TYPE, SUPPORTED, USER_AGENT } from './headers.ts';
import { nameWarning } from './media-names.ts';
import { answerOf, REQUIRE_PRECONDITION } from './preconditions.ts';
import { headerTokens, sdpOf, type SipMessage, type SipResponse, textBody } from './message.ts';
import { responseTo } from './response.ts';
import { SessionKeeper } from './session-keeper.ts';
import type { RefreshMethod } from './session-refresh.ts';
import { acceptedTimer, agreedTimer, minimumOf, sessionHeaders } from './session-timer.ts';
import type { ServerTransaction } from './transaction-user.ts';

/** The call as its session needs it. */
export interface SessionUser {
  onReoffer(sdp: string): string | null;
  /** Undefined when the call has no offer of its own. */
  onOfferRequest(): string | null | undefined;
  onReofferAnswer(sdp: string): void;
  /** Our 200 to an UPDATE of the peer is sent; `offer` null: it had none. */
  onUpdated?(offer: string | null): void;
}

export interface SessionOptions extends DialogRoute {
  /** We sent the INVITE, so that the Call-ID is ours. */
  readonly isCaller: boolean;
  readonly localSdp: string | null;
  readonly user: SessionUser;
}

/** Re-INVITEs that may meet requests of the peer before an offer of ours is given up. */
const GLARE_TRIES = 6;

/** The session of one dialog: its offers and answers, and the refreshes that keep it alive. */
export class DialogSession {
  readonly #context: UserAgentContext;
  readonly #options: SessionOptions;
  readonly #owner: DialogOwner;
  readonly #requests: DialogRequests;
  readonly #answered: AnsweredInvites;
  readonly #keeper: SessionKeeper;
  #localSdp: string | null;
  /** An INVITE of ours in the dialog has no final response yet. */
  #isOffering = false;
  /** Host names of an offer or answer of the peer are being looked up. */
  #isNaming = false;
  /** Ends the wait of an offer of ours for its next try; null: none waits. */
  #giveUp: (() => void) | null = null;
  /** The offer of the INVITE is answered, in a reliable response that the peer acknowledged. */
  #isAnsweredEarly = false;
  constructor(
    context: UserAgentContext,
    options: SessionOptions,
    owner: DialogOwner,
    requests: DialogRequests,
  ) {
    this.#context = context;
    this.#options = options;
    this.#owner = owner;
    this.#requests = requests;
    this.#localSdp = options.localSdp;
    this.#answered = new AnsweredInvites(context.scheduler, context.timing);
    this.#keeper = new SessionKeeper(context.scheduler, options.isCaller, {
      refresh: (method, timer, done) => this.#refresh(method, timer, done),
      onExpired: () => this.#owner.lost(null),
    });
  }

  /** A 2xx answered our first INVITE. */
  confirmed(response: SipResponse): void {
    this.#keeper.agreed(agreedTimer(response), takesUpdate(response));
  }

  stop(): void {
    this.#keeper.stop();
    this.#answered.stop();
    this.#giveUp?.();
  }

  /** See `Reoffer`. Session timers and refreshes go on as they were agreed. */
  reoffer(offer: () => string, done: (outcome: ReofferOutcome) => void): void {
    this.#reoffer({ offer, done, left: GLARE_TRIES, seconds: 0 });
  }

  #reoffer(wish: Wish): void {
    if (wish.left === 0) return wish.done({ refusedBy: 491 });
    if (this.#isNegotiating) return this.#later(wish);
    this.#isOffering = true;
    const { timer } = this.#keeper;
    const seconds = Math.max(timer?.seconds ?? 0, wish.seconds);
    const minSeconds = Math.max(timer?.minSeconds ?? 0, wish.seconds);
    const headers = [
      SUPPORTED,
      allowOf(this.#options.trunk),
      // Without them the 2xx would end the timer of the session (RFC 4028 section 7.2).
      ...(timer === null && wish.seconds === 0
        ? []
        : sessionHeaders(seconds, minSeconds, timer?.weRefresh ?? true)),
      SDP_TYPE,
    ];
    const sdp = wish.offer();
    const settle = (response: SipResponse | null, answer: string | null): void => {
      this.#isOffering = false;
      if (this.#owner.isOver || response === null) return wish.done({ refusedBy: null });
      const { status } = response;
      const minimum = status === 422 ? minimumOf(response) : null;
      if (minimum !== null && minimum > seconds)
        return this.#reoffer({ ...wish, left: wish.left - 1, seconds: minimum });
      if (status === 491) return this.#later(wish);
      if (status >= 300) return wish.done({ refusedBy: status });
      this.#localSdp = sdp;
      this.#keeper.agreed(agreedTimer(response), takesUpdate(response));
      return wish.done(answer === null ? { refusedBy: status } : { answer });
    };
    this.#requests.send('INVITE', { headers, body: textBody(sdp) }, (response) =>
      this.#named(answerIn(response), (answer) => settle(response, answer)),
    );
  }

  /** Tries again once the peer has had its turn (RFC 3261 section 14.1). */
  #later(wish: Wish): void {
    const pauseMs = glareMs(this.#options.isCaller, Math.random());
    const stop = this.#context.scheduler.after(pauseMs, () => {
      this.#giveUp = null;
      this.#reoffer({ ...wish, left: wish.left - 1 });
    });
    this.#giveUp = () => {
      this.#giveUp = null;
      stop();
      wish.done({ refusedBy: null });
    };
  }

  /** The peer acknowledged the reliable response with `sdp`, our answer: offers of both sides may follow (RFC 3311 section 5.1). */
  answeredEarly(sdp: string): void {
    this.#localSdp = sdp;
    this.#isAnsweredEarly = true;
  }

  /** Answers an INVITE with 200 and retransmits it until the ACK. `sdp` null: a reliable response carried our answer. */
  answer(transaction: ServerTransaction, sdp: string | null, outcome: AnswerOutcome): void {
    if (sdp !== null) this.#localSdp = sdp;
    this.#answered.answer(transaction, this.#success(transaction, sdp), outcome);
  }

  /** The peer acknowledged a 2xx of ours. */
  acknowledged(sequence: number, sdp: string | null): void {
    this.#answered.acknowledged(sequence, sdp);
  }

  reinvite(transaction: ServerTransaction): void {
    const { request } = transaction;
    const refuse = (status: number): void => transaction.respond(responseTo(request, status));
    if (this.#isNegotiating) {
      refuse(491);
      return;
    }
    this.#named(sdpOf(request), (offer) => {
      if (this.#owner.isOver) refuse(487);
      else this.#answerOffer(transaction, offer);
    });
  }

  #answerOffer(transaction: ServerTransaction, offer: string | null): void {
    const { request } = transaction;
    const { user } = this.#options;
    // Section 14.2: without an offer in the re-INVITE, the 200 carries one as for a new call.
    const requested = offer === null ? user.onOfferRequest() : user.onReoffer(offer);
    const sdp = requested === undefined ? this.#localSdp : requested;
    if (sdp === null) {
      transaction.respond(responseTo(request, 488, { headers: nameWarning(offer) }));
      return;
    }
    this.#owner.update((dialog) => refreshTarget(dialog, request));
    this.answer(transaction, sdp, {
      // Delayed offer: our 200 carried the offer, the ACK carries the answer.
      onAck: (answer) => {
        if (offer !== null || answer === null) return;
        this.#named(answer, (sdp) => {
          if (!this.#owner.isOver && sdp !== null) user.onReofferAnswer(sdp);
        });
      },
      onLost: () => this.#owner.lost(null),
    });
  }

  /** UPDATE (RFC 3311) refreshes an answered session, with a new offer or without one. A PRACK may bring an offer, too. */
  updated(transaction: ServerTransaction): void {
    const { request } = transaction;
    const refuse = (status: number): void => transaction.respond(responseTo(request, status));
    const offer = sdpOf(request);
    // Section 5.2: an offer that meets an open offer of an INVITE waits.
    if (offer !== null && this.#isNegotiating) {
      refuse(491);
      return;
    }
    this.#named(offer, (named) => {
      if (this.#owner.isOver) refuse(487);
      else this.#takeUpdate(transaction, named);
    });
  }

  #takeUpdate(transaction: ServerTransaction, offer: string | null): void {
    const { request } = transaction;
    const sdp = offer === null ? null : this.#options.user.onReoffer(offer);
    if (offer !== null && sdp === null) {
      transaction.respond(responseTo(request, 488, { headers: nameWarning(offer) }));
      return;
    }
    this.#owner.update((dialog) => refreshTarget(dialog, request));
    if (sdp !== null) this.#localSdp = sdp;
    transaction.respond(this.#success(transaction, sdp));
    this.#options.user.onUpdated?.(offer);
  }

  /** The 200 of a request that refreshes the session; without SDP for an UPDATE without offer. */
  #success(transaction: ServerTransaction, sdp: string | null): SipResponse {
    const { request, origin } = transaction;
    const timer = acceptedTimer(request, this.#keeper.ours);
    this.#keeper.agreed(timer, takesUpdate(request));
    const body = sdp === null ? null : answerOf(request, sdp);
    return responseTo(request, 200, {
      toTag: this.#owner.dialog.localTag,
      headers: [
        contact(this.#options.contactUser, this.#context.endpoint.localFor(origin), origin),
        allowOf(this.#options.trunk),
        SUPPORTED,
        USER_AGENT,
        ...(body === null ? [] : [SDP_TYPE]),
        ...(body === sdp ? [] : [REQUIRE_PRECONDITION]),
        ...(timer?.headers ?? []),
      ],
      ...(body === null ? {} : { body: textBody(body) }),
    });
  }

  /** An offer in either direction is still open, so that another one would meet it (RFC 3261 section 14.2). */
  get #isNegotiating(): boolean {
    const isOpen = !this.#owner.dialog.confirmed && !this.#isAnsweredEarly;
    return isOpen || this.#answered.isWaiting || this.#isOffering || this.#isNaming;
  }

  /** Calls `use` with SDP of the peer once its host names are looked up. Until then its offer or answer is open. */
  #named(sdp: string | null, use: (sdp: string | null) => void): void {
    if (sdp === null) return use(null);
    this.#isNaming = true;
    return this.#context.names.resolve(sdp, (named) => {
      this.#isNaming = false;
      use(named);
    });
  }

  /** Refreshes the session: a re-INVITE repeats our last SDP, so that the media stays (RFC 4028 section 7.4). */
  #refresh(
    method: RefreshMethod,
    timer: { readonly seconds: number; readonly minSeconds: number },
    done: (response: SipResponse | null) => void,
  ): void {
    const headers = [
      SUPPORTED,
      allowOf(this.#options.trunk),
      ...sessionHeaders(timer.seconds, timer.minSeconds),
    ];
    const sdp = this.#localSdp;
    if (method === 'UPDATE' || sdp === null) {
      this.#requests.send('UPDATE', { headers }, done);
      return;
    }
    if (this.#isNegotiating) {
      done(null);
      return;
    }
    this.#isOffering = true;
    const content = { headers: [...headers, SDP_TYPE], body: textBody(sdp) };
    this.#requests.send('INVITE', content, (response) =>
      this.#named(answerIn(response), (answer) => {
        this.#isOffering = false;
        if (answer !== null && !this.#owner.isOver) this.#options.user.onReofferAnswer(answer);
        done(response);
      }),
    );
  }
}

/** An offer of ours that waits for its answer. */
interface Wish {
  readonly offer: Parameters<Reoffer>[0];
  readonly done: Parameters<Reoffer>[1];
  readonly left: number;
  /** The longest Min-SE of a 422; 0: none. */
  readonly seconds: number;
}

/** The answer in a response to our offer; null: it has none, or refuses. */
const answerIn = (response: SipResponse | null): string | null =>
  response !== null && response.status < 300 ? sdpOf(response) : null;

/** Whether the sender of the message takes UPDATE; undefined: it does not say. */
function takesUpdate(message: SipMessage): boolean | undefined {
  const methods = headerTokens(message, 'allow');
  return methods.length === 0 ? undefined : methods.some((method) => method.toUpperCase() === 'UPDATE');
}
