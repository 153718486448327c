import type { OutboundLeg, ReferOutcome, SignallingEvents, SipStep } from '@callwright/sip';
import type { DialOrder } from '../../shared/carrier-documents.ts';
import type { CarrierStatus } from '../../shared/carrier-status.ts';
import type { Scheduler } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { WebSocketHandover } from '../web/handover.ts';
import type { StreamRequest } from './carrier-calls.ts';
import type {
  CarrierAnswer,
  CarrierControl,
  CarrierRequest,
  CarrierTrunk,
  TransferOrder,
} from './carrier-trunk.ts';
import { stepPlaced, UNPLACED, type PlacedCall, type PlacedEffect, type PlacedEvent } from './placed-call.ts';

/** Neither answer nor report for so long after a request: the carrier does not have the call. */
const PROOF_MS = 15_000;
/** Carriers open the stream within a second of the answer. */
const STREAM_MS = 10_000;
/** The wall clock may be set while a phone rings: the end of the window is checked at this interval. */
const CLOCK_CHECK_MS = 500;
/** Pauses before the request that ends a call is repeated, which is harmless. */
const END_AGAIN_MS = [1_000, 5_000, 15_000];
const MOST_STEPS = 40;

export interface PlacedLegOptions {
  readonly trunk: CarrierTrunk;
  readonly control: CarrierControl;
  readonly request: StreamRequest;
  readonly events: SignallingEvents;
  /** Of the stream, which is in its address. */
  readonly token: string;
  readonly streamUrl: string;
  /** What Asterisk connects with AudioSocket: the UUID and where; null: it cannot. */
  readonly audioSocket: string | null;
  readonly statusUrl: string;
  readonly answerUrl: string;
  transferOf(order: DialOrder): TransferOrder;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Gets what the next requests need. Never rejects. */
  prepare(): Promise<void>;
  /** Never rejects. */
  send(request: CarrierRequest): Promise<CarrierAnswer>;
  /** Called once, when the call has ended or failed. */
  onOver(): void;
}

/** Runs one call at a carrier: passes its machine what gate, carrier and dialer report, and runs the effects. */
export class PlacedLeg implements OutboundLeg {
  readonly peerAddress = null;
  readonly #options: PlacedLegOptions;
  readonly #steps: SipStep[] = [];
  #call: PlacedCall = UNPLACED;
  #stopRinging = (): void => {};

  constructor(options: PlacedLegOptions) {
    this.#options = options;
  }

  get trunkId(): string {
    return this.#options.trunk.id;
  }

  /** The carrier's id of the call; before it is known, that of the attempt. */
  get sipCallId(): string {
    const { trunk, request } = this.#options;
    return `${trunk.kind}:${this.#call.carrierCallId ?? request.attemptId}`;
  }

  /** The requests and reports of the call, oldest first. */
  get trace(): readonly SipStep[] {
    return this.#steps;
  }

  start(): void {
    this.#limitRinging();
    void this.#passGate();
  }

  hangup(reason: string): void {
    this.#take({ type: 'hangup', reason });
  }

  report({ carrierCallId, state, sipCode }: CarrierStatus): void {
    this.#note('in', state ?? 'accepted', sipCode === null ? '' : `SIP ${sipCode}`);
    this.#take({ type: 'status', carrierCallId, state, sipCode });
  }

