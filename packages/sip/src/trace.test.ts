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

it('forgets the oldest of more than 2,000 calls', () => {
  const trace = createTrace();
  for (let n = 0; n < 2001; n += 1) trace.record('out', { ...response(200, 'OK'), callId: `c${n}` }, n);
  expect([trace.of('c0').length, trace.of('c1').length]).toEqual([0, 1]);
});
