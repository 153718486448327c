import { setImmediate } from 'node:timers/promises';
import { silentLog } from '../../../src/shared/log.ts';
import {
  type InboundLeg,
  type OutboundLeg,
  type SignallingEvents,
  type SipMessage,
  type TransportName,
  createFraming,
  formatAddress,
  formatVia,
  parseMessage,
  tagOf,
} from '@callwright/sip';
import { createGuard } from '../../../src/telephony/trunks/guard.ts';
import { TrunkLine } from '../../../src/telephony/trunks/trunk-line.ts';
import { outbound, THEM, trunkTo, US } from '../../../packages/sip/test/virtual-call.ts';
import { VirtualNetwork } from '../../../packages/sip/test/virtual-network.ts';
import type { Dice } from '../dice.ts';
import { mutateText } from '../mutate.ts';
import { must, type Target } from '../target.ts';
import { CALL, SDP, SIP_TOKENS, TORTURE } from './sip-corpus.ts';

const STRANGER = '198.51.100.7';
const SOURCES: Readonly<Record<string, string>> = { T: THEM, S: STRANGER };
/** Separates the steps of an input. */
const NEXT = '\u001E';
/** Longer than every timer of a transaction, dialog and session. */
const ALL_TIMERS_MS = 4_000_000;
/** A final response to INVITE is repeated until its ACK, at most eleven times in 32 s. */
const MOST_ANSWERS = 12;
const CORPUS = [...TORTURE, ...CALL];

const OPTIONS = CALL.find((message) => message.startsWith('OPTIONS')) ?? '';

/** First step: what our side does (answer, reject, ring only, call out); then a source and a message each. */
function steps(dice: Dice): Buffer {
  const onlyStrangers = dice.chance(0.25);
  const messages = Array.from({ length: dice.from(1, 8) }, () => {
    const source = onlyStrangers || dice.chance(0.1) ? 'S' : 'T';
    const message = dice.pick(dice.chance(0.9) ? CALL : TORTURE);
    return source + (dice.chance(0.4) ? message : mutateText(message, SIP_TOKENS, CORPUS, dice));
  });
  if (!onlyStrangers && dice.chance(0.6)) messages.unshift(`T${CALL[0] ?? ''}`);
  return Buffer.from([dice.pick(['answer', 'reject', 'ring', 'call']), ...messages].join(NEXT), 'utf8');
}

/** One user agent with the real guard, a trunk and a stranger, in virtual time. */
class Scene {
  readonly net = new VirtualNetwork();
  readonly sentTo: Record<string, number> = {};
  readonly sent = { [THEM]: [] as SipMessage[], [STRANGER]: [] as SipMessage[] };
  readonly #ends: number[] = [];
  readonly #legs: (InboundLeg | OutboundLeg)[] = [];
  readonly agent;

  constructor(plan: string) {
    const lines: TrunkLine[] = [];
    const guard = createGuard({ lines: () => lines, now: () => this.net.scheduler.now() });
    this.agent = this.net.agent(US, (request, origin) => guard.judge(request, origin), { guard });
    lines.push(
      new TrunkLine(
        {
          id: 't',
          name: 't',
          uri: `sip:${THEM}`,
          username: null,
          password: null,
          register: false,
          transport: 'udp',
          allowedSources: [THEM],
        },
        {
          endpoint: this.agent.endpoint,
          scheduler: this.net.scheduler,
          resolve: async () => [],
          probeIntervalMs: null,
          log: silentLog,
        },
      ),
    );
    for (const [address, messages] of Object.entries(this.sent)) {
      this.net.attach(address, (bytes) => {
        const parsed = parseMessage(bytes);
        this.sentTo[address] = (this.sentTo[address] ?? 0) + 1;
        if (parsed.kind === 'message') messages.push(parsed.message);
        // The refusal of a malformed request copies its headers as they are.
        else must(bytes.toString('latin1', 0, 8) === 'SIP/2.0 ', 'a request of ours does not parse');
      });
    }
    this.agent.setHandler((leg) => {
      leg.listen(this.#events());
      this.#legs.push(leg);
      if (plan === 'reject') leg.reject(486);
      else leg.ringing();
      if (plan === 'answer') leg.answer(SDP);
    });
    if (plan === 'call')
      this.#legs.push(this.agent.call(trunkTo(THEM), outbound({ sdpOffer: SDP }), this.#events()));
    this.net.scheduler.advance(10);
  }

  #events(): SignallingEvents {
    const at = this.#ends.push(0) - 1;
    const end = (): void => {
      this.#ends[at] = (this.#ends[at] ?? 0) + 1;
    };
    return {
      onRinging: () => undefined,
      onAnswered: () => undefined,
      onFailed: end,
      onEnded: end,
      onReoffer: () => SDP,
      onDtmf: () => undefined,
    };
  }

