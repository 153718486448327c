import type { SttProvider } from '../ports/recogniser.ts';

/** Recognises nothing: the call only speaks. */
export const NO_RECOGNISER: SttProvider = {
  name: 'none',
  understands: () => false,
  open: () => ({
    write: () => undefined,
    speechStarted: () => undefined,
    speechEnded: () => undefined,
    expect: () => undefined,
    close: () => undefined,
  }),
  close: () => Promise.resolve(),
};
