import { expect, test } from 'vitest';
import { taken, THEM, trunkTo, US } from '../test/virtual-call.ts';
import { VirtualNetwork } from '../test/virtual-network.ts';

/** The datagrams that we send from now on. */
function sentOn(net: VirtualNetwork): string[] {
  const sent: string[] = [];
  net.onSent = (bytes, from) => {
    if (from === US) sent.push(bytes.toString('utf8'));
  };
  return sent;
}

test('a BYE that comes again gets the same bytes again, and the trace has both responses', () => {
  const call = taken((leg) => leg.answer('answer'));
  call.within('ACK', { branch: 'ack' });
  const sent = sentOn(call.net);
  call.within('BYE', { sequence: 8 });
  call.within('BYE', { sequence: 8 });
  expect(sent).toHaveLength(2);
  expect(sent[0]).toMatch(/^SIP\/2.0 200 OK\r\n/);
  expect(sent[1]).toBe(sent[0]);
  const steps = call.agent.trace('inbound').filter(({ what }) => what === '200 BYE');
  expect(steps.map(({ direction, note }) => [direction, note])).toEqual([
    ['out', 'OK'],
    ['out', 'OK'],
  ]);
});

test('an INVITE that comes again gets the same ringing again', () => {
  const call = taken((leg) => leg.ringing());
  const sent = sentOn(call.net);
  call.peer.send(call.invite, US);
  call.net.scheduler.advance(10);
  call.peer.send(call.invite, US);
  call.net.scheduler.advance(10);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toMatch(/^SIP\/2.0 180 Ringing\r\n/);
  expect(sent[1]).toBe(sent[0]);
});

test('a refusal is repeated until its ACK, also where the From in it is longer than what we read', () => {
  const net = new VirtualNetwork();
  net.agent(US, () => ({ kind: 'trunk', trunk: trunkTo(THEM) })).setHandler((leg) => leg.reject(486));
  const sent = sentOn(net);
  const invite = [
    `INVITE sip:100@${US} SIP/2.0`,
    `Via: SIP/2.0/UDP ${THEM}:5060;branch=z9hG4bKlong`,
    // Each backslash is escaped in the response.
    `From: ${'\\'.repeat(8_000)} <sip:a@${THEM}>;tag=long`,
    `To: <sip:100@${US}>`,
    'Call-ID: long',
    'CSeq: 1 INVITE',
    `Contact: <sip:a@${THEM}>`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
  net.peer(THEM).send(Buffer.from(invite), US);
  net.scheduler.advance(2_000);
  const refusals = sent.filter((text) => text.startsWith('SIP/2.0 486 '));
  expect(refusals).toHaveLength(3);
  expect(new Set(refusals).size).toBe(1);
});