  /** False: the call is over. */
  connect(socket: WebSocketHandover): boolean {
    if (this.#call.phase === 'over' || this.#call.phase === 'answered') return false;
    this.#note('in', 'stream', '');
    this.#options.request.takeStream(socket, this.#call.carrierCallId ?? '');
    this.#take({ type: 'connected' });
    return true;
  }

  /** The agent's keys go as tones in the audio. */
  sendInfoDtmf(): void {}

  async refer(target: string, timeoutMs: number): Promise<ReferOutcome> {
    const { trunk, control, request } = this.#options;
    const { carrierCallId, phase } = this.#call;
    if (carrierCallId === null || phase !== 'answered')
      return { transferred: false, accepted: false, sipCode: null, reason: 'the call is not up' };
    const ringSeconds = Math.ceil(timeoutMs / 1_000);
    const to = { target, callerId: request.from, ringSeconds };
    this.#note('out', 'transfer', '');
    const order = control.transfer(trunk, carrierCallId, this.#options.transferOf(to));
    const outcome = transferOutcome(order === null ? null : await this.#options.send(order));
    this.#note('in', outcome.transferred ? 'transferred' : 'transfer refused', outcome.reason);
    if (outcome.transferred) this.#take({ type: 'transferred' });
    return outcome;
  }

  async #passGate(): Promise<void> {
    const { gate } = this.#options.request;
    if (this.#options.control.signIn !== undefined) await this.#options.prepare();
    if (gate !== undefined && !gate.isOpen() && !(await gate.reopen()))
      return this.#take({ type: 'gate_closed' });
    // A hangup while the gate decided wins.
    if (this.#call.phase === 'gate') this.#take({ type: 'gate_open' });
    return undefined;
  }

  #limitRinging(): void {
    const { scheduler, request } = this.#options;
    const { ringTimeoutMs, ringUntil = null } = request;
    const wait = (leftMs: number): void => {
      if (ringUntil !== null && scheduler.now() >= ringUntil) return this.#take({ type: 'window_closed' });
      if (leftMs <= 0) return this.#take({ type: 'ring_timeout' });
      const ms = Math.min(leftMs, ringUntil === null ? leftMs : CLOCK_CHECK_MS);
      this.#stopRinging = scheduler.after(ms, () => wait(leftMs - ms));
      return undefined;
    };
    // Deferred, so that the dialer holds the leg before its first event.
    this.#stopRinging = scheduler.after(0, () => wait(ringTimeoutMs));
  }

  #take(event: PlacedEvent): void {
    const before = this.#call.phase;
    const [call, effects] = stepPlaced(this.#call, event);
    this.#call = call;
    if (call.phase === 'answered' || call.phase === 'over') this.#stopRinging();
    for (const effect of effects) this.#run(effect);
    if (before !== 'over' && call.phase === 'over') this.#options.onOver();
  }

  #run(effect: PlacedEffect): void {
    const { events, scheduler } = this.#options;
    const at = scheduler.now();
    switch (effect.type) {
      case 'place':
        void this.#place();
        return;
      case 'end':
        void this.#end(effect.carrierCallId);
        return;
      case 'ringing':
        return events.onRinging({ sipCode: 180, earlySdp: null, at });
      case 'answered':
        return events.onAnswered({ sdp: '', at });
      case 'failed': {
        const { failure, sipCode, reason, neverSent, tooLate } = effect;
        return events.onFailed({ failure, sipCode, reason, neverSent, tooLate, at });
      }
      case 'ended':
        return events.onEnded({ by: 'caller', cause: 'remote hangup', sipCode: null, at });
      case 'expect':
        scheduler.after(effect.what === 'no_proof' ? PROOF_MS : STREAM_MS, () =>
          this.#take({ type: effect.what }),
        );
    }
  }

  /** Nothing is awaited between the open gate and the request. */
  async #place(): Promise<void> {
    const { trunk, control, request, events } = this.#options;
    const { token, streamUrl, audioSocket, statusUrl, answerUrl } = this.#options;
    const { from, to, ringTimeoutMs, attemptId } = request;
    const order = {
      from,
      to,
      attemptId,
      token,
      streamUrl,
      audioSocket,
      statusUrl,
      answerUrl,
      ringSeconds: Math.ceil(ringTimeoutMs / 1_000),
    };
    const place = control.place(trunk, order);
    const answer = this.#options.send(place);
    this.#note('out', 'place', '');
    events.onSent?.();
    let placed = control.readPlaced(await answer);
    this.#note('in', placed.type, 'reason' in placed ? placed.reason : '');
    if (placed.type === 'lost' && control.placesOnce === true && this.#call.phase === 'placing') {
      // The carrier knows the request by its id: it answers what became of the first one.
      this.#note('out', 'place again', '');
      const again = control.readPlaced(await this.#options.send(place));
      this.#note('in', again.type, 'reason' in again ? again.reason : '');
      if (again.type === 'accepted') placed = again;
    }
    this.#take(placed);
  }

  async #end(carrierCallId: string): Promise<void> {
    const { trunk, control, scheduler, log } = this.#options;
    const ends = control.end(trunk, carrierCallId);
    for (const pauseMs of [...END_AGAIN_MS, null]) {
      this.#note('out', 'end', '');
      const answers = await Promise.all(ends.map((end) => this.#options.send(end)));
      // A call that is over is not found.
      const isOver = control.isOver?.bind(control) ?? ((answer) => answer.status === 404);
      if (answers.every((answer) => answer.ok && (answer.status < 400 || isOver(answer)))) return;
      if (pauseMs === null) break;
      await new Promise<void>((resolve) => scheduler.after(pauseMs, resolve));
    }
    log.error({ trunk: trunk.name, callId: this.sipCallId }, 'a call could not be ended at its carrier');
  }

  #note(direction: SipStep['direction'], what: string, note: string): void {
    if (this.#steps.length < MOST_STEPS)
      this.#steps.push({ at: this.#options.scheduler.now(), direction, what, note });
  }
}

/** What the answer to a transfer request says; null: the carrier has no such request. */
export function transferOutcome(answer: CarrierAnswer | null): ReferOutcome {
  const outcome = (transferred: boolean, accepted: boolean, reason: string): ReferOutcome => ({
    transferred,
    accepted,
    sipCode: null,
    reason,
  });
  if (answer === null) return outcome(false, false, 'the carrier cannot connect the call with another party');
  if (!answer.ok) return outcome(false, true, `the carrier's answer is lost: ${answer.detail}`);
  return answer.status >= 200 && answer.status < 300
    ? outcome(true, true, 'the carrier connects the call')
    : outcome(false, false, `the carrier answered ${answer.status}`);
}
