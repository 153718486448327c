import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_BODY, type SipMessage, type SipRequest, type SipResponse } from '../message.ts';
import { parseMessage } from '../parse-message.ts';
import { responseTo } from '../response.ts';
import { textOf } from '../write.ts';
import { seededRandom } from '../../test/virtual-network.ts';
import { ManualScheduler } from '../../test/manual-scheduler.ts';
import { createClientRun, createServerRun } from './run.ts';
import { DEFAULT_TIMING, type ServerEvent, type UserEvent } from './types.ts';

const requestOf = (method: string): SipRequest => ({
  kind: 'request',
  method,
  uri: 'sip:b@192.0.2.2',
  via: [{ transport: 'UDP', host: '192.0.2.1', port: 5060, params: new Map([['branch', 'z9hG4bKx']]) }],
  from: { displayName: null, uri: 'sip:a@192.0.2.1', params: new Map([['tag', 'a']]) },
  to: { displayName: null, uri: 'sip:b@192.0.2.2', params: new Map() },
  callId: 'c',
  cseq: { sequence: 1, method },
  headers: [{ name: 'route', value: '<sip:p;lr>' }],
  body: EMPTY_BODY,
});

const answer = (request: SipRequest, status: number): SipResponse =>
  responseTo(request, status, { toTag: 'b' });

/** A client machine alone: its sending times and the events of its TU. */
function client(method: string, reliable = false) {
  const scheduler = new ManualScheduler(0);
  const request = requestOf(method);
  const sent: { at: number; what: string }[] = [];
  const received: string[] = [];
  let ended = 0;
  const run = createClientRun({
    request,
    reliable,
    timing: DEFAULT_TIMING,
    scheduler,
    actions: {
      send: (message) => sent.push({ at: scheduler.now(), what: name(message) }),
      toUser: (event) =>
        received.push(event.kind === 'response' ? String(event.response.status) : event.kind),
      ended: () => ended++,
    },
  });
  run.dispatch({ kind: 'start' });
  return {
    scheduler,
    sent,
    received,
    ended: () => ended,
    respond: (status: number) => run.dispatch({ kind: 'response', response: answer(request, status) }),
    fail: () => run.dispatch({ kind: 'transportError' }),
  };
}

function server(method: string, reliable = false) {
  const scheduler = new ManualScheduler(0);
  const request = requestOf(method);
  const sent: { at: number; what: string }[] = [];
  const received: string[] = [];
  let ended = 0;
  const run = createServerRun({
    method,
    reliable,
    timing: DEFAULT_TIMING,
    scheduler,
    actions: {
      send: (message) => sent.push({ at: scheduler.now(), what: name(message) }),
      repeat: (text) => sent.push({ at: scheduler.now(), what: name(read(text)) }),
      toUser: (event) => received.push(event.kind),
      ended: () => ended++,
    },
  });
  return {
    scheduler,
    sent,
    received,
    ended: () => ended,
    respond: (status: number) => run.dispatch(respond(answer(request, status))),
    repeat: () => run.dispatch({ kind: 'request', request }),
    ack: () => run.dispatch({ kind: 'request', request: { ...request, method: 'ACK' } }),
  };
}

const respond = (response: SipResponse): ServerEvent => ({
  kind: 'respond',
  response,
  text: textOf(response),
});
const read = (text: string): SipMessage => {
  const parsed = parseMessage(Buffer.from(text));
  if (parsed.kind !== 'message') throw new Error(`no message: ${text}`);
  return parsed.message;
};
const name = (message: SipMessage): string =>
  message.kind === 'request' ? message.method : String(message.status);
const times = (sent: { at: number }[]): number[] => sent.map(({ at }) => at);

