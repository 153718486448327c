import { describe, expect, it } from 'vitest';
import { answerVirtualCall, voice } from '../../test/rigs/calls/virtual-session.ts';
import type { SttEvent, SttProvider } from '../providers/ports/recogniser.ts';

const FRAME_MS = 20;
const SPOKEN_MS = 600;
const [LLM_MS, TTS_MS] = [300, 120];

/** A call whose recogniser says what the test says, from the end of the first message on. */
async function call() {
  let emit: (event: SttEvent) => void = () => undefined;
  const recogniser: SttProvider = {
    name: 'scripted',
    understands: () => true,
    open({ onEvent }) {
      emit = onEvent;
      return {
        write: () => undefined,
        speechStarted: () => undefined,
        speechEnded: () => undefined,
        expect: () => undefined,
        close: () => undefined,
      };
    },
    close: () => Promise.resolve(),
  };
  const requests: { readonly at: number; readonly words: string }[] = [];
  const held = answerVirtualCall({
    recogniser,
    agent: { introMessage: 'Hello.' },
    tts: { ttsMs: TTS_MS },
    llm: {
      llmMs: LLM_MS,
      onRequest({ history }) {
        const last = history.at(-1);
        requests.push({ at: held.time.now(), words: last?.role === 'caller' ? last.text : '' });
      },
    },
  });
  const { time, person } = held;
  await held.hasSaid(/Hello/);
  await time.advance(400);
  return {
    ...held,
    requests,
    /** The caller speaks; then `afterMs` of silence. */
    async says(afterMs: number): Promise<void> {
      person.say(voice(SPOKEN_MS));
      await time.advance(SPOKEN_MS + afterMs);
    },
    emit(type: 'partial' | 'eager' | 'certain', text: string): void {
      const words = { text, at: time.now(), audioMs: null, turn: '0' };
      emit(
        type === 'certain'
          ? { type: 'final', confidence: 1, endpoint: 'certain', ...words }
          : { type, ...words },
      );
    },
    resumed: (): void => emit({ type: 'resumed', turn: '0', at: time.now() }),
    /** From now to the agent's first sound at the phone. */
    async untilSound(): Promise<number> {
      const [from, before] = [time.now(), person.soundMs()];
      await time.until('the agent to sound', () => person.soundMs() > before, 5_000);
      return time.now() - from;
    },
  };
}

const times = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / FRAME_MS + 1 }, (_, i) => from + i * FRAME_MS);

describe("the recogniser's own end of a turn", () => {
  it('commits the turn at once, whenever it comes around the end of the sound', async () => {
    for (const afterMs of times(0, 800)) {
      const held = await call();
      await held.says(afterMs);
      held.emit('partial', 'book a table');
      const before = held.requests.length;
      const at = held.time.now();
      held.emit('certain', 'Book a table.');
      const committed = held.requests.slice(before);
      expect([afterMs, committed]).toEqual([afterMs, [{ at, words: 'Book a table.' }]]);
    }
  });

  it('hides what the model and the speaker take in the time since the eager end', async () => {
    const wait = async (eagerMs: number | null, certainMs: number): Promise<number> => {
      const held = await call();
      await held.says(eagerMs ?? certainMs);
      if (eagerMs !== null) {
        held.emit('eager', 'Book a table.');
        await held.time.advance(certainMs - eagerMs);
      }
      held.emit('certain', 'Book a table.');
      return held.untilSound();
    };
    const plain = await wait(null, 600);
    expect(plain).toBeGreaterThanOrEqual(LLM_MS + TTS_MS);
    // The usual pauses of a vendor: 250 ms between both ends hide 83 % of the model's 300 ms.
    expect((plain - (await wait(160, 400))) / LLM_MS).toBeGreaterThanOrEqual(0.8);
    // Half a second hides both the model and the speaker: one frame to the phone is left.
    expect(await wait(100, 600)).toBeLessThanOrEqual(2 * FRAME_MS);
  });

  it('lets no word be heard of a reply that was prepared before the caller went on', async () => {
    for (const resumedMs of times(FRAME_MS, 900)) {
      const held = await call();
      await held.says(100);
      held.emit('eager', 'Book a table.');
      const silent = held.person.soundMs();
      await held.time.advance(resumedMs);
      held.resumed();
      await held.says(200);
      held.emit('eager', 'Book a table for two.');
      await held.time.advance(300);
      expect([resumedMs, held.person.soundMs()]).toEqual([resumedMs, silent]);
      held.emit('certain', 'Book a table for two.');
      await held.hasSaid(/two/);
      held.session.remoteHangup(held.time.now());
      const { transcript } = await held.result();
      expect([resumedMs, transcript.map(({ text }) => text)]).toEqual([
        resumedMs,
        ['Hello.', 'Book a table for two.', 'You said: Book a table for two..'],
      ]);
    }
  });
});
