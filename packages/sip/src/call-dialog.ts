import type { DtmfDigit } from '@callwright/audio';
import type { ReferOutcome, Reoffer } from './call.ts';
import type { AnswerOutcome } from './answered-invites.ts';
import type { UserAgentContext } from './call-context.ts';
import { type ByeHeaders, byeHeadersOf } from './call-headers.ts';
import { DialogRequests } from './dialog-requests.ts';
import { DialogSession, type SessionOptions, type SessionUser } from './dialog-session.ts';
import {
  confirmAsCallee,
  confirmAsCaller,
  dialogAsCallee,
  keyOf,
  receiveRequest,
  type Dialog,
} from './dialog.ts';
import { endReason, REPLACED } from './end-reason.ts';
import { EndedDialog } from './ended-dialog.ts';
import { dtmfOfInfo, infoOfDtmf } from './dtmf-info.ts';
import { ACCEPT, ACCEPT_INFO, allowOf } from './headers.ts';
import { type Header, sdpOf, type SipRequest, type SipResponse, textBody } from './message.ts';
import { InfoKeys } from './info-keys.ts';
import { nameWarning } from './media-names.ts';
import { referHeaders } from './referral.ts';
import { responseTo } from './response.ts';
import type { ServerTransaction } from './transaction-user.ts';
import { Transfer } from './transfer.ts';

/** A 503 in a dialog ends its transaction alone, and the peer waits (RFC 5057). Seconds. */
const RETRY_INFO: Header = { name: 'retry-after', value: '1' };

export interface CallDialogUser extends SessionUser {
  onDtmf(digit: DtmfDigit, at: number): void;
  onRemoteBye(bye: ByeHeaders): void;
  /** The peer refers us to another target. */
  onRefer(transaction: ServerTransaction): void;
  /** False when the PRACK matches no provisional response. */
  onPrack(prack: SipRequest): boolean;
  /** Another party took the call over: its requests go through `dialog` from now on. */
  onReplaced(dialog: CallDialog): void;
  /** The dialog is lost: the peer answered 481 or 408, or did not answer a request or a 2xx at all. */
  onGone(sipCode: number | null): void;
}

interface Options extends SessionOptions {
  readonly dialog: Dialog;
  /** Those that the trunk's rules add to our BYE. */
  readonly byeHeaders: () => readonly Header[];
  readonly user: CallDialogUser;
}

