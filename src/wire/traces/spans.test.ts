import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredLatency } from '../../store/json/call-record.ts';
import { spansOf, type TracedCall } from './spans.ts';

const line = (role: 'agent' | 'caller', text: string, startedAt: number, endedAt: number) => ({
  role,
  text,
  startedAt,
  endedAt,
  interrupted: false,
  by: 'speech' as const,
});
const turn: StoredLatency = {
  turn: 1,
  endpointingMs: 400,
  recognitionMs: 150,
  modelMs: 300,
  voiceMs: 200,
  totalMs: 900,
  prepared: false,
  stt: { vendor: 'deepgram', model: 'nova-3' },
  llm: { vendor: 'openai', model: 'gpt-5-mini' },
  tts: { vendor: 'cartesia', model: null },
  inputTokens: 812,
  outputTokens: 24,
  cachedTokens: 512,
  characters: 31,
  lines: [10_000, 11_500],
};
const call: TracedCall = {
  id: '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10',
  workspaceId: 'w',
  agentId: 'a',
  agentName: 'Asha',
  versionId: 'v',
  campaignId: null,
  callType: 'outbound',
  attempt: 1,
  subStatus: 'USER_LEFT',
  startMs: 1_000,
  answeredMs: 4_000,
  endMs: 20_000,
  firstUtteranceMs: 320,
  turns: [turn],
  transcript: [
    line('agent', 'Hello, this is Asha.', 4_300, 6_000),
    line('caller', 'When are you open?', 7_000, 9_100),
    line('agent', 'One moment.', 10_000, 11_000),
    line('agent', 'We open at nine.', 11_500, 13_000),
  ],
  tools: [
    { name: 'opening_hours', args: { day: 'today' }, result: { opens: '9' }, at: 9_800, ms: 120, ok: true },
    { name: 'crm', args: {}, result: 'status 500', at: 500, ms: 40, ok: false, phase: 'pre_call' },
  ],
};
const shown = (of: TracedCall, hasContent = false) =>
  spansOf(of, { hasContent }).map(({ name, parent, startMs, endMs }) => [name, parent, startMs, endMs]);

describe('the trace of a call', () => {
  it('has the call, its turns, the waits and requests of each, and the tools within their turn', () => {
    expect(shown(call)).toEqual([
      ['invoke_agent Asha', null, 1_000, 20_000],
      ['turn 1', 0, 9_100, 13_000],
      ['endpoint wait', 1, 9_100, 9_500],
      ['recognition', 1, 9_100, 9_250],
      ['chat gpt-5-mini', 1, 9_500, 9_800],
      ['speech', 1, 9_800, 10_000],
      ['execute_tool opening_hours', 1, 9_800, 9_920],
      ['execute_tool crm', 0, 500, 540],
    ]);
  });

  it('names model, provider and tokens as OpenTelemetry does', () => {
    const chat = spansOf(call, { hasContent: false }).find(({ name }) => name.startsWith('chat'));
    expect(chat).toMatchObject({
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-5-mini',
        'gen_ai.usage.input_tokens': 812,
        'gen_ai.usage.output_tokens': 24,
        'gen_ai.usage.cache_read.input_tokens': 512,
      },
    });
  });

  it('marks a tool that failed', () => {
    const errors = spansOf(call, { hasContent: false }).flatMap(({ name, error }) =>
      error === null ? [] : [name],
    );
    expect(errors).toEqual(['execute_tool crm']);
  });

  it('shows nothing that was said, and no arguments or results, unless it is asked to', () => {
    const text = JSON.stringify(spansOf(call, { hasContent: false }));
    for (const secret of ['When are you open', 'We open at nine', 'today', 'opens', 'status 500']) {
      expect(text).not.toContain(secret);
    }
  });

  it('shows the words of a turn at its model, and arguments and results at the tools, when it is asked to', () => {
    const spans = spansOf(call, { hasContent: true });
    const chat = spans.find(({ name }) => name.startsWith('chat'))?.attributes ?? {};
    expect(JSON.parse(String(chat['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'When are you open?' }] },
    ]);
    expect(JSON.parse(String(chat['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'One moment. We open at nine.' }] },
    ]);
    expect(spans.find(({ name }) => name === 'execute_tool opening_hours')?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"day":"today"}',
      'gen_ai.tool.call.result': '{"opens":"9"}',
    });
  });

  it('leaves out a turn that no line of the agent places, and parts that were not measured', () => {
    expect(shown({ ...call, turns: [{ ...turn, lines: [] }], tools: [] })).toHaveLength(1);
    const bare = { ...turn, recognitionMs: null, modelMs: null, voiceMs: null };
    expect(shown({ ...call, turns: [bare], tools: [] }).map(([name]) => name)).toEqual([
      'invoke_agent Asha',
      'turn 1',
      'endpoint wait',
    ]);
  });

  it('never has a span that ends before it begins, nor a parent behind its child', () => {
    const ms = fc.integer({ min: 0, max: 60_000 });
    const measured = fc.option(ms);
    const anyTurn = fc.record({
      turn: fc.nat(50),
      endpointingMs: ms,
      recognitionMs: measured,
      modelMs: measured,
      voiceMs: measured,
      totalMs: ms,
      prepared: fc.boolean(),
      lines: fc.array(ms, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 8 }), fc.boolean(), (turns, hasContent) => {
        const spans = spansOf({ ...call, turns }, { hasContent });
        for (const [at, { parent, startMs, endMs }] of spans.entries()) {
          expect(endMs).toBeGreaterThanOrEqual(startMs);
          expect(parent ?? -1).toBeLessThan(at);
        }
      }),
    );
  });
});
