import { expect, it } from 'vitest';
import type { TranscriptLine, TurnLatency } from '../voice/turn/types.ts';
import type { LiveEvent, Talk, ToolUse } from '../workers/protocol.ts';
import { TalkRecord } from './talk-record.ts';

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
const tool = (name: string): ToolUse => ({ name, args: {}, result: 'ok', at: 3 });

function begun() {
  const told: Talk[] = [];
  const live: LiveEvent[] = [];
  const record = new TalkRecord({ onTalk: (news) => told.push(news), onLive: (event) => live.push(event) });
  return { record, told, live };
}
const nothing: Talk = {
  transcript: [],
  latencies: [],
  interruptions: 0,
  toolLog: [],
  firstUtteranceMs: null,
};

it('tells what is new once, with a line that is complete or a tool that was used', () => {
  const { record, told } = begun();
  const tools = [tool('before the call')];
  record.tell(tools);
  record.tell(tools);
  record.sounded(640);
  record.note({ type: 'turn_latency', latency: latency(1) });
  record.tell(tools);
  expect(told).toEqual([{ ...nothing, toolLog: [tool('before the call')] }]);

  record.note({ type: 'transcribe', line: line('Hello') });
  record.note({ type: 'transcribe', line: line('Yes?') });
  record.note({ type: 'interrupted', at: 5, stoppedAt: 9 });
  record.tell(tools);
  tools.push(tool('look_up'));
  record.note({ type: 'turn_latency', latency: latency(2) });
  record.tell(tools);
  const since = { ...nothing, interruptions: 1, firstUtteranceMs: 640 };
  expect(told.slice(1)).toEqual([
    { ...since, transcript: [line('Hello'), line('Yes?')], latencies: [latency(1)] },
    { ...since, toolLog: [tool('look_up')], latencies: [latency(2)] },
  ]);
});

it('what was told is no longer shared: later turns do not change it', () => {
  const { record, told } = begun();
  record.note({ type: 'transcribe', line: line('Hello') });
  record.tell([]);
  record.note({ type: 'transcribe', line: line('More') });
  expect(told[0]?.transcript).toEqual([line('Hello')]);
});

it('is whole at the end, whatever was told before', () => {
  const { record, live } = begun();
  record.sounded(500);
  record.sounded(900);
  record.note({ type: 'transcribe', line: line('Hello') });
  record.tell([]);
  record.note({ type: 'interrupted', at: 5, stoppedAt: 9 });
  record.note({ type: 'turn_latency', latency: latency(1) });
  expect(record.whole([tool('end_call')])).toEqual({
    transcript: [line('Hello')],
    latencies: [latency(1)],
    interruptions: 1,
    toolLog: [tool('end_call')],
    firstUtteranceMs: 500,
  });
  expect(live.map(({ type }) => type)).toEqual(['line', 'interrupted', 'latency']);
  expect(live[1]).toEqual({ type: 'interrupted', at: 5, stopMs: 4 });
});
