import {
  type FailureClass,
  type OutboundLeg,
  type OutboundRequest,
  type SignallingEvents,
  answerOffer,
} from '@callwright/sip';
import type { DtmfDigit } from '@callwright/audio';
import { behaviourOf } from '../../../src/telephony/test-carrier/callee.ts';
import { CalleeLine, type CalleeEngines } from '../../../src/telephony/test-carrier/callee-line.ts';
import { phoneLine, type PhoneLine } from '../../helpers/sip/phone-line.ts';
import { VirtualLeg } from './virtual-leg.ts';
import type { VirtualTime } from './virtual-time.ts';

/** One call to a phone that the test controls. */
export interface VirtualPhoneCall extends PhoneLine {
  readonly from: string;
  readonly keys: DtmfDigit[];
  /** Who ended the call; null while it lasts. */
  readonly endedBy: 'caller' | 'agent' | null;
  hangUp(): void;
}

/** `early`: rings while the network plays this sound. */
export type PhoneBehaviour = 'answers' | 'rings' | 486 | { readonly early: Int16Array };

/** What the carrier's SDP says of its side. */
const SIDE = { address: '127.0.0.1', port: 30_000, sessionId: 1, version: 1 };
const RING_MS = 200;
const REFUSALS: Readonly<Record<string, { failure: FailureClass; sipCode: number }>> = {
  busy: { failure: 'busy', sipCode: 486 },
  not_found: { failure: 'invalid_number', sipCode: 404 },
  unavailable_once: { failure: 'failed', sipCode: 503 },
};

/** Plays the sound once, then silence. */
function playEarly(leg: VirtualLeg, sound: Int16Array): void {
  let at = 0;
  leg.start({
    fill(out) {
      out.set(sound.subarray(at, at + out.length));
      at += out.length;
      return true;
    },
    onAudio: () => undefined,
    onDtmf: () => undefined,
    onMediaTimeout: () => undefined,
  });
}

interface Callee {
  start(at: number): void;
  /** Handles a hangup by the far side. */
  end(): void;
}

/**
 * A carrier without signalling messages, in virtual time: callees are those of the test carrier, or phones that the test
 * controls. Calls ring for 200 ms.
 */
export class VirtualCarrier {
  readonly #time: VirtualTime;
  readonly #engines: CalleeEngines;
  readonly #legs: ReadonlyMap<number, VirtualLeg>;
  readonly #phones = new Map<string, { calls: VirtualPhoneCall[]; behaviour: PhoneBehaviour }>();
  readonly #tried = new Set<string>();
  readonly #rung: string[] = [];
  readonly #reoffers: { readonly to: string; readonly direction: string }[] = [];
  readonly #holdRefusers = new Set<string>();
  #calls = 0;

  constructor(time: VirtualTime, engines: CalleeEngines, legs: ReadonlyMap<number, VirtualLeg>) {
    this.#time = time;
    this.#engines = engines;
    this.#legs = legs;
  }

  /** Takes control of this number and returns its calls. A numeric behaviour is the SIP status that refuses them. */
  phone(number: string, behaviour: PhoneBehaviour = 'answers'): readonly VirtualPhoneCall[] {
    const phone = this.#phones.get(number) ?? { calls: [], behaviour };
    phone.behaviour = behaviour;
    this.#phones.set(number, phone);
    return phone.calls;
  }

  /** Numbers of all INVITEs, in order. */
  get rung(): readonly string[] {
    return this.#rung;
  }

  /** The directions that re-INVITEs to this number offered, in order. */
  offered(number: string): readonly string[] {
    return this.#reoffers.filter(({ to }) => to === number).map(({ direction }) => direction);
  }

  /** This number answers every re-INVITE with 488. */
  refuseHolds(number: string): void {
    this.#holdRefusers.add(number);
  }