describe('INVITE client (17.1.1, RFC 6026)', () => {
  test('timer A doubles, timer B ends it at 32 s', () => {
    const t = client('INVITE');
    t.scheduler.advance(40_000);
    expect(times(t.sent)).toEqual([0, 500, 1500, 3500, 7500, 15_500, 31_500]);
    expect(t.received).toEqual(['timeout']);
    expect(t.ended()).toBe(1);
  });
  test('does not retransmit on a reliable transport', () => {
    const t = client('INVITE', true);
    t.scheduler.advance(40_000);
    expect(t.sent.length).toBe(1);
    expect(t.received).toEqual(['timeout']);
  });
  test('a provisional response stops retransmission and timer B', () => {
    const t = client('INVITE');
    t.respond(180);
    t.scheduler.advance(600_000);
    expect(t.sent.length).toBe(1);
    expect(t.received).toEqual(['180']);
    expect(t.ended()).toBe(0);
  });
  test('acknowledges every copy of a failure and reports it once; timer D ends it at 32 s', () => {
    const t = client('INVITE');
    t.respond(486);
    t.respond(486);
    t.scheduler.advance(31_999);
    t.respond(486);
    expect(t.sent.map(({ what }) => what)).toEqual(['INVITE', 'ACK', 'ACK', 'ACK']);
    expect(t.received).toEqual(['486']);
    expect(t.ended()).toBe(0);
    t.scheduler.advance(1);
    expect(t.ended()).toBe(1);
  });
  test('passes every 2xx to the TU until timer M and ignores a later failure', () => {
    const t = client('INVITE');
    t.respond(200);
    t.respond(200);
    t.respond(486);
    expect(t.received).toEqual(['200', '200']);
    t.scheduler.advance(32_000);
    expect(t.ended()).toBe(1);
    t.respond(200);
    expect(t.received.length).toBe(2);
  });
  test('reports a transport error once', () => {
    const t = client('INVITE');
    t.fail();
    t.fail();
    expect(t.received).toEqual(['transportError']);
    expect(t.scheduler.pending).toBe(0);
  });
});

