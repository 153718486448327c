import { ManualScheduler } from './manual-scheduler.ts';
import {
  DEFAULT_TIMING,
  type OnMessage,
  type Origin,
  type Peer,
  type Resolve,
  type SipMessage,
  type SourceGuard,
  type TransportName,
  type Transports,
  UserAgent,
  parseMessage,
  writeMessage,
} from '@callwright/sip';

interface Conditions {
  /** Probabilities in [0, 1) per datagram. */
  loss: number;
  duplication: number;
  delayMs: number;
  /** Random extra delay: reorders datagrams. */
  jitterMs: number;
}

const ignore = (): void => undefined;

/** A network in virtual time: delivers messages by address with delay, loss, duplication and reordering. */
export class VirtualNetwork {
  readonly scheduler = new ManualScheduler();
  readonly conditions: Conditions = { loss: 0, duplication: 0, delayMs: 1, jitterMs: 0 };
  readonly #random: () => number;
  readonly #nodes = new Map<string, OnMessage>();
  /** Destinations (`udp:192.0.2.9`) to which sending fails. */
  readonly unreachable = new Set<string>();
  /** Called for every message that a peer of the network sends; `at`: ms of the scheduler. */
  onSent: (bytes: Buffer, from: string, at: number) => void = ignore;
  /** Warnings that the user agents logged. */
  readonly warnings: [object, string][] = [];
  constructor(random: () => number = () => 0.5) {
    this.#random = random;
  }
  attach(address: string, onMessage: OnMessage): void {
    this.#nodes.set(address, onMessage);
  }
  detach(address: string): void {
    this.#nodes.delete(address);
  }
  deliver(bytes: Buffer, from: string, to: string, transport: TransportName): void {
    const { loss, duplication, delayMs, jitterMs } = this.conditions;
    this.onSent(bytes, from, this.scheduler.now());
    if (transport === 'udp' && this.#random() < loss) return;
    const copies = transport === 'udp' && this.#random() < duplication ? 2 : 1;
    const origin: Origin = {
      transport,
      address: from,
      port: 5060,
      connection: transport === 'tcp' ? 1 : null,
    };
    for (let i = 0; i < copies; i++) {
      const late = transport === 'udp' ? this.#random() * jitterMs : 0;
      this.scheduler.after(delayMs + late, () => this.#nodes.get(to)?.(bytes, origin));
    }
  }
  transports(address: string): Transports {
    return {
      send: (bytes, to, done) => {
        if (this.unreachable.has(`${to.transport}:${to.address}`)) {
          this.scheduler.after(0, () => done(new Error('unreachable')));
          return;
        }
        this.deliver(bytes, address, to.address, to.transport);
        done(null);
      },
      localFor: ({ transport }) => ({ address, port: transport === 'tls' ? 5061 : 5060 }),
      isOurs: (host) => host === address,
    };
  }
  /** Our user agent at an address. */
  agent(
    address: string,
    judge: SourceGuard['judge'],
    more: {
      mayRepeatInvite?: () => boolean;
      guard?: Partial<SourceGuard>;
      maxTransactions?: number;
      /** Absent: no name has an address. */
      resolve?: Resolve;
    } = {},
  ): UserAgent {
    const agent = new UserAgent({
      resolve: async () => [],
      ...more,
      transports: this.transports(address),
      scheduler: this.scheduler,
      timing: DEFAULT_TIMING,
      guard: {
        judge,
        admits: () => true,
        mayRefuse: () => true,
        takesInfo: () => true,
        prove: () => {},
        ...more.guard,
      },
      log: {
        debug: ignore,
        info: ignore,
        warn: (fields, message) => void this.warnings.push([fields, message]),
        error: ignore,
      },
    });
    this.attach(address, (bytes, origin) => agent.endpoint.receive(bytes, origin));
    return agent;
  }
  /** A peer under control of the test: records received messages and sends the test's own. */
  peer(address: string): VirtualPeer {
    const received: SipMessage[] = [];
    this.attach(address, (bytes) => {
      const parsed = parseMessage(bytes);
      if (parsed.kind === 'message') received.push(parsed.message);
    });
    return {
      received,
      send: (message, to, transport = 'udp') =>
        this.deliver(Buffer.isBuffer(message) ? message : writeMessage(message), address, to, transport),
    };
  }
}

export interface VirtualPeer {
  readonly received: SipMessage[];
  send(message: SipMessage | Buffer, to: string, transport?: TransportName): void;
}

export const peerAt = (address: string, transport: TransportName = 'udp'): Peer => ({
  transport,
  address,
  port: 5060,
});

/** Deterministic pseudo-random numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
