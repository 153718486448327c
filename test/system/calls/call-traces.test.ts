import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { traceExport } from '../../../src/app/trace-export.ts';
import { TRACE_JOB } from '../../../src/domain/calls/trace.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { exportTrace } from '../../../src/jobs/export-trace.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';
import { eventually } from '../../helpers/service/service.ts';

const settling = settlingOfFile();

/** A collector on loopback: it answers with the next of `statuses`, then with 200. */
interface Collector {
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly headers: Record<string, unknown>;
    readonly body: any;
  }[];
  readonly statuses: number[];
}
let server: Server;
let collector: Collector;
beforeEach(async () => {
  const requests: Collector['requests'] = [];
  const statuses: number[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  collector = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, statuses };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const jobs = () => settling.ground.db.selectFrom('jobs').selectAll().where('kind', '=', TRACE_JOB).execute();

/** Settles a call of one turn and returns its id. */
async function ended(isTraced = true): Promise<string> {
  const call = await settling.answered();
  const from = settling.ground.clock.now();
  const words = (role: 'agent' | 'caller', text: string, at: number) =>
    ({
      role,
      text,
      startedAt: from + at,
      endedAt: from + at + 900,
      interrupted: false,
      by: 'speech',
    }) as const;
  settling.ground.clock.advance(60_000);
  const result = conversationResult({
    transcript: [words('caller', 'Are you open?', 1_000), words('agent', 'We are.', 3_000)],
    turns: [
      {
        turn: 1,
        stt: null,
        llm: { vendor: 'openai', model: 'gpt-5-mini' },
        tts: null,
        firstAudioMs: null,
        inputTokens: 10,
        cachedTokens: 0,
        outputTokens: 4,
        characters: 7,
        heardCharacters: 7,
        lines: [from + 3_000],
      },
    ],
    toolLog: [{ name: 'end_call', args: { why: 'over' }, result: 'ok', at: from + 3_500, ms: 2, ok: true }],
  });
  const settlement = settlementOf(call, settling.ground.clock.now(), { result });
  await settleAttempt({ ...settling.deps, traces: isTraced ? {} : null }, settlement);
  return call.callId;
}

/** Runs the trace jobs until none is due. */
async function exported(hasContent = false): Promise<void> {
  const { db, clock } = settling.ground;
  const settings = { endpoint: collector.url, headers: { 'x-tenant': 'one' }, serviceName: 'phone' };
  const traces = traceExport({ ...settings, hasContent });
  const base = { db, clock, log: silentLog };
  const runner = new JobRunner({
    ...base,
    kind: TRACE_JOB,
    handler: exportTrace({ ...base, send: traces.send, hasContent }),
    pollMs: 10,
    retryAfterMs: [0],
  });
  runner.start();
  try {
    await eventually('no trace to be due', async () =>
      (await jobs()).every(({ state }) => state !== 'due') ? true : null,
    );
  } finally {
    await runner.stop();
    await traces.close();
  }
}

const spansOf = (body: any): any[] => body.resourceSpans[0].scopeSpans[0].spans;
const attributesOf = ({ attributes }: any): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }: any) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
  );

describe('the trace of a call', () => {
  it('reaches an OTLP receiver once, with the call as the root and its turn, stages and tools below', async () => {
    const callId = await ended();
    await exported();
    expect(collector.requests).toHaveLength(1);
    const [request] = collector.requests;
    expect(request).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-tenant': 'one' },
    });
    const resource = attributesOf(request?.body.resourceSpans[0].resource);
    expect(resource['service.name']).toBe('phone');
    const spans = spansOf(request?.body);
    const names = new Map(spans.map((span) => [span.spanId, span.name]));
    const traceId = callId.replaceAll('-', '');
    expect(spans.every((span) => span.traceId === traceId)).toBe(true);
    const tree = spans.map((span) => `${names.get(span.parentSpanId) ?? ''} > ${span.name}`);
    const [root = ''] = spans.filter((span) => !span.parentSpanId).map((span) => span.name);
    expect(root).toMatch(/^invoke_agent /);
    expect(tree.toSorted()).toEqual(
      [
        ` > ${root}`,
        `${root} > turn 1`,
        'turn 1 > endpoint wait',
        'turn 1 > recognition',
        'turn 1 > chat gpt-5-mini',
        'turn 1 > speech',
        'turn 1 > execute_tool end_call',
      ].toSorted(),
    );
    const chat = spans.find((span) => span.name === 'chat gpt-5-mini');
    expect(BigInt(chat.endTimeUnixNano) - BigInt(chat.startTimeUnixNano)).toBe(200_000_000n);
    expect(JSON.stringify(request?.body)).not.toContain('Are you open?');
  });

  it('shows the words when the setting asks for them', async () => {
    await ended();
    await exported(true);
    expect(JSON.stringify(collector.requests[0]?.body)).toContain('Are you open?');
  });

  it('is sent again with the same ids when the receiver refused it', async () => {
    await ended();
    collector.statuses.push(400);
    await exported();
    const ids = collector.requests.map(({ body }) => spansOf(body).map((span) => span.spanId));
    expect(ids).toHaveLength(2);
    expect(ids[1]).toEqual(ids[0]);
  });

  it('is dropped after the last try, and of a call that was erased', async () => {
    await ended();
    collector.statuses.push(400, 400);
    await exported();
    expect((await jobs()).map(({ state }) => state)).toEqual(['dead']);
    const erased = await ended();
    await settling.ground.db
      .updateTable('call_records')
      .set({ erased_at: new Date() })
      .where('call_id', '=', erased)
      .execute();
    await exported();
    expect(collector.requests).toHaveLength(2);
  });

  it('is not queued while no receiver is configured', async () => {
    await ended(false);
    expect(await jobs()).toEqual([]);
  });
});
