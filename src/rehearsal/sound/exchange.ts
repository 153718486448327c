import { randomBytes } from 'node:crypto';
import type { InboundLeg, OutboundLeg, SignallingEvents } from '@callwright/sip';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { createSignalling, type SipSignalling } from '../../telephony/signalling.ts';
import type { Trunk } from '../../telephony/trunks/trunk.ts';

export const ADDRESS = '127.0.0.1';
const TRUNK_ID = 'rehearsal';
const RING_MS = 20_000;
const NUMBER_BYTES = 16;

type Takes = (leg: InboundLeg) => void;

/**
 * The SIP of a rehearsal by sound: the side of the agents and the side of the callers, which meet on loopback. A program of
 * this machine that finds the port knows no number: each is random and takes one call.
 */
export class Exchange {
  readonly #agents: SipSignalling;
  readonly #callers: SipSignalling;
  readonly #numbers: Map<string, Takes>;
  readonly #port: number;

  static async start(clock: Clock, log: Log): Promise<Exchange> {
    const numbers = new Map<string, Takes>();
    const agents = signalling(null, clock, log);
    agents.onInbound((leg) => {
      const take = numbers.get(leg.to);
      // One call reaches a number.
      numbers.delete(leg.to);
      if (take !== undefined) return take(leg);
      leg.listen(noEvents);
      return leg.reject(404);
    });
    await agents.start();
    const port = Number(agents.health().listening[0]?.split(':').at(-1));
    const callers = signalling(port, clock, log);
    await callers.start();
    return new Exchange(agents, callers, numbers, port);
  }

  private constructor(
    agents: SipSignalling,
    callers: SipSignalling,
    numbers: Map<string, Takes>,
    port: number,
  ) {
    this.#agents = agents;
    this.#callers = callers;
    this.#numbers = numbers;
    this.#port = port;
  }

  /** Where one caller alone reaches an agent. */
  newNumber(): string {
    return randomBytes(NUMBER_BYTES).toString('hex');
  }

  /** The port of the agents on loopback. */
  get port(): number {
    return this.#port;
  }

  /** The addresses at which agents and callers listen. */
  get listening(): readonly string[] {
    return [this.#agents, this.#callers].flatMap((side) => side.health().listening);
  }

  /** The next call to `number` reaches `take`; null: nobody is there. */
  setAgent(number: string, take: Takes | null): void {
    if (take === null) this.#numbers.delete(number);
    else this.#numbers.set(number, take);
  }

  /** A caller dials `number`. */
  dial(number: string, sdpOffer: string, events: SignallingEvents): OutboundLeg {
    return this.#callers.call(
      {
        trunkId: TRUNK_ID,
        from: 'caller',
        to: number,
        displayName: null,
        sdpOffer,
        ringTimeoutMs: RING_MS,
        attemptId: `rehearsal-${number}`,
      },
      events,
    );
  }

  async stop(): Promise<void> {
    await this.#callers.stop();
    await this.#agents.stop();
  }
}

/** Of a leg that is refused. */
const noEvents = {
  onAnswered: () => undefined,
  onFailed: () => undefined,
  onEnded: () => undefined,
  onReoffer: () => null,
  onDtmf: () => undefined,
};

const signalling = (peerPort: number | null, clock: Clock, log: Log): SipSignalling =>
  createSignalling({
    hosts: [ADDRESS],
    udpPort: 0,
    tcpPort: null,
    publicAddress: null,
    trunks: [trunkTo(peerPort)],
    clock,
    log,
    probeIntervalMs: null,
  });

const trunkTo = (port: number | null): Trunk => ({
  id: TRUNK_ID,
  name: TRUNK_ID,
  uri: port === null ? `sip:${ADDRESS}` : `sip:${ADDRESS}:${port}`,
  username: null,
  password: null,
  register: false,
  transport: 'udp',
  allowedSources: [],
});
