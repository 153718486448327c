/** Runs work after a delay; returns its cancellation. */
export type After = (ms: number, work: () => void) => () => void;

export const afterReal: After = (ms, work) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};
