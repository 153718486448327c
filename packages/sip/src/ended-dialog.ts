import type { CallTrunk } from './call-context.ts';
import { ACCEPT, allowOf } from './headers.ts';
import { isAboutReferral } from './referral.ts';
import { responseTo } from './response.ts';
import type { ServerTransaction } from './transaction-user.ts';

/** A dialog after its BYE, for requests that come late. It holds nothing of its call, so that the memory of the call is free. */
export class EndedDialog {
  readonly isOver = true;
  readonly #trunk: CallTrunk;
  readonly #hasReferred: boolean;
  #remoteSequence: number | null;

  /** `remoteSequence`: CSeq of the peer's last request. `hasReferred`: NOTIFYs of a transfer may still come. */
  constructor(trunk: CallTrunk, remoteSequence: number | null, hasReferred: boolean) {
    this.#trunk = trunk;
    this.#remoteSequence = remoteSequence;
    this.#hasReferred = hasReferred;
  }

  isOn(trunkIds: readonly string[]): boolean {
    return trunkIds.includes(this.#trunk.id);
  }

  /** Both sides may send BYE at once; everything else of a dialog that is over gets 481. */
  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    const { sequence } = request.cseq;
    if (this.#remoteSequence !== null && sequence < this.#remoteSequence) {
      transaction.respond(responseTo(request, 500));
      return;
    }
    this.#remoteSequence = sequence;
    if (request.method === 'OPTIONS')
      transaction.respond(responseTo(request, 200, { headers: [allowOf(this.#trunk), ACCEPT] }));
    else {
      const isKnown = request.method === 'BYE' || (this.#hasReferred && isNotify(request));
      transaction.respond(responseTo(request, isKnown ? 200 : 481));
    }
  }

  /** The 2xx that it acknowledges is no longer sent. */
  receiveAck(): void {}
}

const isNotify = (request: ServerTransaction['request']): boolean =>
  request.method === 'NOTIFY' && isAboutReferral(request);
