import { randomUUID } from 'node:crypto';
import type { OutboundLeg, OutboundRequest, ReferOutcome, SignallingEvents, SipStep } from '@callwright/sip';
import { audioSocketDocument, type DialOrder } from '../../shared/carrier-documents.ts';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import type { CarrierStatus, StreamUpgrade } from '../../shared/carrier-status.ts';
import type { Scheduler } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { sha256 } from '../../shared/ids.ts';
import { placedToken } from '../../shared/stream-token.ts';
import type { WebSocketHandover } from '../web/handover.ts';
import { CarrierApi, type CarrierApiDeps } from './carrier-api.ts';
import type { AccountFault, CarrierTrunk, TransferOrder } from './carrier-trunk.ts';
import { CONTROLS } from './control/controls.ts';
import { PlacedLeg, transferOutcome } from './placed-leg.ts';

/** A call for a trunk whose audio comes over a WebSocket. */
export interface StreamRequest extends OutboundRequest {
  /** Takes the connection of the stream when the callee has answered. `carrierCallId` is empty while it is not known. */
  takeStream(socket: WebSocketHandover, carrierCallId: string): void;
}

export interface CarrierCallsDeps {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** One request under the address rules. Never rejects. */
  readonly fetch: CarrierApiDeps['fetch'];
  /** The public address at which the carrier opens the stream with this token. */
  streamUrl(token: string): string;
  /** Where Asterisk connects with AudioSocket; null or absent: nowhere. */
  audioSocketAt?(): string | null;
  /** The public address at which the carrier reports on a call. */
  statusUrl(trunk: CarrierTrunk, attemptId: string): string;
  /** The public address that answers with the document of the stream with this token. */
  answerUrl(trunk: CarrierTrunk, token: string): string;
  /** The public address that answers with the document of a transfer. */
  transferUrl(trunk: CarrierTrunk, order: DialOrder): string;
  /** The id of this process, which the tokens of its streams name. */
  nodeId(): string;
  /** Why an upgrade is not of the trunk's carrier; null: it is. */
  upgradeFault(trunk: CarrierTrunk, upgrade: StreamUpgrade): string | null;
}

/** The state of a trunk's account; null: not checked yet. */
export interface AccountHealth {
  readonly id: string;
  readonly name: string;
  readonly isWorking: boolean | null;
  readonly fault: AccountFault | null;
}

const STOP_MS = 2_000;
/** A call that is over is known for this long, so that one which the carrier reports late is ended there. */
const KEPT_MS = 600_000;

/** The calls of this process that carriers place by HTTP, and the accounts of their trunks. */
export class CarrierCalls {
  readonly #deps: CarrierCallsDeps;
  #trunks: ReadonlyMap<string, CarrierTrunk> = new Map();
  readonly #health = new Map<string, Omit<AccountHealth, 'id' | 'name'>>();
  /** By attempt. */
  readonly #legs = new Map<string, PlacedLeg>();
  readonly #api: CarrierApi;
  /** Attempts by the hash of the token of their stream; one with AudioSocket has two, of which the first that comes opens it. */
  readonly #tokens = new Map<string, string>();

  constructor(deps: CarrierCallsDeps) {
    this.#deps = deps;
    this.#api = new CarrierApi({ now: () => deps.scheduler.now(), fetch: deps.fetch });
  }

