import { expect, it } from 'vitest';
import type { TranscriptLine } from '@callwright/turns';
import { TurnMeasures } from './turn-measures.ts';

const line = (text: string, startedAt: number): TranscriptLine => ({
  role: 'agent',
  text,
  startedAt,
  endedAt: startedAt + 1,
  interrupted: false,
  by: 'speech',
});
const llm = { vendor: 'openai', model: 'gpt' };
const tts = { vendor: 'cartesia', model: 'sonic' };
const tokens = (inputTokens: number) => ({ ...llm, inputTokens, cachedTokens: 1, outputTokens: 2 });

it('gives each turn what its replies used, dropped and following ones included', () => {
  const measures = new TurnMeasures({ vendor: 'offline', model: null });
  measures.spoken(0, 5, null);
  measures.heard(line('Hello', 10));
  // A reply that was prepared in vain, the one that was heard, and one after its tool.
  measures.asked(1, 1, llm);
  measures.answered(1, tokens(10));
  measures.asked(2, 1, llm);
  measures.spoken(2, 12, tts);
  measures.sounded(2, 80.4);
  measures.sounded(2, 200);
  measures.began(1, { vendor: 'deepgram', model: 'flux' });
  measures.answered(2, tokens(20));
  measures.asked(3, 1, llm);
  measures.answered(3, tokens(30));
  measures.heard(line('One mom', 20));
  measures.asked(4, 2, llm);
  measures.answered(4, tokens(1));
  const [greeting, first, second] = measures.all();
  expect(greeting).toMatchObject({ turn: 0, characters: 5, heardCharacters: 5, lines: [10] });
  expect([greeting?.llm, greeting?.tts]).toEqual([null, { vendor: 'offline', model: null }]);
  expect(first).toEqual({
    turn: 1,
    stt: { vendor: 'deepgram', model: 'flux' },
    llm,
    tts,
    firstAudioMs: 80,
    inputTokens: 60,
    cachedTokens: 3,
    outputTokens: 6,
    characters: 12,
    heardCharacters: 7,
    lines: [20],
  });
  expect(second).toMatchObject({ turn: 2, inputTokens: 1 });
});

it('gives what is used after a handover to the next agent, and what the last one began to that one', () => {
  const measures = new TurnMeasures({ vendor: 'offline', model: null });
  const agent = { id: 'b', name: 'Billing' };
  const ears = (audioMs: number) => [{ vendor: 'vosk', model: null, audioMs }];
  measures.asked(1, 1, llm);
  measures.handedOver(agent, 500, ears(400));
  // The reply of the first agent that was under way.
  measures.answered(1, tokens(10));
  measures.asked(2, 1, llm);
  measures.repliedBy(2, { ...llm, isFirst: true, agent });
  measures.answered(2, tokens(5));
  measures.spoken(2, 7, tts);
  // A sentence that no model was asked for.
  measures.spoken(3, 2, tts);
  const used = measures.usage([...ears(600), { vendor: 'other', model: null, audioMs: 100 }]);
  expect(
    used.map(({ part, vendor, agent: by, audioMs, inputTokens, characters }) => [
      part,
      vendor,
      by?.id ?? null,
      audioMs + inputTokens + characters,
    ]),
  ).toEqual([
    ['stt', 'vosk', null, 400],
    ['stt', 'vosk', 'b', 200],
    ['stt', 'other', 'b', 100],
    ['llm', 'openai', null, 10],
    ['llm', 'openai', 'b', 5],
    ['tts', 'cartesia', 'b', 9],
  ]);
  expect(measures.handovers).toEqual([{ agent, at: 500 }]);
});

it('sums the call by model, and tells changed turns once', () => {
  const measures = new TurnMeasures({ vendor: 'offline', model: null });
  measures.asked(1, 1, llm);
  measures.answered(1, tokens(10));
  expect(measures.changes().map(({ turn }) => turn)).toEqual([1]);
  expect(measures.changes()).toEqual([]);
  measures.asked(2, 2, llm);
  measures.answered(2, tokens(5));
  measures.spoken(2, 7, tts);
  measures.spoken(2, 8, { ...tts, model: 'other' });
  expect(measures.changes().map(({ turn }) => turn)).toEqual([2]);
  const none = { audioMs: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, characters: 0 };
  expect(measures.usage([{ vendor: 'vosk', model: null, audioMs: 900 }])).toEqual([
    { part: 'stt', vendor: 'vosk', model: null, ...none, audioMs: 900 },
    { part: 'llm', ...llm, ...none, inputTokens: 15, cachedTokens: 2, outputTokens: 4 },
    { part: 'tts', ...tts, ...none, characters: 7 },
    { part: 'tts', vendor: 'cartesia', model: 'other', ...none, characters: 8 },
  ]);
});
