import { expect, it } from 'vitest';
import type { TtsEvent, TtsSession } from '../../providers/ports/voice.ts';
import { CallerVoice, type SoundingPiece } from './caller-voice.ts';

const RATE_MS = 8;

/** A voice that speaks 100 ms per word between 200 ms of silence. */
const voice = (fails = false): TtsSession => ({
  begin: () => ({
    say: (text: string, onEvent: (event: TtsEvent) => void) => {
      if (fails) return onEvent({ type: 'failed', message: 'no engine', retryable: false });
      const words = text.split(' ').length;
      const pcm = new Int16Array((words * 100 + 400) * RATE_MS);
      pcm.fill(9_000, 200 * RATE_MS, (200 + words * 100) * RATE_MS);
      onEvent({ type: 'audio', pcm });
      return onEvent({ type: 'done' });
    },
    end: () => undefined,
    cancel: () => undefined,
  }),
  close: () => undefined,
});
/** Takes the next 20 ms. */
function sounds(caller: CallerVoice): boolean {
  const out = new Int16Array(20 * RATE_MS);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a voice, not an array
  return caller.fill(out);
}
/** After the promises of a synthesis. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('plays the pieces with their pauses, without the silence of the engine', async () => {
  const caller = new CallerVoice({ tts: voice(), now: () => 5_000, onFault: () => undefined });
  const began: SoundingPiece[] = [];
  let ended = 0;
  caller.say(
    [
      { text: 'M', pauseMs: 0 },
      { text: 'A R', pauseMs: 300 },
    ],
    (pieces) => began.push(...pieces),
    () => {
      ended += 1;
    },
  );
  await settled();
  let frames = 0;
  while (sounds(caller)) frames += 1;
  // 40 ms are kept at both ends of a piece.
  expect(began).toEqual([
    { text: 'M', from: 5_000, to: 5_180 },
    { text: 'A R', from: 5_480, to: 5_760 },
  ]);
  expect([frames, ended]).toEqual([38, 1]);
});

it('reports a voice that fails', async () => {
  const faults: string[] = [];
  const caller = new CallerVoice({
    tts: voice(true),
    now: () => 0,
    onFault: ({ message }) => faults.push(message),
  });
  caller.say(
    [{ text: 'Yes.', pauseMs: 0 }],
    () => undefined,
    () => undefined,
  );
  await settled();
  expect(faults).toEqual(['a voice failed: no engine']);
  expect(sounds(caller)).toBe(false);
});

it('says nothing after it was closed', async () => {
  const caller = new CallerVoice({ tts: voice(), now: () => 0, onFault: () => undefined });
  caller.say(
    [{ text: 'Yes.', pauseMs: 0 }],
    () => undefined,
    () => undefined,
  );
  caller.close();
  await settled();
  expect(sounds(caller)).toBe(false);
});
