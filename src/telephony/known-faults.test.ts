import { describe, expect, it } from 'vitest';
import { dial, inDialog, US } from '../../packages/sip/test/virtual-call.ts';
import { VirtualNetwork } from '../../packages/sip/test/virtual-network.ts';
import {
  createDtmfDetector,
  createEventReceiver,
  createEventSender,
  nextSendStep,
  queueDigits,
  receiveEvent,
  stepDtmf,
  tickEvents,
  writeDtmfTone,
} from '@callwright/rtp';
import { answerOffer, dtmfOfInfo } from '@callwright/sip';

/** Faults that users of other voice agents report on the line; each test is named after the fault that it prevents. */
const OURS = { address: '198.51.100.7', port: 20_000, sessionId: 77, version: 1 };
const offerOf = (...lines: string[]): string =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.10', 's=-', 'c=IN IP4 192.0.2.10', 't=0 0', ...lines, ''].join('\r\n');

/** Digits that a receiver reports for the packets of a sender, each passed through `line` (0, 1 or 2 copies). */
function received(digits: string, line: (n: number) => number): string {
  const [sender, receiver] = [createEventSender(), createEventReceiver()];
  queueDigits(sender, digits.split('') as Parameters<typeof queueDigits>[1]);
  const payload = new Uint8Array(4);
  let heard = '';
  let n = 0;
  for (let at = 0; at < digits.length * 400 + 1_000; at += 20) {
    const step = nextSendStep(sender, at * 8, payload, 0);
    if (step !== 'audio' && step !== 'pause') {
      for (let copies = line(n++); copies > 0; copies--) {
        heard += receiveEvent(receiver, payload.slice(), sender.timestamp, at) ?? '';
      }
    }
    heard += tickEvents(receiver, at) ?? '';
  }
  return heard;
}

describe('no line', () => {
  it.each([
    ['on a clean line', () => 1],
    ['when every packet comes twice', () => 2],
    [
      'when every third packet is lost, the marker or the end among them',
      (n: number) => (n % 3 === 0 ? 0 : 1),
    ],
    ['when only end packets arrive', (n: number) => (n % 7 >= 4 ? 1 : 0)],
  ] satisfies [string, (n: number) => number][])('loses or doubles a key %s', (_what, line) => {
    expect(received('1459*0#77', line)).toBe('1459*0#77');
  });

  it('ignores a key that comes as a tone, from a peer without telephone-event', () => {
    const detector = createDtmfDetector();
    const pcm = new Int16Array(160);
    let heard = '';
    for (const event of [7, 7, 11]) {
      for (let n = 0; n < 8; n++) {
        if (n < 5) writeDtmfTone(pcm, event, n * 160, 8000);
        heard += stepDtmf(detector, n < 5 ? pcm : new Int16Array(160)) ?? '';
      }
    }
    expect(heard).toBe('77#');
  });

  it('ignores a key that a gateway sends as SIP INFO', () => {
    const call = dial();
    const info = (type: string, body: string) =>
      dtmfOfInfo(
        inDialog(call.last('INVITE'), 'INFO', 2, { headers: [{ name: 'content-type', value: type }], body }),
      );
    expect(info('application/dtmf-relay', 'Signal=7\r\nDuration=160\r\n')).toBe('7');
    expect(info('application/dtmf-relay', 'Signal=11\r\n')).toBe('#');
    expect(info('application/dtmf', '*')).toBe('*');
    expect(info('text/plain', '5')).toBe(null);
  });

  it.each([
    ['8 0 101', 'PCMA'],
    ['0 8 101', 'PCMU'],
    ['18 97 0', 'PCMU'],
  ])('answers an offer of %s with codecs that it does not send', (offered, codec) => {
    const outcome = answerOffer(
      offerOf(
        `m=audio 4000 RTP/AVP ${offered}`,
        'a=rtpmap:97 opus/48000/2',
        'a=rtpmap:101 telephone-event/8000',
      ),
      OURS,
    );
    if (!outcome.accepted) throw new Error(outcome.reason);
    const lines = outcome.answer.split('\r\n');
    const types = /RTP\/AVP (.*)/.exec(lines.find((line) => line.startsWith('m=')) ?? '')?.[1]?.split(' ');
    const mapped = lines.flatMap((line) => /^a=rtpmap:(\d+) (\S+?)\//.exec(line)?.slice(1, 3) ?? []);
    expect(outcome.media.codec.name).toBe(codec);
    // One codec and the key events, each with its rtpmap, and nothing else.
    expect(mapped.filter((_, n) => n % 2 === 0)).toEqual(types);
    expect(mapped.filter((_, n) => n % 2 === 1 && mapped[n] !== 'telephone-event')).toEqual([codec]);
  });

  it('accepts an offer without a codec of ours', () => {
    expect(answerOffer(offerOf('m=audio 4000 RTP/AVP 18'), OURS).accepted).toBe(false);
  });

  it('leaves a BYE unanswered: repeated, after the end, or of a call that it does not know', () => {
    const call = dial();
    const invite = call.last('INVITE');
    call.answer(invite, 200, { sdp: 'answer' });
    const answers = (): number[] =>
      call.peer.received.flatMap((m) => (m.kind === 'response' && m.cseq.method === 'BYE' ? [m.status] : []));
    for (const [sequence, branch] of [
      [1, 'a'],
      [1, 'a'],
      [2, 'b'],
      [2, 'b'],
    ] as const) {
      call.peer.send(inDialog(invite, 'BYE', sequence, { branch }), US);
      call.net.scheduler.advance(700);
    }
    expect(answers()).toEqual([200, 200, 200, 200]);
    expect(call.log.filter((line) => line.startsWith('ended'))).toHaveLength(1);

    const net = new VirtualNetwork();
    const stranger = net.peer('192.0.2.50');
    net.agent(US, () => ({ kind: 'drop' }));
    stranger.send(inDialog(invite, 'BYE', 9), US);
    net.scheduler.advance(10);
    expect(stranger.received.map((m) => (m.kind === 'response' ? m.status : 0))).toEqual([481]);
  });
});