  setTrunks(trunks: readonly CarrierTrunk[]): void {
    this.#trunks = new Map(trunks.map((trunk) => [trunk.id, trunk]));
    for (const id of this.#health.keys()) if (!this.#trunks.has(id)) this.#health.delete(id);
  }

  /** Null: the trunk is none of these carriers, or out of service. */
  kindOf(trunkId: string): CarrierKind | null {
    return this.#trunks.get(trunkId)?.kind ?? null;
  }

  /** Places a call once its gate is open. Throws for an unknown trunk. */
  call(request: StreamRequest, events: SignallingEvents): OutboundLeg {
    const trunk = this.#trunks.get(request.trunkId);
    if (trunk === undefined) throw new Error('Call on an unknown trunk');
    const { attemptId } = request;
    const token = placedToken(this.#deps.nodeId());
    const at = trunk.kind === 'asterisk' ? (this.#deps.audioSocketAt?.() ?? null) : null;
    const uuid = at === null ? null : randomUUID();
    const leg = new PlacedLeg({
      trunk,
      control: CONTROLS[trunk.kind],
      request,
      events,
      token,
      streamUrl: this.#deps.streamUrl(token),
      audioSocket: at === null || uuid === null ? null : audioSocketDocument(uuid, at),
      statusUrl: this.#deps.statusUrl(trunk, attemptId),
      answerUrl: this.#deps.answerUrl(trunk, token),
      transferOf: (order) => this.#transferOf(trunk, order),
      scheduler: this.#deps.scheduler,
      log: this.#deps.log,
      prepare: () => this.#api.prepare(trunk),
      send: (sent) => this.#api.send(trunk, sent),
      onOver: () => {
        this.#forgetTokens(attemptId);
        this.#deps.scheduler.after(KEPT_MS, () => this.#legs.delete(attemptId));
      },
    });
    this.#legs.set(attemptId, leg);
    for (const one of [token, uuid]) if (one !== null) this.#tokens.set(sha256(one), attemptId);
    leg.start();
    return leg;
  }

  /**
   * The attempt whose stream the token opens; a text says why the upgrade is refused; null: the token is unknown, used, or
   * its call is over. Uses the token up, unless the upgrade is refused.
   */
  openStream(token: string, upgrade: StreamUpgrade): { readonly attemptId: string } | string | null {
    const attemptId = this.#tokens.get(sha256(token));
    const trunk = this.#trunks.get(this.#legs.get(attemptId ?? '')?.trunkId ?? '');
    if (attemptId === undefined || trunk === undefined) return null;
    const fault = this.#deps.upgradeFault(trunk, upgrade);
    if (fault !== null) return fault;
    this.#forgetTokens(attemptId);
    return { attemptId };
  }

  /** Hands over the connection of an opened stream; false: it belongs to no call that a carrier placed here. */
  connect(attemptId: string, socket: WebSocketHandover): boolean {
    return this.#legs.get(attemptId)?.connect(socket) ?? false;
  }

  /** A report of the carrier; false: another process placed the call. */
  status(status: CarrierStatus): boolean {
    const leg = this.#legs.get(status.attemptId);
    if (leg !== undefined && leg.trunkId === status.trunkId) leg.report(status);
    return leg !== undefined;
  }

  /** Connects the far side of a call with another party. Never rejects. */
  async transfer(trunkId: string, carrierCallId: string, order: DialOrder): Promise<ReferOutcome> {
    const trunk = this.#trunks.get(trunkId);
    if (trunk === undefined)
      return { transferred: false, accepted: false, sipCode: null, reason: 'the trunk is out of service' };
    const request = CONTROLS[trunk.kind].transfer(trunk, carrierCallId, this.#transferOf(trunk, order));
    return transferOutcome(request === null ? null : await this.#api.send(trunk, request));
  }

  trace(sipCallId: string): readonly SipStep[] | null {
    for (const leg of this.#legs.values()) if (leg.sipCallId === sipCallId) return leg.trace;
    return null;
  }

  /** Asks for the account of the trunk of that name; false: it is not in service here. */
  check(name: string): boolean {
    const trunk = [...this.#trunks.values()].find((one) => one.name === name);
    if (trunk === undefined) return false;
    const control = CONTROLS[trunk.kind];
    void this.#api.send(trunk, control.account(trunk)).then((answer) => {
      const fault = control.readAccount(answer);
      if (this.#trunks.has(trunk.id)) this.#health.set(trunk.id, { isWorking: fault === null, fault });
    });
    return true;
  }

  health(): AccountHealth[] {
    return [...this.#trunks.values()].map(({ id, name }) => ({
      id,
      name,
      ...(this.#health.get(id) ?? { isWorking: null, fault: null }),
    }));
  }

  /** Ends every call that a carrier has or may have. */
  hangUpAll(): void {
    for (const leg of this.#legs.values()) leg.hangup('system shutdown');
  }

  /** Ends every call, and waits a moment for the answers. */
  async stop(): Promise<void> {
    this.hangUpAll();
    await this.#api.settle(STOP_MS);
  }

  #forgetTokens(attemptId: string): void {
    for (const [hash, attempt] of this.#tokens) if (attempt === attemptId) this.#tokens.delete(hash);
  }

  #transferOf(trunk: CarrierTrunk, order: DialOrder): TransferOrder {
    return { ...order, documentUrl: this.#deps.transferUrl(trunk, order) };
  }
}
