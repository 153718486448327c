import { expect, it } from 'vitest';
import type { Scenario } from '../../src/rehearsal/scenario/document.ts';
import { rehearseBySound } from '../../src/rehearsal/sound/sound-run.ts';
import { Studio } from '../../src/rehearsal/sound/studio.ts';
import { oneQuestion, rehearsedAgent } from '../helpers/agents/rehearsed.ts';

const LINE = { codec: 'PCMA', loss: 0.02, jitter_ms: 20, echo_db: -30 } as const;

it('plays scenarios over SIP and RTP, and judges what was said', { timeout: 180_000 }, async () => {
  const answers: Scenario = {
    ...oneQuestion({ noise: 'car', line: LINE }),
    expect: [
      { type: 'says', any_of: ['see you on Tuesday'] },
      { type: 'ends', as: ['AGENT_ENDED'] },
    ],
  };
  const leaves: Scenario = {
    ...oneQuestion({ answers: [{ asked: ['still suit you'], says: 'Hold on please.' }] }),
    expect: [{ type: 'never_says', any_of: ['see you on Tuesday'] }],
    most_seconds: 8,
  };
  const mailbox: Scenario = {
    ...oneQuestion({ answered_by: 'voicemail' }),
    expect: [{ type: 'ends', as: ['VOICEMAIL_DETECTED', 'AGENT_ENDED', 'USER_BECAME_IDLE'] }],
  };
  const agent = rehearsedAgent();
  const parts = [answers, leaves, mailbox].map((scenario) => ({ agent, scenario }));
  const studio = await Studio.open({ recogniser: 'given', modelsDir: null });
  try {
    const results = await rehearseBySound({ parts, seed: 1, calls: [0, 1, 2], atOnce: 3 }, studio);
    expect(results.map(({ judged }) => judged.failure)).toEqual([null, null, null]);
    expect(results.map(({ judged }) => judged.verdicts.map(({ result }) => result))).toEqual([
      ['held', 'held'],
      ['held'],
      ['held'],
    ]);
    const [first] = results;
    expect(first?.played.caller.map(({ text }) => text)).toContain('Yes, it does.');
  } finally {
    await studio.close();
  }
});

it('begins no call after it was cancelled', async () => {
  const studio = await Studio.open({ recogniser: 'given', modelsDir: null });
  const parts = [{ agent: rehearsedAgent(), scenario: oneQuestion() }];
  const signal = AbortSignal.abort();
  expect(await rehearseBySound({ parts, seed: 1, calls: [0], atOnce: 1, signal }, studio)).toEqual([]);
  await studio.close();
});
