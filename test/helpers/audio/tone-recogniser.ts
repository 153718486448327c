import { WordListener } from '@callwright/stand-ins';
import type { SttProvider } from '../../../src/providers/ports/recogniser.ts';

/** Stands for the recogniser on this machine: it hears words in tones, an utterance at a time. */
export const toneRecogniser: SttProvider = {
  name: 'offline',
  understands: () => true,
  open({ onEvent, sampleRate }) {
    const listener = new WordListener(sampleRate);
    let words: string[] = [];
    return {
      write: (frame) => listener.push(frame, ({ text }) => words.push(text)),
      speechStarted: () => undefined,
      speechEnded(at) {
        const text = words.join(' ');
        const { audioMs } = listener;
        words = [];
        queueMicrotask(() =>
          onEvent(
            text === '' ? { type: 'nothing', at } : { type: 'final', text, confidence: 1, audioMs, at },
          ),
        );
      },
      expect: () => undefined,
      close: () => undefined,
    };
  },
  close: () => Promise.resolve(),
};
