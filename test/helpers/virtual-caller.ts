import type { InboundLeg } from '../../src/telephony/leg.ts';
import { tagOf, type Header, type SipRequest } from '../../src/telephony/sip/message.ts';
import type { UserAgent } from '../../src/telephony/sip/user-agent.ts';
import { VirtualNetwork } from '../../src/telephony/sip/virtual-network.ts';
import { CONTACT, recorder, SDP_TYPE, THEM, trunkTo, US } from './virtual-call.ts';

/** A peer that calls us; the test's handler decides. */
export function taken(
  handler: (leg: InboundLeg) => void,
  patch: { body?: string; type?: Header; to?: string } = {},
) {
  const net = new VirtualNetwork();
  const peer = net.peer(THEM);
  const agent: UserAgent = net.agent(US, () => ({
    kind: 'trunk',
    trunk: trunkTo(THEM, { contactUser: 'account' }),
  }));
  const { log, events, reoffer } = recorder();
  const legs: InboundLeg[] = [];
  agent.setHandler((leg) => {
    legs.push(leg);
    leg.listen(events);
    handler(leg);
  });
  const invite: SipRequest = {
    kind: 'request',
    method: 'INVITE',
    uri: patch.to ?? `sip:+15550100@${US}`,
    via: [{ transport: 'UDP', host: THEM, port: 5060, params: new Map([['branch', 'z9hG4bKcall']]) }],
    from: { displayName: 'Bob\u0007', uri: `sip:+15550999@${THEM}`, params: new Map([['tag', 'bob']]) },
    to: { displayName: null, uri: `sip:+15550100@${US}`, params: new Map() },
    callId: 'inbound',
    cseq: { sequence: 7, method: 'INVITE' },
    headers: [CONTACT, ...(patch.body === '' ? [] : [patch.type ?? SDP_TYPE])],
    body: Buffer.from(patch.body ?? 'offer'),
  };
  peer.say(invite, US);
  net.scheduler.advance(10);
  const responses = (): string[] =>
    peer.heard.flatMap((m) => (m.kind === 'response' ? [`${m.status} ${m.cseq.method}`] : []));
  const within = (method: string, more: { sequence?: number; body?: string; branch?: string } = {}): void => {
    const tag = peer.heard.map((m) => tagOf(m.to)).find((t) => t !== null) ?? '';
    peer.say(
      {
        ...invite,
        method,
        via: [
          {
            transport: 'UDP',
            host: THEM,
            port: 5060,
            params: new Map([['branch', `z9hG4bK${more.branch ?? method}`]]),
          },
        ],
        to: { ...invite.to, params: new Map([['tag', tag]]) },
        cseq: { sequence: more.sequence ?? 7, method },
        headers: more.body === undefined ? [CONTACT] : [CONTACT, SDP_TYPE],
        body: Buffer.from(more.body ?? ''),
      },
      US,
    );
    net.scheduler.advance(10);
  };
  return { net, peer, agent, invite, legs, log, reoffer, responses, within };
}
