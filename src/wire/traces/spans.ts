import type { ToolLogEntry } from '../../voice/conversation.ts';
import type { StoredLatency } from '../../store/json/call-record.ts';
import type { TranscriptLine } from '@callwright/turns';

type Value = string | number | boolean;

/** A span of a trace, its times in epoch ms. */
export interface CallSpan {
  readonly name: string;
  /** Index of the parent in the trace; null: the first span, which is the call. */
  readonly parent: number | null;
  readonly startMs: number;
  readonly endMs: number;
  /** Requests to another service are clients. */
  readonly kind: 'internal' | 'client';
  /** Null: no error. */
  readonly error: string | null;
  readonly attributes: Readonly<Record<string, Value>>;
}

/** An ended call, as its trace shows it. */
export interface TracedCall {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentName: string | null;
  readonly versionId: string;
  readonly campaignId: string | null;
  readonly callType: string;
  readonly attempt: number;
  readonly subStatus: string;
  readonly startMs: number;
  readonly answeredMs: number | null;
  readonly endMs: number;
  readonly firstUtteranceMs: number | null;
  readonly turns: readonly StoredLatency[];
  readonly transcript: readonly TranscriptLine[];
  readonly tools: readonly ToolLogEntry[];
}

/** `hasContent`: the spans show what was said, and arguments and results of tools. */
export interface SpanOptions {
  readonly hasContent: boolean;
}

/**
 * The trace of a call: the call, its turns, the waits and requests of each turn, and the tools. Turns are placed by the first
 * line that the agent said in them; a turn without one is left out. Names and attributes of models and tools follow the
 * semantic conventions of OpenTelemetry for generative AI.
 */
export function spansOf(call: TracedCall, { hasContent }: SpanOptions): CallSpan[] {
  const spans: CallSpan[] = [callSpan(call)];
  const turns: { readonly index: number; readonly from: number; readonly to: number }[] = [];
  let heardTo = Number.NEGATIVE_INFINITY;
  for (const turn of call.turns) {
    const placed = placeOf(turn, call.transcript);
    if (placed === null) continue;
    const index = spans.length;
    turns.push({ index, from: placed.startMs, to: placed.endMs });
    const said = hasContent
      ? contentOf(call.transcript, { from: heardTo, to: placed.replyMs, lines: turn.lines ?? [] })
      : {};
    heardTo = placed.replyMs;
    spans.push(turnSpan(turn, placed), ...partsOf(turn, placed, index, said));
  }
  for (const tool of call.tools) {
    const within = turns.find(({ from, to }) => tool.at >= from && tool.at <= to);
    spans.push(toolSpan(tool, within?.index ?? 0, hasContent));
  }
  return spans;
}

const known = (attributes: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, Value] => entry[1] != null),
  );

const callSpan = (call: TracedCall): CallSpan => ({
  name: `invoke_agent ${call.agentName ?? call.agentId}`,
  parent: null,
  startMs: call.startMs,
  endMs: Math.max(call.startMs, call.endMs),
  kind: 'internal',
  error: null,
  attributes: known({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': call.id,
    'gen_ai.agent.id': call.agentId,
    'gen_ai.agent.name': call.agentName,
    'gen_ai.agent.version': call.versionId,
    'callwright.workspace.id': call.workspaceId,
    'callwright.call.id': call.id,
    'callwright.call.type': call.callType,
    'callwright.call.attempt': call.attempt,
    'callwright.call.sub_status': call.subStatus,
    'callwright.campaign.id': call.campaignId,
    'callwright.call.ring_ms': call.answeredMs === null ? null : call.answeredMs - call.startMs,
    'callwright.call.first_utterance_ms': call.firstUtteranceMs,
  }),
});

interface Placed {
  /** The caller's last sound. */
  readonly startMs: number;
  /** The first packet of the reply. */
  readonly replyMs: number;
  readonly endMs: number;
}

function placeOf(turn: StoredLatency, transcript: readonly TranscriptLine[]): Placed | null {
  const [replyMs] = turn.lines ?? [];
  if (replyMs === undefined) return null;
  const last = turn.lines?.at(-1);
  const line = transcript.find(({ role, startedAt }) => role === 'agent' && startedAt === last);
  return { startMs: replyMs - turn.totalMs, replyMs, endMs: Math.max(replyMs, line?.endedAt ?? replyMs) };
}

