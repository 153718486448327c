import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeUlawTo, FRAME_MS } from '@callwright/audio';
import { LANGUAGES } from '@callwright/language';
import type { SttEvent, SttProvider } from '../ports/recogniser.ts';
import { unnamedFault, vendorFault, type VendorFault } from '../wire/fault.ts';

/** What a recogniser wrote of the sentence of the check; `ms`: from the end of the speech to its words. */
export interface HeardCheck {
  readonly ms: number;
  readonly heard: string;
}

/** "I would like to book a table for two." in G.711 at 8 kHz, by one of our own voices. */
const CLIP = fileURLToPath(new URL('../../../assets/speech/check.ulaw', import.meta.url));
const RATE = 8000;
const FRAME = (RATE * FRAME_MS) / 1000;
const LEAD_MS = 200;
/** From the end of the speech to its words; partial words are the answer of a recogniser that ends no utterance. */
const ANSWER_MS = 5_000;
const PARTIAL_MS = 2_500;

/** The sentence of the check. */
export function checkSpeech(): Int16Array {
  const wire = readFileSync(CLIP);
  const pcm = new Int16Array(wire.length);
  decodeUlawTo(pcm, wire);
  return pcm;
}

/**
 * Speaks a sentence to a recogniser as a call does, in real time, and reads its words back: a connection that is accepted
 * does not prove that its audio is understood. Resolves with the words or the fault, and closes the provider.
 */
export async function checkBySpeech(
  provider: SttProvider,
  pcm: Int16Array = checkSpeech(),
  answerMs = ANSWER_MS,
): Promise<HeardCheck | VendorFault> {
  const answer = Promise.withResolvers<HeardCheck | VendorFault>();
  let endedAt = Number.POSITIVE_INFINITY;
  let partial = '';
  const heard = (text: string): void =>
    answer.resolve({ ms: Math.max(0, Math.round(performance.now() - endedAt)), heard: text });
  const session = provider.open({
    language: LANGUAGES.find((one) => provider.understands(one)) ?? 'en-US',
    secondaryLanguage: null,
    sampleRate: RATE,
    vocab: [],
    onEvent: (event: SttEvent) => {
      if (event.type === 'failed') answer.resolve(event.fault ?? unnamedFault(provider.name, event));
      else if (event.type === 'partial' || event.type === 'eager') partial = event.text;
      else if (event.type === 'final' && event.text !== '') heard(event.text);
    },
  });
  let at = 0;
  const frame = new Int16Array(FRAME);
  const say = (offset: number): void => {
    frame.fill(0);
    frame.set(pcm.subarray(Math.max(0, offset), Math.max(0, offset + FRAME)));
    at += FRAME_MS;
    session.write(frame, at);
  };
  const lead = (LEAD_MS * RATE) / 1000;
  const startedAt = performance.now();
  let offset = -lead;
  /** Writes the frames that are due. */
  const step = (): void => {
    while (at < performance.now() - startedAt) {
      const isFirst = offset === 0;
      const isLast = offset < pcm.length && offset + FRAME >= pcm.length;
      if (isFirst) session.speechStarted(at);
      say(offset);
      offset += FRAME;
      if (!isLast) continue;
      session.speechEnded(at);
      endedAt = performance.now();
    }
    const waitedMs = performance.now() - endedAt;
    if (partial !== '' && waitedMs > PARTIAL_MS) heard(partial);
    else if (waitedMs > answerMs) answer.resolve(noWords(provider.name, pcm));
  };
  const timer = setInterval(step, FRAME_MS);
  try {
    return await answer.promise;
  } finally {
    clearInterval(timer);
    session.close();
    await provider.close();
  }
}

const noWords = (name: string, pcm: Int16Array): VendorFault =>
  vendorFault(name, 'rejected', `it wrote no word of ${(pcm.length / RATE).toFixed(1)} s of speech`);