describe('non-INVITE client (17.1.2)', () => {
  test('timer E doubles up to T2, timer F ends it at 32 s', () => {
    const t = client('OPTIONS');
    t.scheduler.advance(40_000);
    expect(times(t.sent)).toEqual([0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect(t.received).toEqual(['timeout']);
  });
  test('retransmits every T2 after a provisional response; timer F still ends it', () => {
    const t = client('OPTIONS');
    t.respond(100);
    t.scheduler.advance(40_000);
    expect(times(t.sent)).toEqual([0, 500, 4500, 8500, 12_500, 16_500, 20_500, 24_500, 28_500]);
    expect(t.received).toEqual(['100', 'timeout']);
  });
  test('absorbs retransmitted responses for T4 (timer K)', () => {
    const t = client('BYE');
    t.respond(200);
    t.respond(200);
    expect(t.received).toEqual(['200']);
    t.scheduler.advance(5_000);
    expect(t.ended()).toBe(1);
    const stream = client('BYE', true);
    stream.respond(200);
    expect(stream.ended()).toBe(1);
  });
});

describe('INVITE server (17.2.1, RFC 6026)', () => {
  test('answers a retransmitted INVITE with the last provisional response', () => {
    const t = server('INVITE');
    t.repeat();
    t.respond(100);
    t.repeat();
    t.respond(180);
    t.repeat();
    expect(t.sent.map(({ what }) => what)).toEqual(['100', '100', '180', '180']);
  });
  test('timer G retransmits a failure at intervals up to T2 until timer H', () => {
    const t = server('INVITE');
    t.respond(486);
    t.scheduler.advance(40_000);
    expect(times(t.sent)).toEqual([0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect(t.received).toEqual(['timeout']);
  });
  test('the ACK stops timer G; timer I absorbs further ACKs', () => {
    const t = server('INVITE');
    t.respond(486);
    t.ack();
    t.ack();
    t.scheduler.advance(4_999);
    expect(t.sent.length).toBe(1);
    expect(t.received).toEqual([]);
    t.scheduler.advance(1);
    expect(t.ended()).toBe(1);
  });
  test('on a reliable transport sends a failure once and ends at its ACK', () => {
    const t = server('INVITE', true);
    t.respond(486);
    t.scheduler.advance(10_000);
    expect(t.sent.length).toBe(1);
    t.ack();
    expect(t.ended()).toBe(1);
  });
  test('Accepted absorbs retransmitted INVITEs, sends the 2xx of the TU, passes on the ACK, ends at timer L', () => {
    const t = server('INVITE');
    t.respond(200);
    t.repeat();
    t.respond(200);
    t.respond(486);
    t.ack();
    expect(t.sent.map(({ what }) => what)).toEqual(['200', '200']);
    expect(t.received).toEqual(['ack']);
    t.scheduler.advance(32_000);
    expect(t.ended()).toBe(1);
  });
});

describe('non-INVITE server (17.2.2)', () => {
  test('retransmits its last response; timer J ends it at 32 s', () => {
    const t = server('OPTIONS');
    t.repeat();
    t.respond(200);
    t.repeat();
    t.respond(500);
    expect(t.sent.map(({ what }) => what)).toEqual(['200', '200']);
    t.scheduler.advance(32_000);
    expect(t.ended()).toBe(1);
  });
});

/** A client and a server machine over a channel with loss, duplication and reordering. */
function connect(options: {
  method: string;
  status: number;
  seed: number;
  loss: number;
  jitterMs: number;
  workMs: number;
}) {
  const { method, status, loss, jitterMs, workMs } = options;
  const random = seededRandom(options.seed);
  const scheduler = new ManualScheduler(0);
  const request = requestOf(method);
  const client: UserEvent[] = [];
  const counts = { offered: 0, clientEnded: 0, serverEnded: 0, sent: 0 };
  const channel = (deliver: () => void): void => {
    counts.sent++;
    if (random() < loss) return;
    const copies = random() < 0.1 ? 2 : 1;
    for (let i = 0; i < copies; i++) scheduler.after(5 + random() * jitterMs, deliver);
  };
  let serverRun: ReturnType<typeof createServerRun> | null = null;
  const toServer = (message: SipMessage): void => {
    if (message.kind !== 'request') return;
    if (serverRun === null && message.method !== 'ACK' && counts.serverEnded === 0) {
      counts.offered++;
      const run = createServerRun({
        method: request.method,
        reliable: false,
        timing: DEFAULT_TIMING,
        scheduler,
        actions: {
          send: (response) => channel(() => toClient(response)),
          repeat: (text) => channel(() => toClient(read(text))),
          toUser: () => {},
          ended: () => {
            counts.serverEnded++;
            serverRun = null;
          },
        },
      });
      serverRun = run;
      if (method === 'INVITE') run.dispatch(respond(answer(request, 180)));
      scheduler.after(workMs, () => run.dispatch(respond(answer(request, status))));
      return;
    }
    serverRun?.dispatch({ kind: 'request', request: message });
  };
  const clientRun = createClientRun({
    request,
    reliable: false,
    timing: DEFAULT_TIMING,
    scheduler,
    actions: {
      send: (message) => channel(() => toServer(message)),
      toUser: (event) => client.push(event),
      ended: () => counts.clientEnded++,
    },
  });
  const toClient = (message: SipMessage): void => {
    if (message.kind === 'response') clientRun.dispatch({ kind: 'response', response: message });
  };
  clientRun.dispatch({ kind: 'start' });
  scheduler.advance(400_000);
  return { client, counts, pending: scheduler.pending };
}

describe('client and server over a lossy channel', () => {
  const line = fc.record({
    seed: fc.integer(),
    loss: fc.double({ min: 0, max: 0.6, noNaN: true }),
    jitterMs: fc.integer({ min: 0, max: 900 }),
    workMs: fc.integer({ min: 0, max: 3_000 }),
    status: fc.constantFrom(404, 486, 500, 603),
  });
  const finals = (events: readonly UserEvent[]): number =>
    events.filter((e) => e.kind !== 'response' || e.response.status >= 200).length;

  test('a failing INVITE is offered once, has at most one outcome and leaves no timer', () => {
    fc.assert(
      fc.property(line, (options) => {
        const { client, counts, pending } = connect({ method: 'INVITE', ...options });
        expect(counts.offered).toBeLessThanOrEqual(1);
        expect(finals(client)).toBeLessThanOrEqual(1);
        expect(counts.sent).toBeLessThan(80);
        expect(pending).toBe(0);
        // Only a final response or timer B ends a client; after a 180 with all failures lost the TU must end it.
        const over = finals(client) === 1;
        expect(counts.clientEnded).toBe(over ? 1 : 0);
        expect(over || client.some((e) => e.kind === 'response')).toBe(true);
      }),
      { numRuns: 400, seed: 17 },
    );
  });
  test('a non-INVITE has exactly one outcome and both machines terminate', () => {
    fc.assert(
      fc.property(line, (options) => {
        const { client, counts, pending } = connect({ method: 'BYE', ...options });
        expect(finals(client)).toBe(1);
        expect(counts.offered).toBeLessThanOrEqual(1);
        expect(counts.clientEnded).toBe(1);
        expect(counts.serverEnded).toBe(counts.offered);
        expect(pending).toBe(0);
      }),
      { numRuns: 400, seed: 18 },
    );
  });
  test('every request of 500 is answered at 20 per cent loss', () => {
    let answered = 0;
    for (let seed = 0; seed < 500; seed++) {
      const { client } = connect({ method: 'BYE', status: 200, seed, loss: 0.2, jitterMs: 30, workMs: 0 });
      if (client.some((e) => e.kind === 'response')) answered++;
    }
    expect(answered).toBe(500);
  });
});
