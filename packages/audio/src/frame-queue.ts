/** How much of the queue was played and how much was dropped by `clearQueue`. */
export interface Cleared {
  /** Samples read since the last `clearQueue`. */
  playedSamples: number;
  droppedSamples: number;
}

/** A queue of PCM: arrays of any length in, 20 ms frames out. Reading allocates nothing. */
export interface FrameQueue {
  readonly chunks: Int16Array[];
  /** Index of the current chunk; consumed chunks are removed in batches. */
  head: number;
  /** Samples of the head chunk already read. */
  offset: number;
  /** Samples waiting. */
  length: number;
  playedSamples: number;
}

export const createFrameQueue = (): FrameQueue => ({
  chunks: [],
  head: 0,
  offset: 0,
  length: 0,
  playedSamples: 0,
});

const COMPACT_AT = 64;

/** Takes ownership of `pcm`. */
export function pushPcm(queue: FrameQueue, pcm: Int16Array): void {
  if (pcm.length === 0) return;
  queue.chunks.push(pcm);
  queue.length += pcm.length;
}

/**
 * Fills `out` from the queue and the rest with zeros; returns the samples taken from the queue, 0 when it is empty.
 */
export function readFrame(queue: FrameQueue, out: Int16Array): number {
  let written = 0;
  while (written < out.length && queue.head < queue.chunks.length) {
    const chunk = queue.chunks[queue.head] as Int16Array;
    const count = Math.min(chunk.length - queue.offset, out.length - written);
    for (let i = 0; i < count; i++) out[written + i] = chunk[queue.offset + i] as number;
    written += count;
    queue.offset += count;
    if (queue.offset === chunk.length) {
      queue.head += 1;
      queue.offset = 0;
    }
  }
  if (queue.head === queue.chunks.length) {
    queue.chunks.length = 0;
    queue.head = 0;
  } else if (queue.head >= COMPACT_AT) {
    queue.chunks.splice(0, queue.head);
    queue.head = 0;
  }
  out.fill(0, written);
  queue.length -= written;
  queue.playedSamples += written;
  return written;
}

/** Drops samples from the end of the queue until `length` are left. */
export function truncate(queue: FrameQueue, length: number): void {
  while (queue.length > length) {
    const last = queue.chunks.pop() as Int16Array;
    const isHead = queue.chunks.length === queue.head;
    const waiting = last.length - (isHead ? queue.offset : 0);
    const keep = Math.max(0, waiting - (queue.length - length));
    queue.length -= waiting - keep;
    if (keep > 0) queue.chunks.push(last.subarray(0, last.length - waiting + keep));
    else if (isHead) queue.offset = 0;
  }
}

/** Empties the queue and resets the count of played samples. */
export function clearQueue(queue: FrameQueue): Cleared {
  const cleared = { playedSamples: queue.playedSamples, droppedSamples: queue.length };
  queue.chunks.length = 0;
  queue.head = 0;
  queue.offset = 0;
  queue.length = 0;
  queue.playedSamples = 0;
  return cleared;
}