const turnSpan = (turn: StoredLatency, { startMs, endMs }: Placed): CallSpan => ({
  name: `turn ${turn.turn}`,
  parent: 0,
  startMs,
  endMs,
  kind: 'internal',
  error: null,
  attributes: {
    'callwright.turn.number': turn.turn,
    'callwright.turn.latency_ms': turn.totalMs,
    'callwright.turn.prepared': turn.prepared,
  },
});

/** The waits and requests of a turn; one that was not measured is left out. */
function partsOf(
  turn: StoredLatency,
  { startMs, replyMs }: Placed,
  parent: number,
  said: Readonly<Record<string, Value>>,
): CallSpan[] {
  const { endpointingMs, recognitionMs, modelMs, voiceMs, stt, llm, tts } = turn;
  const part = (
    name: string,
    from: number,
    to: number,
    more: Partial<Pick<CallSpan, 'kind' | 'attributes'>> = {},
  ): CallSpan => ({
    name,
    parent,
    startMs: from,
    endMs: Math.max(from, to),
    kind: 'internal',
    error: null,
    attributes: {},
    ...more,
  });
  const engine = (name: 'stt' | 'tts', used: { vendor: string; model: string | null } | null | undefined) =>
    known({ [`callwright.${name}.vendor`]: used?.vendor, [`callwright.${name}.model`]: used?.model });
  const parts = [part('endpoint wait', startMs, startMs + endpointingMs)];
  if (recognitionMs !== null) {
    parts.push(
      part('recognition', startMs, startMs + recognitionMs, {
        kind: 'client',
        attributes: engine('stt', stt),
      }),
    );
  }
  const firstTextMs = replyMs - (voiceMs ?? 0);
  if (modelMs !== null) {
    parts.push(
      part(`chat ${llm?.model ?? llm?.vendor ?? ''}`.trim(), firstTextMs - modelMs, firstTextMs, {
        kind: 'client',
        attributes: {
          ...known({
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': llm?.vendor,
            'gen_ai.request.model': llm?.model,
            'gen_ai.usage.input_tokens': turn.inputTokens,
            'gen_ai.usage.output_tokens': turn.outputTokens,
            'gen_ai.usage.cache_read.input_tokens': turn.cachedTokens,
          }),
          ...said,
        },
      }),
    );
  }
  if (voiceMs !== null) {
    const attributes = { ...engine('tts', tts), ...known({ 'callwright.tts.characters': turn.characters }) };
    parts.push(part('speech', firstTextMs, replyMs, { kind: 'client', attributes }));
  }
  return parts;
}

/** What the caller said between the last reply and this one, and the lines of this one. */
function contentOf(
  transcript: readonly TranscriptLine[],
  turn: { readonly from: number; readonly to: number; readonly lines: readonly number[] },
): Record<string, Value> {
  const caller = transcript.filter(
    ({ role, startedAt }) => role === 'caller' && startedAt > turn.from && startedAt <= turn.to,
  );
  const agent = transcript.filter(
    ({ role, startedAt }) => role === 'agent' && turn.lines.includes(startedAt),
  );
  const message = (role: 'user' | 'assistant', lines: readonly TranscriptLine[]): string =>
    JSON.stringify([{ role, parts: [{ type: 'text', content: lines.map(({ text }) => text).join(' ') }] }]);
  return {
    ...(caller.length === 0 ? {} : { 'gen_ai.input.messages': message('user', caller) }),
    ...(agent.length === 0 ? {} : { 'gen_ai.output.messages': message('assistant', agent) }),
  };
}

const toolSpan = (tool: ToolLogEntry, parent: number, hasContent: boolean): CallSpan => ({
  name: `execute_tool ${tool.name}`,
  parent,
  startMs: tool.at,
  endMs: tool.at + (tool.ms ?? 0),
  kind: 'internal',
  error: tool.ok === false ? 'the tool failed' : null,
  attributes: known({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'callwright.tool.phase': tool.phase,
    ...(hasContent
      ? {
          'gen_ai.tool.call.arguments': JSON.stringify(tool.args),
          'gen_ai.tool.call.result': JSON.stringify(tool.result) ?? null,
        }
      : {}),
  }),
});
