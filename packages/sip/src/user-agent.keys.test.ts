import type { DtmfDigit } from '@callwright/audio';
import { expect, test } from 'vitest';
import { header } from './message.ts';
import { dial } from '../test/virtual-call.ts';

/** An answered call, in which we press keys; `refused` has those that the peer did not take. */
function up() {
  const call = dial();
  call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
  const refused: DtmfDigit[] = [];
  const press = (...digits: DtmfDigit[]): void => {
    for (const digit of digits) call.leg.sendInfoDtmf(digit, (left) => refused.push(left));
    call.net.scheduler.advance(10);
  };
  /** The keys that reached the peer; a repeated INFO has the CSeq of the first. */
  const keys = (): string[] => {
    const infos = new Map(call.received('INFO').map((info) => [info.cseq.sequence, info]));
    return [...infos.values()].map((info) => /Signal=(\S)/.exec(info.body.toString())?.[1] ?? '');
  };
  return { ...call, refused, press, keys };
}

test('keys go out one after the other: each waits for the response to the last, and a quarter of a second', () => {
  const call = up();
  call.press('1', '2', '#');
  expect(call.keys()).toEqual(['1']);
  expect(header(call.last('INFO'), 'content-type')).toBe('application/dtmf-relay');
  call.net.scheduler.advance(400);
  expect(call.keys()).toEqual(['1']);
  call.answer(call.last('INFO'), 200);
  expect(call.keys()).toEqual(['1', '2']);
  call.answer(call.last('INFO'), 200);
  expect(call.keys()).toEqual(['1', '2']);
  call.net.scheduler.advance(250);
  expect(call.keys()).toEqual(['1', '2', '#']);
  call.answer(call.last('INFO'), 200);
  call.net.scheduler.advance(5_000);
  expect([call.keys(), call.refused]).toEqual([['1', '2', '#'], []]);
});

test('an INFO whose response is lost is repeated as the same request', () => {
  const call = up();
  call.press('1', '2');
  call.net.scheduler.advance(3_000);
  const repeated = call.received('INFO');
  expect(repeated.length).toBeGreaterThan(2);
  expect(new Set(repeated.map(({ cseq }) => cseq.sequence)).size).toBe(1);
});

test.each([405, 415, 488, 501])(
  'after a %i the key and all later ones come back in their order',
  (status) => {
    const call = up();
    call.press('1', '2', '3');
    call.answer(call.last('INFO'), status);
    call.net.scheduler.advance(1_000);
    call.press('4');
    call.net.scheduler.advance(1_000);
    expect([call.keys(), call.refused.join(''), call.agent.liveCalls]).toEqual([['1'], '1234', 1]);
  },
);

test('the end of the call drops the keys that wait', () => {
  const call = up();
  call.press('1', '2', '3');
  call.leg.hangup('agent');
  call.net.scheduler.advance(10);
  call.answer(call.last('INFO'), 481);
  call.net.scheduler.advance(2_000);
  call.press('4');
  expect([call.keys(), call.refused]).toEqual([['1'], []]);
});
