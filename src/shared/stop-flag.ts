/**
 * Shared memory by which a thread learns that it has to end while it is busy. Threads that call native code end by
 * themselves: `Worker.terminate` in the middle of such a call may abort the process.
 */
export type StopFlag = Int32Array<SharedArrayBuffer>;

export const stopFlag = (): StopFlag => new Int32Array(new SharedArrayBuffer(4));
export const isRaised = (flag: StopFlag): boolean => Atomics.load(flag, 0) !== 0;
export const raise = (flag: StopFlag): void => void Atomics.store(flag, 0, 1);
