import { expect, it } from 'vitest';
import type { SipMessage, SipResponse } from './message.ts';
import { createTrace } from './trace.ts';

const response = (status: number, reason: string, headers: SipResponse['headers'] = []): SipMessage => {
  const party = { displayName: null, uri: 'sip:+14155550123@a.example', params: new Map() };
  return {
    kind: 'response',
    status,
    reason,
    via: [],
    from: party,
    to: party,
    callId: 'c',
    cseq: { sequence: 1, method: 'INVITE' },
    headers,
    body: Buffer.alloc(0),
  };
};

it('keeps reason phrase and explaining headers, without numbers, credentials and control characters', () => {
  const trace = createTrace();
  const headers = [
    { name: 'retry-after', value: '30' },
    { name: 'proxy-authenticate', value: 'Digest nonce="secret"' },
    { name: 'reason', value: 'Q.850;cause=21;text="+14155550123 refused"' },
  ];
  trace.record('in', response(503, 'No\nroute', headers), 1000);
  expect(trace.of('c')).toEqual([
    {
      at: 1000,
      direction: 'in',
      what: '503 INVITE',
      note: 'No route; reason: Q.850;cause=21;text="+**** refused"; retry-after: 30',
    },
  ]);
});

it('keeps the first 30 and the last 30 messages of a call', () => {
  const trace = createTrace();
  for (let n = 0; n < 100; n += 1) trace.record('out', response(100 + n, ''), n);
  const seen = trace.of('c').map(({ what }) => Number.parseInt(what, 10) - 100);
  expect([seen.length, seen.slice(28, 32), seen.at(-1)]).toEqual([60, [28, 29, 70, 71], 99]);
});

const of = (callId: string, at: number) => [{ ...response(200, 'OK'), callId }, at] as const;

it('keeps the messages of a live call, whatever else passes, and forgets the oldest of 2,001 ended ones', () => {
  const trace = createTrace();
  trace.record('in', ...of('long', 1));
  trace.begin('long');
  for (let n = 0; n < 5_000; n += 1) trace.record('in', ...of(`stranger${n}`, n));
  trace.record('in', ...of('long', 5_000));
  expect(trace.of('long').map(({ at }) => at)).toEqual([1, 5_000]);
  expect([trace.of('stranger0').length, trace.of('stranger4999').length]).toEqual([0, 1]);
  trace.end('long');
  for (let n = 0; n < 2_000; n += 1) {
    expect(trace.of('long').length).toBe(2);
    trace.begin(`c${n}`);
    trace.record('out', ...of(`c${n}`, n));
    trace.end(`c${n}`);
  }
  expect([trace.of('long').length, trace.of('c0').length]).toEqual([0, 1]);
});

it('keeps the messages that follow the end of a call', () => {
  const trace = createTrace();
  trace.begin('c');
  expect(trace.of('c')).toEqual([]);
  trace.record('out', ...of('c', 10));
  trace.end('c');
  trace.record('in', ...of('c', 20));
  expect(trace.of('c').map(({ at }) => at)).toEqual([10, 20]);
});
