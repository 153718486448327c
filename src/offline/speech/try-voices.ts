import type { TtsEvent, TtsProvider } from '../../providers/ports/voice.ts';

/** Longer than the limit of an engine process, so that its own message comes first. */
const ANSWER_MS = 30_000;

/** One voice of each engine. Where flite is not installed, espeak-ng speaks for it. */
const VOICES = { 'espeak-ng': 'espeak:f3', flite: 'flite:slt' } as const;

/**
 * Has every offline engine speak a word. Resolves with the faults; none: they work. `count` must differ between tries,
 * because the clips of earlier ones are cached; `signal` ends the try.
 */
export async function tryVoices(
  tts: Pick<TtsProvider, 'open'>,
  count: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const faults = await Promise.all(
    Object.entries(VOICES).map(async ([engine, voiceKey]) => {
      const fault = await tryVoice(tts, voiceKey, `Test ${count}`, signal);
      return fault === null ? [] : [`${engine}: ${fault}`];
    }),
  );
  return faults.flat();
}

function tryVoice(
  tts: Pick<TtsProvider, 'open'>,
  voiceKey: string,
  text: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const session = tts.open({ voiceKey, language: 'en-US', speed: 1, sampleRate: 8000 });
  const timer = setTimeout(() => resolve('the speech thread does not answer'), ANSWER_MS);
  signal?.addEventListener('abort', () => resolve(null), { once: true });
  let sounds = false;
  session.begin().say(text, (event: TtsEvent) => {
    if (event.type === 'audio') sounds = true;
    if (event.type === 'failed') resolve(event.message);
    if (event.type === 'done') resolve(sounds ? null : 'the voice returned no sound');
  });
  return promise.finally(() => {
    clearTimeout(timer);
    session.close();
  });
}
