import type { NegotiatedMedia } from '@callwright/rtp';
import type { OutboundLeg } from '@callwright/sip';
import type { LiveEvent } from '../session/protocol.ts';
import type { Log } from '../shared/log.ts';
import type { CallMedia } from '../workers/call-media.ts';
import { OwnHold } from './own-hold.ts';
import type { ToolUse } from './tool-use.ts';
import type { HoldOffers } from './trunk.ts';

interface CallHoldDeps {
  readonly callId: string;
  readonly log: Log;
  readonly tools: Pick<ToolUse, 'isConnected'>;
  /** Null: the call has none yet. */
  media(): Pick<CallMedia, 'holdFarSide'> | null;
  isEnding(): boolean;
  onLive(event: LiveEvent): void;
}

/** Null until there is a leg. */
type HoldLeg = () => Pick<OutboundLeg, 'reoffer'> | null;

/** Who holds the caller while a transfer target is talked to, in notices. */
const FOR_TRANSFER = 'the transfer';

/** Our hold of a call's far side: for members of the workspace, and while the target of a warm transfer is talked to. */
export class CallHold {
  readonly #deps: CallHoldDeps;
  readonly #hold: OwnHold;
  /** How a hold is agreed with the far side; null: its transport has no offers, and it waits at once. */
  #session: { readonly offers: HoldOffers; readonly leg: HoldLeg } | null = null;

  constructor(deps: CallHoldDeps) {
    this.#deps = deps;
    this.#hold = new OwnHold({
      offer: (isHeld, done) => this.#offer(isHeld, done),
      onChanged: (isHeld, by) => {
        deps.media()?.holdFarSide(isHeld);
        if (isHeld) this.#notice('ON_HOLD', `${by} put the caller on hold`);
        else this.#notice('OFF_HOLD', `${by} took the caller off hold`);
      },
      onRefused: (isHeld) => {
        if (deps.isEnding()) return;
        if (isHeld)
          this.#notice('HOLD_REFUSED', 'the far side refused to be put on hold: the call goes on as before');
        else this.#notice('RESUME_REFUSED', 'the far side refused to come back: the caller is still on hold');
      },
    });
  }

  /** Offers of holds go through `leg`. */
  setSession(offers: HoldOffers, leg: HoldLeg): void {
    this.#session = { offers, leg };
  }

  /** The media that the call has now. */
  sees(media: NegotiatedMedia): void {
    this.#session?.offers.sees(media);
  }

  /** A member puts the caller on hold, or takes the caller off. */
  byMember(operation: 'hold' | 'resume', by: string): void {
    const isHeld = this.#hold.isWished;
    if (operation === 'resume') {
      if (isHeld) this.#hold.releaseAll(by);
      else this.#notice('CONTROL_IGNORED', 'the caller is not on hold');
    } else if (this.#deps.tools.isConnected)
      this.#notice('CONTROL_IGNORED', 'the caller talks to the target of a transfer and is not put on hold');
    else if (isHeld) this.#notice('CONTROL_IGNORED', 'the caller is on hold already');
    else this.#hold.hold('member', by);
  }

  /** Holds the caller for a transfer. When the target is connected, every hold ends; when it was not reached, a member's own hold stays. */
  forTransfer(isHeld: boolean): void {
    if (isHeld) this.#hold.hold('transfer', FOR_TRANSFER);
    else if (this.#deps.tools.isConnected) this.#hold.releaseAll(FOR_TRANSFER);
    else this.#hold.release('transfer', FOR_TRANSFER);
  }

  #offer(isHeld: boolean, done: (isTaken: boolean) => void): void {
    if (this.#deps.isEnding()) return done(false);
    if (this.#session === null) return done(true);
    const { offers, leg } = this.#session;
    const reoffer = leg()?.reoffer;
    if (reoffer === undefined) return done(false);
    let offer = '';
    reoffer(
      () => {
        offer = offers.offer(isHeld);
        return offer;
      },
      (outcome) => {
        const isEnding = this.#deps.isEnding();
        const isTaken = 'answer' in outcome && !isEnding && offers.take(outcome.answer, offer, isHeld);
        if (!isTaken && !isEnding) {
          const status = 'refusedBy' in outcome ? outcome.refusedBy : 200;
          const { callId, log } = this.#deps;
          log.warn({ callId, status }, 'the far side refused a hold, or its end');
        }
        done(isTaken);
      },
    );
  }

  #notice(code: string, message: string): void {
    this.#deps.onLive({ type: 'notice', code, message });
  }
}
