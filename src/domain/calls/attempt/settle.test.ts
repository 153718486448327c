import { expect, it } from 'vitest';
import { joinedTalk } from './settle.ts';
import type { ConversationProgress } from '../../../voice/conversation.ts';

const piece = (more: Partial<ConversationProgress>): string =>
  JSON.stringify({
    transcript: [],
    latencies: [],
    interruptions: 0,
    toolLog: [],
    firstUtteranceMs: null,
    ...more,
  });
const line = (text: string) => ({
  role: 'agent' as const,
  text,
  startedAt: 1,
  endedAt: 2,
  interrupted: false,
  by: 'speech' as const,
});
const measure = (turn: number, characters: number) => ({
  turn,
  stt: null,
  llm: null,
  tts: null,
  firstAudioMs: null,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  characters,
  heardCharacters: 0,
  lines: [],
});
const spoke = (characters: number) => ({
  part: 'tts' as const,
  vendor: 'offline',
  model: null,
  audioMs: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  characters,
});
const FAULT = {
  part: 'llm',
  vendor: 'openai',
  kind: 'limit',
  status: 429,
  message: 'openai: too many requests or connections (status 429)',
  effect: 'switched',
  at: 5,
} as const;
const ANSWERED = {
  kind: 'human',
  confidence: 0.9,
  decidedMs: 800,
  revisedMs: null,
  reasons: ['words'],
} as const;
const tool = (name: string) => ({ name, args: {}, result: null, at: 1 });

it('joins pieces in order and takes the figures of the last one', () => {
  expect(
    joinedTalk([
      piece({ toolLog: [tool('first')] }),
      piece({ transcript: [line('Hello'), line('there')], firstUtteranceMs: 300 }),
      piece({ turns: [measure(1, 4), measure(2, 1)], usage: [spoke(4)] }),
      piece({ recordingPauses: [{ fromMs: 900, toMs: null }] }),
      piece({
        transcript: [line('Bye')],
        toolLog: [tool('end')],
        interruptions: 2,
        recordingPauses: [{ fromMs: 900, toMs: 1500 }],
        firstUtteranceMs: 300,
        turns: [measure(2, 3)],
        usage: [spoke(7)],
        faults: [FAULT],
        answeredBy: ANSWERED,
      }),
    ]),
  ).toEqual({
    transcript: [line('Hello'), line('there'), line('Bye')],
    latencies: [],
    interruptions: 2,
    toolLog: [tool('first'), tool('end')],
    recordingPauses: [{ fromMs: 900, toMs: 1500 }],
    firstUtteranceMs: 300,
    // A later measure of a turn replaces the earlier one.
    turns: [measure(1, 4), measure(2, 3)],
    usage: [spoke(7)],
    faults: [FAULT],
    answeredBy: ANSWERED,
  });
});

it('returns null without pieces', () => {
  expect(joinedTalk([])).toBeNull();
});
