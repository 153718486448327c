import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierKind } from '../shared/carrier-kinds.ts';
import { type Clock, createScheduler } from '../shared/clock.ts';
import type { EntranceName } from '../shared/ingress/entrance.ts';
import type { Log } from '../shared/log.ts';
import {
  DEFAULT_TIMING,
  type InboundLeg,
  type ListenOptions,
  type OutboundLeg,
  type OutboundRequest,
  type Peer,
  type Resolve,
  SIP_PORT,
  type SrtpPolicy,
  type SignallingEvents,
  type SipStep,
  SocketTransports,
  UserAgent,
  resolveByName,
} from '@callwright/sip';
import type { AccountFault } from './carriers/carrier-trunk.ts';
import type { StreamRequest } from './carriers/carrier-calls.ts';
import { createGuard } from './trunks/guard.ts';
import { type GatewayReport, TrunkLine } from './trunks/trunk-line.ts';
import type { Trunk } from './trunks/trunk.ts';

/** What the media of a trunk may be. */
export interface MediaRules {
  /** The audio comes over a WebSocket that this carrier opens; absent: RTP. */
  readonly stream?: CarrierKind;
  readonly srtp: SrtpPolicy;
  /** The address that RTP of its calls binds; absent: that of the process. */
  readonly host?: string;
  /** Names of its codecs in the order of our offers; absent: PCMU and PCMA. */
  readonly codecs?: readonly string[];
  /** Keys go by INFO to a far side without telephone-event; absent: as tones. */
  readonly keysByInfo?: boolean;
  /** It joins caller and target of a warm transfer itself; absent: no. */
  readonly joinsByRefer?: boolean;
  /** Addresses and CIDR ranges of its media_ranges; empty: any. */
  readonly ranges: readonly string[];
  /** Whether SDP of the trunk may name the address. */
  takes(address: string): boolean;
  /** Whether the address is the trunk's own: of its URI or its allowed_sources. */
  owns(address: string): boolean;
}

/** The signalling plane as the dialer uses it. */
export interface Signalling {
  start(): Promise<void>;
  /** Starts an outbound call. Throws for an unknown trunk, or media that the trunk does not carry. */
  call(request: OutboundRequest | StreamRequest, events: SignallingEvents): OutboundLeg;
  onInbound(handler: (leg: InboundLeg) => void): void;
  /** The SIP messages of a Call-ID, oldest first; empty when it is forgotten. */
  trace(sipCallId: string): readonly SipStep[];
  /** The address to announce in SDP towards a trunk. */
  mediaAddress(trunkId: string): string;
  mediaRules(trunkId: string): MediaRules;
  /**
   * Un-registers trunks and answers new INVITEs and OPTIONS with 503 from now on; live dialogs continue. Resolves when the
   * un-REGISTERs have ended.
   */
  drain(): Promise<void>;
  /** Hangs up live calls, un-registers trunks and closes every socket. */
  stop(): Promise<void>;
  health(): {
    listening: string[];
    trunks: {
      id: string;
      name: string;
      reachable: boolean | null;
      registered: boolean | null;
      /** Status with which the registrar refused the last REGISTER; null: it did not. */
      refusal: number | null;
      gateways: readonly GatewayReport[];
      /** What is wrong with the account of a carrier's API; null or absent: nothing, or not checked. */
      fault?: AccountFault | null;
    }[];
    /** Sources that the guard banned, so far and now. */
    bans: { readonly total: number; readonly current: number };
  };
}

export interface SignallingOptions extends ListenOptions {
  readonly trunks: readonly Trunk[];
  readonly clock: Clock;
  readonly log: Log;
  readonly resolve?: Resolve;
  /** Time between OPTIONS probes of a trunk; null turns them off. */
  readonly probeIntervalMs?: number | null;
  /** False when other nodes may have fenced this one: INVITEs are not retransmitted then. Absent: always true. */
  readonly mayRepeatInvite?: () => boolean;
  /** True: no account is registered before `registerOnly`. Absent: all are. */
  readonly sharesAccounts?: boolean;
  /** A request of a call was refused, because the call sends more than its budget. Absent: uncounted. */
  readonly onRefused?: (entrance: EntranceName) => void;
  /** How long `stop` waits for the responses to BYE, CANCEL and un-REGISTER. */
  readonly stopGraceMs?: number;
}

