/** What `clear` took back: the exact line between what the far side was sent and what it never got. */
export interface Cleared {
  /** Samples read since the last `clearQueue`. */
  playedSamples: number;
  droppedSamples: number;
}

/** PCM waiting to be played: arrays go in as they come, 20 ms frames come out. Reading allocates nothing. */
export interface FrameQueue {
  readonly chunks: Int16Array[];
  /** Index of the chunk under way; earlier ones are gone and are cut off now and then. */
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

/** Takes over `pcm`: the caller does not change it afterwards. */
export function pushPcm(queue: FrameQueue, pcm: Int16Array): void {
  if (pcm.length === 0) return;
  queue.chunks.push(pcm);
  queue.length += pcm.length;
}

/**
 * Fills `out` from the queue and the rest with zeros; returns the samples that came from the queue. Zero means that
 * nothing was waiting.
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

/** Drops what waits and begins the count of played samples anew. */
export function clearQueue(queue: FrameQueue): Cleared {
  const cleared = { playedSamples: queue.playedSamples, droppedSamples: queue.length };
  queue.chunks.length = 0;
  queue.head = 0;
  queue.offset = 0;
  queue.length = 0;
  queue.playedSamples = 0;
  return cleared;
}