  /** Clears the recorded calls. */
  forget(): void {
    for (const { calls } of this.#phones.values()) calls.length = 0;
    this.#rung.length = 0;
    this.#reoffers.length = 0;
  }

  readonly call = (request: OutboundRequest, events: SignallingEvents): OutboundLeg => {
    const time = this.#time;
    const id = `virtual-${(this.#calls += 1)}`;
    let phase: 'ringing' | 'answered' | 'over' = 'ringing';
    let callee: Callee | null = null;
    const end = (by: 'caller' | 'agent'): void => {
      if (phase !== 'answered') return;
      phase = 'over';
      callee?.end();
      events.onEnded({ by, cause: 'normal', sipCode: null, at: time.now() });
    };
    const fail = (failure: FailureClass, sipCode: number | null): void => {
      if (phase !== 'ringing') return;
      phase = 'over';
      events.onFailed({ failure, sipCode, reason: failure, neverSent: false, at: time.now() });
    };
    time.after(0, () => {
      events.onSent?.();
      this.#rung.push(request.to);
      const refusal = this.#refusal(request.to);
      if (refusal !== undefined) return fail(refusal.failure, refusal.sipCode);
      const sound = this.#earlySound(request.to);
      if (sound !== null) {
        const early = this.#joined(request);
        if (early === null) return fail('failed', 488);
        playEarly(early.leg, sound);
        events.onRinging({ sipCode: 183, earlySdp: early.answer, at: time.now() });
        time.after(request.ringTimeoutMs, () => fail('no_answer', 487));
        return undefined;
      }
      events.onRinging({ sipCode: 180, earlySdp: null, at: time.now() });
      time.after(RING_MS, () => {
        if (phase !== 'ringing' || this.#phones.get(request.to)?.behaviour === 'rings') return;
        const joined = this.#joined(request);
        if (joined === null) return fail('failed', 488);
        phase = 'answered';
        callee = this.#callee(request, joined.leg, end);
        const at = time.now();
        events.onAnswered({ sdp: joined.answer, at });
        callee.start(at);
      });
      time.after(request.ringTimeoutMs, () => fail('no_answer', 487));
      return undefined;
    });
    return {
      sipCallId: id,
      peerAddress: '127.0.0.1',
      hangup: () => (phase === 'ringing' ? fail('cancelled', 487) : end('agent')),
      sendInfoDtmf: () => undefined,
      reoffer: (offer, done) => {
        const sdp = offer();
        this.#reoffers.push({
          to: request.to,
          direction: /^a=(send\w+|recvonly|inactive)/m.exec(sdp)?.[1] ?? '',
        });
        const outcome = answerOffer(sdp, SIDE);
        const isTaken = outcome.accepted && !this.#holdRefusers.has(request.to);
        time.after(RING_MS, () => done(isTaken ? { answer: outcome.answer } : { refusedBy: 488 }));
      },
      refer: () =>
        Promise.resolve({
          transferred: false,
          accepted: false,
          sipCode: 501,
          reason: 'the virtual peer supports no REFER',
        }),
    };
  };

  #earlySound(number: string): Int16Array | null {
    const behaviour = this.#phones.get(number)?.behaviour;
    return typeof behaviour === 'object' ? behaviour.early : null;
  }

  /** A leg of the carrier connected with the one of the offer, and the SDP answer; null: the offer is refused. */
  #joined({ sdpOffer }: OutboundRequest): { leg: VirtualLeg; answer: string } | null {
    const ours = this.#legs.get(Number(/m=audio (\d+)/.exec(sdpOffer)?.[1]));
    const outcome = answerOffer(sdpOffer, SIDE);
    if (ours === undefined || !outcome.accepted) return null;
    const leg = new VirtualLeg(this.#time);
    VirtualLeg.join(ours, leg);
    return { leg, answer: outcome.answer };
  }

  #refusal(number: string): { failure: FailureClass; sipCode: number } | undefined {
    const phone = this.#phones.get(number);
    if (phone !== undefined) return phone.behaviour === 486 ? REFUSALS['busy'] : undefined;
    const behaviour = behaviourOf(number);
    if (behaviour !== 'unavailable_once') return REFUSALS[behaviour];
    if (this.#tried.has(number)) return undefined;
    this.#tried.add(number);
    return REFUSALS[behaviour];
  }

  #callee(request: OutboundRequest, leg: VirtualLeg, end: (by: 'caller' | 'agent') => void): Callee {
    const phone = this.#phones.get(request.to);
    if (phone !== undefined) return this.#phoneCall(phone.calls, request.from, leg, end);
    const behaviour = behaviourOf(request.to);
    const line = new CalleeLine(
      behaviour === 'unavailable_once' ? 'cooperative' : behaviour,
      leg,
      this.#engines,
      () => end('caller'),
    );
    return { start: (at) => line.start(at), end: () => void line.close() };
  }

  #phoneCall(
    calls: VirtualPhoneCall[],
    from: string,
    leg: VirtualLeg,
    end: (by: 'caller' | 'agent') => void,
  ): Callee {
    const { line, sink } = phoneLine(leg, [], () => this.#time.now());
    let endedBy: 'caller' | 'agent' | null = null;
    const call: VirtualPhoneCall = {
      ...line,
      from,
      get endedBy() {
        return endedBy;
      },
      hangUp() {
        endedBy ??= 'caller';
        end('caller');
      },
    };
    return {
      start() {
        leg.start(sink);
        calls.push(call);
      },
      end() {
        endedBy ??= 'agent';
        void leg.close();
      },
    };
  }
}
