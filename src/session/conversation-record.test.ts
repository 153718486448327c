import { expect, it } from 'vitest';
import { phrasesOf } from '@callwright/language';
import type { TranscriptLine, TurnLatency } from '@callwright/turns';
import type { LiveEvent } from './protocol.ts';
import type { RecordingPause, ConversationProgress, ToolLogEntry } from '../voice/conversation.ts';
import type { TurnMeasure } from '../voice/measures.ts';
import { vendorFault } from '../providers/wire/fault.ts';
import { ReplySources } from './reply-sources.ts';
import { TurnMeasures } from './turn-measures.ts';
import { ConversationRecord } from './conversation-record.ts';

const line = (text: string): TranscriptLine => ({
  role: 'agent',
  text,
  startedAt: 1,
  endedAt: 2,
  interrupted: false,
  by: 'speech',
});
const latency = (turn: number): TurnLatency => ({
  turn,
  endpointingMs: 300,
  recognitionMs: 100,
  modelMs: 200,
  voiceMs: 100,
  totalMs: 700,
  prepared: false,
});
const tool = (name: string): ToolLogEntry => ({ name, args: {}, result: 'ok', at: 3 });

function start() {
  const sent: ConversationProgress[] = [];
  const live: LiveEvent[] = [];
  const record = new ConversationRecord(
    { onProgress: (part) => sent.push(part), onLive: (event) => live.push(event) },
    new TurnMeasures({ vendor: 'offline', model: null }),
    new ReplySources(),
    () => [],
    { language: 'hi-IN', secondaryLanguage: null },
  );
  return { record, sent, live };
}
const NONE: readonly RecordingPause[] = [];
const nothing: ConversationProgress = {
  transcript: [],
  latencies: [],
  interruptions: 0,
  toolLog: [],
  recordingPauses: NONE,
  firstUtteranceMs: null,
  turns: [],
  usage: [],
  faults: [],
  answeredBy: null,
};
const measure = (turn: number, ...lines: TranscriptLine[]): TurnMeasure => ({
  turn,
  stt: null,
  llm: null,
  tts: null,
  firstAudioMs: null,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  characters: 0,
  heardCharacters: lines.reduce((sum, { text }) => sum + text.length, 0),
  lines: lines.map(({ startedAt }) => startedAt),
});

it('sends each part once, when it holds a complete line or a tool log entry', () => {
  const { record, sent } = start();
  const tools = [tool('before the call')];
  record.publish(tools, NONE);
  record.publish(tools, NONE);
  record.agentSounded(640);
  record.add({ type: 'turn_latency', latency: latency(1) });
  record.publish(tools, NONE);
  expect(sent).toEqual([{ ...nothing, toolLog: [tool('before the call')] }]);

  record.add({ type: 'transcribe', line: line('Hello') });
  record.add({ type: 'transcribe', line: line('Yes?') });
  record.add({ type: 'interrupted', at: 5, stoppedAt: 9 });
  record.publish(tools, NONE);
  tools.push(tool('look_up'));
  record.add({ type: 'turn_latency', latency: latency(2) });
  record.publish(tools, NONE);
  const since = { ...nothing, interruptions: 1, firstUtteranceMs: 640 };
  expect(sent.slice(1)).toEqual([
    {
      ...since,
      transcript: [line('Hello'), line('Yes?')],
      latencies: [latency(1)],
      turns: [measure(1, line('Hello'), line('Yes?'))],
    },
    { ...since, toolLog: [tool('look_up')], latencies: [latency(2)], turns: [measure(2)] },
  ]);
});

it('does not change a part that was sent', () => {
  const { record, sent } = start();
  record.add({ type: 'transcribe', line: line('Hello') });
  record.publish([], NONE);
  record.add({ type: 'transcribe', line: line('More') });
  expect(sent[0]?.transcript).toEqual([line('Hello')]);
});

it('returns the whole conversation at the end', () => {
  const { record, live } = start();
  record.agentSounded(500);
  record.agentSounded(900);
  record.add({ type: 'transcribe', line: line('Hello') });
  record.publish([], NONE);
  record.add({ type: 'interrupted', at: 5, stoppedAt: 9 });
  record.add({ type: 'turn_latency', latency: latency(1) });
  const answered = {
    kind: 'human',
    confidence: 0.9,
    decidedMs: 800,
    revisedMs: null,
    reasons: ['words'],
  } as const;
  record.answeredBy(answered);
  expect(record.whole([tool('end_call')], NONE)).toEqual({
    transcript: [line('Hello')],
    latencies: [latency(1)],
    interruptions: 1,
    toolLog: [tool('end_call')],
    recordingPauses: NONE,
    firstUtteranceMs: 500,
    turns: [measure(0, line('Hello')), measure(1)],
    usage: [],
    faults: [],
    answeredBy: answered,
  });
  expect(live.map(({ type }) => type)).toEqual(['line', 'interrupted', 'latency', 'notice']);
  expect(live[1]).toEqual({ type: 'interrupted', at: 5, stopMs: 4 });
});

it('keeps the faults of vendors, and tells watchers who failed and why', () => {
  const { record, live } = start();
  const fault = vendorFault('anthropic', 'credit', '', { status: 402 });
  record.vendor('llm', { type: 'switched', message: `${fault.message}; offline replies instead`, fault }, 7);
  record.vendor('tts', { type: 'switched', message: 'another voice' }, 8);
  expect(live).toMatchObject([
    { type: 'notice', code: 'LLM_SWITCHED', part: 'llm', vendor: 'anthropic', reason: 'credit', status: 402 },
    { type: 'notice', code: 'TTS_SWITCHED', message: 'another voice' },
  ]);
  const kept = { part: 'llm', vendor: 'anthropic', kind: 'credit', status: 402, effect: 'switched', at: 7 };
  expect(record.whole([], NONE).faults).toEqual([{ ...kept, message: fault.message }]);
  for (let i = 0; i < 30; i++) record.vendor('stt', { type: 'failed', message: fault.message, fault }, 9);
  expect(record.whole([], NONE).faults).toHaveLength(20);
});

it('notices a caller who asks for a person, in the language of an agent of the call or in English', () => {
  const { record, live } = start();
  const says = (text: string, more: Partial<TranscriptLine> = {}): number => {
    live.length = 0;
    record.add({ type: 'transcribe', line: { ...line(text), role: 'caller', ...more } });
    return live.filter((event) => event.type === 'notice' && event.code === 'ASKED_FOR_PERSON').length;
  };
  const [inHindi = ''] = phrasesOf('hi-IN').intents.human ?? [];
  const [inTamil = ''] = phrasesOf('ta-IN').intents.human ?? [];
  expect([inHindi, inTamil]).not.toContain('');
  expect([says('Can I talk to a person?'), says(inHindi), says(inTamil)]).toEqual([1, 1, 0]);
  expect(says('No, thank you.')).toBe(0);
  expect(says('Can I talk to a person?', { author: 'Sam' })).toBe(0);
  expect(says('Can I talk to a person?', { role: 'agent' })).toBe(0);
  record.handedOver({ id: 'a', name: 'Asha', language: 'ta-IN', secondaryLanguage: null }, 5);
  expect(says(inTamil)).toBe(1);
});