  /** Fills in what a real peer would copy from our messages. */
  #filled(text: string): string {
    const ours = this.sent[THEM].findLast((message) => message.kind === 'request');
    const tag = this.sent[THEM].map(({ to }) => tagOf(to)).findLast((found) => found !== null) ?? 'none';
    const values: Readonly<Record<string, string>> = {
      'to-tag': tag,
      via: ours === undefined ? 'SIP/2.0/UDP h;branch=z9hG4bKx' : ours.via.map(formatVia).join(', '),
      from: ours === undefined ? '<sip:x@h>;tag=x' : formatAddress(ours.from),
      to: ours === undefined ? '<sip:y@h>' : formatAddress({ ...ours.to, params: new Map() }),
      'call-id': ours?.callId ?? 'none',
      cseq: ours === undefined ? '1 INVITE' : `${ours.cseq.sequence} ${ours.cseq.method}`,
    };
    return text.replaceAll(/\{([a-z-]{2,7})\}/g, (whole, name: string) => values[name] ?? whole);
  }

  async receive(step: string, transport: TransportName): Promise<void> {
    const from = SOURCES[step.slice(0, 1)] ?? STRANGER;
    const bytes = Buffer.from(this.#filled(step.slice(1)), 'utf8');
    if (transport === 'udp') this.net.deliver(bytes, from, US, 'udp');
    else {
      for (const frame of createFraming().push(bytes))
        if (frame.kind === 'message') this.net.deliver(frame.bytes, from, US, 'tcp');
    }
    await this.#advance(600);
  }

  /** Name look-ups are promises, which virtual time does not wait for. */
  async #advance(ms: number): Promise<void> {
    this.net.scheduler.advance(10);
    await setImmediate();
    this.net.scheduler.advance(ms);
  }

  /** Ends every call and checks that nothing is left. */
  async finish(received: number, onlyStrangers: boolean): Promise<void> {
    const { net, agent, sent } = this;
    if (onlyStrangers) must(agent.liveCalls <= 1, 'a stranger started a call');
    must(agent.endpoint.live <= received + 3, `${agent.endpoint.live} transactions of ${received} messages`);
    agent.hangupAll('stop');
    await this.#advance(ALL_TIMERS_MS);
    await this.#advance(ALL_TIMERS_MS);
    const answers = this.sentTo[STRANGER] ?? 0;
    must(answers <= MOST_ANSWERS * received, `${answers} messages to a stranger`);
    must(
      this.#ends.every((count) => count === 1),
      `calls ended ${this.#ends.join()} times`,
    );
    must(agent.liveCalls === 0 && !agent.busy, 'a call is left');
    must(agent.endpoint.live === 0, `${agent.endpoint.live} transactions are left`);
    must(net.scheduler.pending === 0, `${net.scheduler.pending} timers are left`);
    sent[THEM].length = 0;
    net.deliver(Buffer.from(OPTIONS.replace('inbound', 'alive')), THEM, US, 'udp');
    net.scheduler.advance(10);
    must(
      sent[THEM].some((message) => message.kind === 'response' && message.status === 200),
      'OPTIONS of the trunk is not answered with 200',
    );
  }
}

const target = (name: string, transport: TransportName): Target => ({
  name,
  nightly: 1_000,
  make: steps,
  async run(input) {
    const [plan = '', ...messages] = input.toString('utf8').split(NEXT);
    const scene = new Scene(plan);
    for (const message of messages) await scene.receive(message, transport);
    await scene.finish(
      messages.length,
      messages.every((message) => message.startsWith('S')),
    );
  },
});

export const USER_AGENT_TARGETS: readonly Target[] = [
  target('sip-user-agent-udp', 'udp'),
  target('sip-user-agent-tcp', 'tcp'),
];
