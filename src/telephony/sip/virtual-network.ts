import { silentLog } from '../../shared/log.ts';
import { ManualScheduler } from './manual-scheduler.ts';
import type { SipMessage } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { DEFAULT_TIMING } from './transaction/types.ts';
import type { OnMessage, Origin, Peer, TransportName, Transports } from './transport.ts';
import { UserAgent, type Judge } from './user-agent.ts';
import { writeMessage } from './write.ts';

interface Weather {
  /** Chances in [0, 1) per datagram. */
  loss: number;
  duplication: number;
  delayMs: number;
  /** Random extra delay: reorders datagrams. */
  jitterMs: number;
}

/** Datagrams in virtual time between endpoints by address, with loss, duplication and reordering. For tests. */
export class VirtualNetwork {
  readonly scheduler = new ManualScheduler();
  readonly weather: Weather = { loss: 0, duplication: 0, delayMs: 1, jitterMs: 0 };
  readonly #random: () => number;
  readonly #nodes = new Map<string, OnMessage>();
  /** Addresses at which sending itself fails. */
  readonly unreachable = new Set<string>();
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
    const { loss, duplication, delayMs, jitterMs } = this.weather;
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
      localFor: () => ({ address, port: 5060 }),
      isOurs: (host) => host === address,
    };
  }
  /** A user agent of ours at an address. */
  agent(address: string, judge: Judge, more: { mayRepeatInvite?: () => boolean } = {}): UserAgent {
    const agent = new UserAgent({
      ...more,
      transports: this.transports(address),
      scheduler: this.scheduler,
      timing: DEFAULT_TIMING,
      resolve: async () => [],
      judge,
      log: silentLog,
    });
    this.attach(address, (bytes, origin) => agent.endpoint.receive(bytes, origin));
    return agent;
  }
  /** A peer played by the test: it keeps what it hears and says what the test tells it to. */
  peer(address: string): VirtualPeer {
    const heard: SipMessage[] = [];
    this.attach(address, (bytes) => {
      const parsed = parseMessage(bytes);
      if (parsed.kind === 'message') heard.push(parsed.message);
    });
    return {
      heard,
      say: (message, to, transport = 'udp') =>
        this.deliver(Buffer.isBuffer(message) ? message : writeMessage(message), address, to, transport),
    };
  }
}

export interface VirtualPeer {
  readonly heard: SipMessage[];
  say(message: SipMessage | Buffer, to: string, transport?: TransportName): void;
}

export const peerAt = (address: string, transport: TransportName = 'udp'): Peer => ({
  transport,
  address,
  port: 5060,
});

/** Repeatable numbers in [0, 1) (a 32-bit mixing generator). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
