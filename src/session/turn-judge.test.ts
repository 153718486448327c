import { describe, expect, it } from 'vitest';
import { answerVirtualCall, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';
import type { TurnModel, TurnSound } from '../providers/ports/recogniser.ts';

/** A model that answers with the next probability, `ms` after it is asked. */
function model(answers: readonly (number | null)[], { languages = ['en-US'], ms = 0 } = {}) {
  const asked: TurnSound[] = [];
  const pending: (() => void)[] = [];
  const turn: TurnModel = {
    name: 'scripted',
    judges: (language) => languages.includes(language),
    finished(sound) {
      const answer = answers[Math.min(asked.push(sound), answers.length) - 1] ?? null;
      if (ms === 0) return Promise.resolve(answer);
      return new Promise((resolve) => pending.push(() => resolve(answer)));
    },
    close: () => Promise.resolve(),
  };
  return { turn, asked, answer: () => pending.splice(0).forEach((settle) => settle()) };
}

/** Words that are neither whole nor open: alone, they wait 780 ms. */
const WORDS = 'my usual table by the window';

/** The latency of the turn that these words make. */
async function totalMs(
  turn: TurnModel | undefined,
  words = WORDS,
  act?: (call: VirtualSession) => Promise<void>,
) {
  const call = answerVirtualCall({
    finals: [words],
    llm: { replies: ['Sure.'] },
    ...(turn === undefined ? {} : { turn }),
  });
  await call.hasSaid(/Maya/);
  call.talk(900);
  await act?.(call);
  await call.hasSaid(/Sure/);
  call.session.remoteHangup(call.time.now());
  const { latencies } = await call.result();
  return latencies[0]?.endpointingMs ?? 0;
}

describe('a turn whose words say nothing of its end', () => {
  it('ends sooner when its sound is finished, and later when it is not', async () => {
    const byRules = await totalMs(undefined);
    expect(byRules).toBeGreaterThanOrEqual(780);
    const finished = model([0.99]);
    expect(await totalMs(finished.turn)).toBeLessThan(byRules - 200);
    const unfinished = await totalMs(model([0.01]).turn);
    expect(unfinished).toBeGreaterThan(byRules + 200);
    expect(unfinished).toBeLessThan(2_500);
    const [sound] = finished.asked;
    // The turn alone, not the silence or the agent before it, and at most 8 s.
    expect(sound?.sampleRate).toBe(8000);
    expect((sound?.pcm.length ?? 0) / 8).toBeGreaterThan(900);
    expect((sound?.pcm.length ?? 0) / 8).toBeLessThan(1_500);
  });

  it.each([
    ['is not of the language', model([0.9], { languages: ['hi-IN'] })],
    ['says nothing', model([null])],
    ['never answers', model([0.9], { ms: 1 })],
  ])('ends by the rules when the model %s', async (_, { turn }) => {
    expect(await totalMs(turn)).toBe(await totalMs(undefined));
  });
});

it.each([
  ['whole', 'Yes, that is right.', 200, 900],
  ['the middle of a sentence', 'I want to', 530, 2_400],
])('words that are %s bound what their sound changes', async (_, words, least, most) => {
  for (const probability of [0, 0.5, 1]) {
    const waited = await totalMs(model([probability]).turn, words);
    expect(waited).toBeGreaterThanOrEqual(least);
    expect(waited).toBeLessThanOrEqual(most);
  }
});

it('words that ask for a moment outweigh any sound', async () => {
  const words = 'let me check';
  expect(await totalMs(model([1]).turn, words)).toBe(await totalMs(undefined, words));
});

it('an answer that comes after new speech is void', async () => {
  const late = model([0.9, null], { ms: 1 });
  const waited = await totalMs(late.turn, WORDS, async (call) => {
    await call.time.until('the first question', () => late.asked.length === 1);
    call.talk(600);
    await call.time.advance(300);
    late.answer();
  });
  expect(waited).toBeGreaterThanOrEqual(500);
});