/** The signalling plane with the operations of its builder. */
export interface SipSignalling extends Signalling {
  /** Adds, changes and removes trunks; live calls on a removed trunk continue. */
  setTrunks(trunks: readonly Trunk[]): void;
  /** Announces another public address from now on, and registers trunks with it. */
  setPublicAddress(address: string): void;
  /** Ids of the trunks whose account some process has to register. */
  accounts(): string[];
  /** Registers these accounts alone from now on, and un-registers the others. */
  registerOnly(trunkIds: readonly string[]): void;
  /** Probes every address of the trunk of that name now; false: it is not in service here. */
  checkTrunk(name: string): boolean;
  /** Number of calls that have neither ended nor failed. */
  liveCalls(): number;
  /** Refuses new inbound calls and sends BYE or CANCEL on every live call, without waiting for the responses. */
  hangUpAll(): void;
}

const PROBE_INTERVAL_MS = 30_000;
const STOP_GRACE_MS = 2_000;
const POLL_MS = 20;
/** Stands for a trunk that is not looked up yet: a reserved address, which is in no network of this machine. */
const UNKNOWN_PEER: Peer = { transport: 'udp', address: '240.0.0.1', port: SIP_PORT };

/** Builds the SIP stack: sockets, user agent, trunks. Binds no socket before `start`. */
export function createSignalling(options: SignallingOptions): SipSignalling {
  const { clock, log } = options;
  const scheduler = createScheduler(clock);
  const resolve = options.resolve ?? resolveByName;
  const probeIntervalMs = options.probeIntervalMs === undefined ? PROBE_INTERVAL_MS : options.probeIntervalMs;
  const lines = new Map<string, TrunkLine>();
  const leaving = new Map<string, Promise<void>>();
  const peerOf = (trunkId: string): Peer => lines.get(trunkId)?.known()?.[0] ?? UNKNOWN_PEER;
  const guard = createGuard({
    lines: () => lines.values(),
    now: () => clock.monotonic(),
    onRefused: options.onRefused,
  });
  const transports = new SocketTransports(
    options,
    (bytes, origin) => agent.endpoint.receive(bytes, origin),
    log,
    (address) => guard.isTrusted(address),
    (peer) => {
      for (const line of lines.values()) line.flowLost(peer);
    },
  );
  const agent: UserAgent = new UserAgent({
    transports,
    scheduler,
    timing: DEFAULT_TIMING,
    resolve,
    guard,
    ...(options.mayRepeatInvite === undefined ? {} : { mayRepeatInvite: options.mayRepeatInvite }),
    log,
  });
  let running = false;
  /** Accounts that this process registers; null: all. */
  let registered: ReadonlySet<string> | null = options.sharesAccounts === true ? new Set() : null;
  const startLine = (line: TrunkLine): void => line.start(registered === null || registered.has(line.id));
  let draining = false;

  const begin = async (line: TrunkLine, after: Promise<void> | undefined): Promise<void> => {
    await after;
    if (running && !draining && lines.get(line.id) === line) startLine(line);
  };

  const hangUpAll = (): void => {
    agent.drain();
    agent.hangupAll('system shutdown');
  };

  /** A registrar that compares Contacts without their parameters has removed that of another trunk, too. */
  const unregistered = (gone: TrunkLine): void => {
    for (const line of lines.values()) if (line.sharesContact(gone)) line.renew();
  };

  const setTrunks = (trunks: readonly Trunk[]): void => {
    const wanted = new Map(trunks.map((trunk) => [trunk.id, trunk]));
    for (const [id, line] of lines) {
      const trunk = wanted.get(id);
      if (trunk !== undefined && JSON.stringify(trunk) === JSON.stringify(line.trunk)) continue;
      lines.delete(id);
      leaving.set(
        id,
        line.stop().then(() => unregistered(line)),
      );
    }
    for (const trunk of trunks) {
      if (lines.has(trunk.id)) continue;
      const line = new TrunkLine(trunk, {
        endpoint: agent.endpoint,
        scheduler,
        resolve,
        probeIntervalMs,
        log,
      });
      lines.set(trunk.id, line);
      if (!running) continue;
      // A changed trunk registers only after its old registration is removed: both use one Contact.
      void begin(line, leaving.get(trunk.id));
    }
  };

  return {
    async start() {
      setTrunks(options.trunks);
      await transports.start();
      running = true;
      for (const line of lines.values()) startLine(line);
      log.info({ listening: transports.listening() }, 'SIP listening');
    },
    call(request, events) {
      const line = lines.get(request.trunkId);
      if (line === undefined) throw new Error('Call on an unknown trunk');
      return agent.call(line, request, events);
    },
    onInbound: (handler) => agent.setHandler(handler),
    mediaAddress: (trunkId) => transports.localFor(peerOf(trunkId)).address,
    mediaRules: (trunkId) => {
      const line = lines.get(trunkId);
      const host = transports.hostFor(peerOf(trunkId));
      return {
        ...(host === null ? {} : { host }),
        srtp: line?.trunk.srtp ?? 'off',
        ...(line?.trunk.codecs == null ? {} : { codecs: line.trunk.codecs }),
        ...(line?.trunk.outgoing?.dtmf === 'info' ? { keysByInfo: true } : {}),
        joinsByRefer: line?.trunk.joinByRefer ?? false,
        ranges: line?.trunk.mediaRanges ?? [],
        takes: (address) => line?.takesMedia(address) ?? true,
        owns: (address) => line?.owns(address) ?? false,
      };
    },
    async drain() {
      draining = true;
      agent.drain();
      await Promise.all([...lines.values()].map((line) => line.unregister()));
    },
    setPublicAddress(address) {
      if (!transports.setPublicAddress(address)) return;
      log.warn({ address }, 'the public address changed: trunks register with the new one');
      for (const line of lines.values()) line.renew();
    },
    async stop() {
      running = false;
      hangUpAll();
      const until = clock.monotonic() + (options.stopGraceMs ?? STOP_GRACE_MS);
      const left = Promise.all([...leaving.values(), ...[...lines.values()].map((line) => line.stop())]);
      const quiet = async (): Promise<void> => {
        while (agent.busy && clock.monotonic() < until) await sleep(POLL_MS);
      };
      // Aborted below: a pending timer would keep the thread alive.
      const grace = new AbortController();
      const late = sleep(until - clock.monotonic(), undefined, { signal: grace.signal });
      await Promise.race([Promise.all([left, quiet()]), late.catch(() => undefined)]);
      grace.abort();
      agent.endpoint.stop();
      await transports.close();
    },
    health: () => ({
      bans: guard.bans,
      listening: transports.listening(),
      trunks: [...lines.values()].map(({ id, trunk, reachable, registered, refusal, gateways }) => ({
        id,
        name: trunk.name,
        reachable,
        registered,
        refusal,
        gateways,
      })),
    }),
    setTrunks,
    accounts: () => [...lines.values()].filter(({ isAccount }) => isAccount).map(({ id }) => id),
    registerOnly(trunkIds) {
      registered = new Set(trunkIds);
      if (!running || draining) return;
      for (const line of lines.values()) {
        if (registered.has(line.id)) line.register();
        else void line.deregister().then((had) => had && unregistered(line));
      }
    },
    checkTrunk: (name) => [...lines.values()].find(({ trunk }) => trunk.name === name)?.check() ?? false,
    hangUpAll,
    trace: (sipCallId) => agent.trace(sipCallId),
    liveCalls: () => agent.liveCalls,
  };
}
