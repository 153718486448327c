import { describe, expect, test } from 'vitest';
import { header, headerTokens, type Header, type SipResponse } from './message.ts';
import { taken } from '../test/virtual-call.ts';

const sdp = (...attributes: string[]): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 192.0.2.9',
    's=-',
    'c=IN IP4 192.0.2.9',
    't=0 0',
    'm=audio 4000 RTP/AVP 0',
    ...attributes,
  ]
    .map((line) => `${line}\r\n`)
    .join('');
const qos = (local: string): string[] => [
  `a=curr:qos local ${local}`,
  'a=curr:qos remote none',
  'a=des:qos mandatory local sendrecv',
  'a=des:qos mandatory remote sendrecv',
];
const IMS: Header[] = [
  { name: 'require', value: 'precondition' },
  { name: 'supported', value: '100rel, timer' },
];
const UPDATE: Header[] = [{ name: 'require', value: 'precondition' }];

const ims = (local: string, headers: readonly Header[] = IMS) => {
  const call = taken(
    (leg) => {
      leg.ringing();
      leg.answer(sdp());
    },
    { body: sdp(...qos(local)), headers },
  );
  call.reoffer.answer = sdp();
  const response = (status: number, method: string): SipResponse | undefined =>
    call.peer.received.find(
      (m): m is SipResponse => m.kind === 'response' && m.status === status && m.cseq.method === method,
    );
  const prack = (more: { body?: string } = {}): void => {
    const early = response(183, 'INVITE');
    if (early === undefined) throw new Error('no 183');
    call.within('PRACK', {
      sequence: 8,
      headers: [{ name: 'rack', value: `${header(early, 'rseq')} 7 INVITE` }],
      ...more,
    });
  };
  return { ...call, response, prack };
};

describe('an INVITE with preconditions', () => {
  test('the caller reserves after our 183 and its PRACK; its UPDATE draws the 200, and nothing rings before', () => {
    const call = ims('none');
    const early = call.response(183, 'INVITE');
    expect(early && headerTokens(early, 'require')).toEqual(['100rel', 'precondition']);
    expect(early?.body.toString()).toContain('a=conf:qos remote sendrecv');
    call.prack();
    expect(call.responses()).not.toContain('200 INVITE');
    call.within('UPDATE', { sequence: 9, body: sdp(...qos('sendrecv')), headers: UPDATE });
    const updated = call.response(200, 'UPDATE');
    expect(updated?.body.toString()).toContain('a=curr:qos remote sendrecv');
    expect(call.response(200, 'INVITE')?.body.length).toBe(0);
    expect(call.responses().some((line) => line.startsWith('180'))).toBe(false);
    call.within('ACK');
    expect(call.log).toEqual([]);
    call.legs[0]?.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.peer.received.at(-1)).toMatchObject({ method: 'BYE' });
  });
  test('a caller that has reserved gets 180 and 200 at once, with the state of both sides', () => {
    const call = ims('sendrecv');
    expect(call.responses()).toEqual(['100 INVITE', '180 INVITE', '200 INVITE']);
    const answered = call.response(200, 'INVITE');
    expect(answered?.body.toString()).toContain('a=curr:qos local sendrecv\r\na=curr:qos remote sendrecv');
    expect(answered && headerTokens(answered, 'require')).toContain('precondition');
  });
  test('the offer that confirms may come with the PRACK', () => {
    const call = ims('none');
    call.prack({ body: sdp(...qos('sendrecv')) });
    expect(call.response(200, 'PRACK')?.body.length).toBeGreaterThan(0);
    expect(call.responses()).toContain('200 INVITE');
  });
  test('an UPDATE before the PRACK waits, one that has not reserved answers nothing', () => {
    const call = ims('none');
    call.within('UPDATE', { sequence: 8, body: sdp(...qos('sendrecv')), headers: UPDATE });
    expect(call.responses()).toContain('491 UPDATE');
    const slow = ims('none');
    slow.prack();
    slow.within('UPDATE', { sequence: 9, body: sdp(...qos('send')), headers: UPDATE });
    expect(slow.responses()).toContain('200 UPDATE');
    expect(slow.responses()).not.toContain('200 INVITE');
  });
  test('a caller that never confirms gets 580, one that cancels 487', () => {
    const silent = ims('none');
    silent.prack();
    silent.net.scheduler.advance(40_000);
    expect(silent.responses()).toContain('580 INVITE');
    expect(silent.log).toEqual(['failed failed 580 false']);
    const gone = ims('none');
    gone.prack();
    gone.within('CANCEL', { branch: 'call' });
    expect(gone.responses()).toContain('487 INVITE');
    gone.net.scheduler.advance(40_000);
    expect(gone.responses()).not.toContain('580 INVITE');
  });
  test('what we cannot meet gets 580; without 100rel the caller could not read our 183: 421', () => {
    const [require = UPDATE[0] as Header] = IMS;
    const endToEnd = taken(() => {}, {
      body: sdp('a=curr:qos e2e none', 'a=des:qos mandatory e2e sendrecv'),
      headers: IMS,
    });
    expect(endToEnd.responses()).toEqual(['580 INVITE']);
    expect(ims('none', [require]).responses()).toEqual(['421 INVITE']);
    expect(ims('sendrecv', [require]).responses()).toContain('200 INVITE');
  });
  test('a caller that only names the extension in passing is answered as ever', () => {
    const call = ims('none', [{ name: 'supported', value: 'precondition' }]);
    expect(call.responses()).toEqual(['100 INVITE', '180 INVITE', '200 INVITE']);
    expect(call.response(200, 'INVITE')?.body.toString()).toBe(sdp());
  });
});