/** Runs one dialog: the requests of both sides until its end. */
export class CallDialog {
  readonly #context: UserAgentContext;
  readonly #options: Options;
  readonly #requests: DialogRequests;
  readonly #session: DialogSession;
  readonly #transfer: Transfer;
  readonly #keys: InfoKeys;
  #dialog: Dialog;
  /** True once requests other than BYE are refused. */
  #over = false;
  /** True once a BYE was sent or received. */
  #ended = false;
  /** It took a call over, and the ACK is on its way: BYE must wait for it (RFC 3261 section 15). */
  #isTakingOver = false;
  #byeOnAck: Header | null = null;
  constructor(context: UserAgentContext, options: Options) {
    this.#context = context;
    this.#options = options;
    this.#dialog = options.dialog;
    this.#requests = new DialogRequests(context, options, this);
    this.#session = new DialogSession(context, options, this, this.#requests);
    this.#transfer = new Transfer(context.scheduler);
    this.#keys = new InfoKeys(context.scheduler, (digit, done) =>
      this.#requests.send('INFO', infoOfDtmf(digit), (response) => done(response?.status ?? null)),
    );
    context.dialogs.set(keyOf(this.#dialog), this);
  }
  get dialog(): Dialog {
    return this.#dialog;
  }
  update(change: (dialog: Dialog) => Dialog): void {
    this.#dialog = change(this.#dialog);
  }

  /** Confirms the dialog with a 2xx of our INVITE and acknowledges it. `credentials` are those of the INVITE. */
  confirm(response: SipResponse, credentials: readonly Header[]): void {
    this.#dialog = confirmAsCaller(this.#dialog, response);
    this.#session.confirmed(response);
    this.acknowledge(response, credentials);
  }
  /** Acknowledges a 2xx of our INVITE, also one that comes again. */
  acknowledge(response: SipResponse, credentials: readonly Header[]): void {
    this.#requests.acknowledge(response.cseq.sequence, credentials);
  }

  get isOver(): boolean {
    return this.#over;
  }
  isOn(trunkIds: readonly string[]): boolean {
    return trunkIds.includes(this.#options.trunk.id);
  }

  /**
   * Answers an INVITE that takes this call over: `offer`, its SDP, goes to the user as that of a re-INVITE. The old party
   * gets BYE.
   */
  replaceBy(transaction: ServerTransaction, offer: string | null): void {
    const { request, origin } = transaction;
    const { user } = this.#options;
    const sdp = offer === null ? (user.onOfferRequest() ?? null) : user.onReoffer(offer);
    const tag = this.#context.endpoint.tagFor(request);
    if (sdp === null) {
      transaction.respond(responseTo(request, 488, { toTag: tag, headers: nameWarning(offer) }));
      return;
    }
    const next: CallDialog = new CallDialog(this.#context, {
      ...this.#options,
      dialog: dialogAsCallee(request, tag),
      flow: origin,
      isCaller: false,
      localSdp: sdp,
    });
    user.onReplaced(next);
    next.#isTakingOver = true;
    next.answer(transaction, sdp, {
      onAck: (answer) => {
        next.#isTakingOver = false;
        next.update(confirmAsCallee);
        if (next.#byeOnAck !== null) next.bye(next.#byeOnAck);
        else if (offer === null && answer !== null)
          this.#context.names.resolve(answer, (sdp) => user.onReofferAnswer(sdp));
      },
      onLost: () => {
        next.#isTakingOver = false;
        next.lost(null);
      },
    });
    this.bye(REPLACED);
  }

  /** Acknowledges a reliable provisional response (RFC 3262). A PRACK that fails leaves the call to its INVITE. */
  prack(rack: string): void {
    this.#requests.send('PRACK', { headers: [{ name: 'rack', value: rack }] }, () => {});
  }

  /** Ends the dialog with BYE. `closing` holds it until the BYE transaction ends. */
  bye(reason: Header): void {
    if (this.#ended) return;
    if (this.#isTakingOver) {
      this.#byeOnAck ??= reason;
      return;
    }
    this.#ended = true;
    this.close();
    const { closing } = this.#context;
    closing.add(this);
    const done = (): void => void closing.delete(this);
    const content = { headers: [reason, ...this.#options.byeHeaders()] };
    this.#requests.send('BYE', content, (response, peer) => {
      const { flow, trunk } = this.#options;
      const status = response?.status ?? null;
      const isChallenged = status === 401 || status === 407;
      if (!isChallenged) return done();
      const { log } = this.#context;
      log.warn({ trunk: trunk.name, trunkId: trunk.id, status, peer: peer?.address }, 'BYE was challenged');
      // Credentials go only to addresses of the trunk: its proxy forwards the BYE to the edge that challenged it.
      if (peer?.address === flow.address || trunk.authenticator === null) return done();
      this.#requests.sendTo([flow], 'BYE', content, done);
    });
  }

  sendDtmf(digit: DtmfDigit, onRefused: (digit: DtmfDigit) => void = () => {}): void {
    this.#keys.press(digit, onRefused);
  }

  readonly reoffer: Reoffer = (offer, done) => {
    if (this.#over || !this.#dialog.confirmed) done({ refusedBy: null });
    else this.#session.reoffer(offer, done);
  };

  /** Sends REFER and resolves with the outcome of the transfer. Never rejects. */
  refer(target: string, timeoutMs: number, more: readonly Header[]): Promise<ReferOutcome> {
    const isUp = !this.#over && this.#dialog.confirmed;
    return this.#transfer.refer(isUp, timeoutMs, (done) => {
      const headers = [...referHeaders(target, this.#dialog.local.uri), ...more];
      this.#requests.send('REFER', { headers }, (response) => done(response?.status ?? null));
    });
  }

  /** Reports the progress of the peer's REFER; `done` follows the peer's response. */
  notify(headers: readonly Header[], body: string, done: () => void): void {
    if (this.#over) done();
    else this.#requests.send('NOTIFY', { headers, body: textBody(body) }, done);
  }

  /** Stops timers and the pending transfer. The table has an entry for 64*T1 that answers late requests. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#session.stop();
    this.#keys.stop();
    this.#transfer.callEnded();
    const { dialogs } = this.#context;
    const key = keyOf(this.#dialog);
    if (!this.#ended || dialogs.get(key) !== this) {
      forgetLater(this.#context, key, this);
      return;
    }
    const { remoteSequence } = this.#dialog;
    const left = new EndedDialog(this.#options.trunk, remoteSequence, this.#transfer.hasReferred);
    dialogs.set(key, left);
    forgetLater(this.#context, key, left);
  }

  /** RFC 3261 section 12.2.1.2: 481, 408 or a timeout inside a dialog ends it. */
  lost(sipCode: number | null): void {
    if (this.#over) return;
    this.bye(endReason('dialog lost'));
    this.#options.user.onGone(sipCode);
  }

  /** Handles an in-dialog request that passed `checkRequest`. */
  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    const received = receiveRequest(this.#dialog, request);
    if (received === null) {
      transaction.respond(responseTo(request, 500));
      return;
    }
    this.#dialog = received;
    switch (request.method) {
      case 'BYE':
        transaction.respond(responseTo(request, 200));
        if (!this.#ended) {
          this.#ended = true;
          this.#transfer.receivedBye();
          this.close();
          this.#options.user.onRemoteBye(byeHeadersOf(request, this.#options.trunk.headerNames));
        }
        return;
      case 'INVITE':
        this.#negotiate(transaction, () => this.#session.reinvite(transaction));
        return;
      case 'UPDATE':
        this.#negotiate(transaction, () => this.#session.updated(transaction));
        return;
      case 'REFER':
        this.#negotiate(transaction, () => this.#options.user.onRefer(transaction));
        return;
      case 'INFO':
        this.#info(transaction);
        return;
      case 'NOTIFY':
        this.#notified(transaction);
        return;
      case 'PRACK':
        if (!this.#options.user.onPrack(request)) transaction.respond(responseTo(request, 481));
        else if (sdpOf(request) === null) transaction.respond(responseTo(request, 200));
        else this.#session.updated(transaction);
        return;
      case 'OPTIONS':
        transaction.respond(responseTo(request, 200, { headers: [allowOf(this.#options.trunk), ACCEPT] }));
        return;
      default:
        transaction.respond(responseTo(request, 405, { headers: [allowOf(this.#options.trunk)] }));
    }
  }

  /** Handles the ACK of a 2xx that we sent. */
  receiveAck(ack: SipRequest): void {
    this.#session.acknowledged(ack.cseq.sequence, sdpOf(ack));
  }

  /** See `DialogSession`. */
  answeredEarly(sdp: string): void {
    this.#session.answeredEarly(sdp);
  }

  /** Answers an INVITE with 200 and retransmits it until the ACK. `sdp` null: a reliable response carried our answer. */
  answer(transaction: ServerTransaction, sdp: string | null, outcome: AnswerOutcome): void {
    this.#session.answer(transaction, sdp, outcome);
  }

  #negotiate(transaction: ServerTransaction, take: () => void): void {
    if (this.#over) transaction.respond(responseTo(transaction.request, 481));
    else take();
  }

  #info(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (!this.#context.takesInfo(this.#dialog.callId)) {
      transaction.respond(responseTo(request, 503, { headers: [RETRY_INFO] }));
      return;
    }
    const digit = dtmfOfInfo(request);
    const known = digit !== null || request.body.length === 0;
    transaction.respond(
      known ? responseTo(request, 200) : responseTo(request, 415, { headers: [ACCEPT_INFO] }),
    );
    if (digit !== null && !this.#over) this.#options.user.onDtmf(digit, this.#context.scheduler.now());
  }

  #notified(transaction: ServerTransaction): void {
    const { request } = transaction;
    const isOurs = this.#transfer.expects(request);
    transaction.respond(responseTo(request, isOurs ? 200 : 481));
    if (isOurs) this.#transfer.notified(request);
  }
}

/** Apart from the class, so that the timer does not hold a call that is over. */
function forgetLater(
  { scheduler, timing, dialogs }: UserAgentContext,
  key: string,
  entry: CallDialog | EndedDialog,
): void {
  scheduler.after(64 * timing.t1Ms, () => {
    if (dialogs.get(key) === entry) dialogs.delete(key);
  });
}
