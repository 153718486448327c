import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WAV_HEADER_BYTES, wavHeader } from '@callwright/audio';
import type { FreeSpace } from '../shared/free-space.ts';

/** The file is written this far behind the newest audio, so that late caller packets are still in place. */
const HOLD_MS = 400;
const WRITE_MS = 1000;
/** Caller audio that drifts further than this from the agent's clock is realigned. */
const REALIGN_MS = 300;

export interface Recording {
  path: string;
  durationMs: number;
  bytes: number;
  failed: boolean;
}

/**
 * Writes a stereo WAV while the call runs: caller left, agent right. The agent's frames are the clock; caller frames are
 * placed by RTP timestamp. A disk failure stops the recording, never the call.
 */
export class Recorder {
  readonly path: string;
  readonly #rate: number;
  readonly #ring: Int16Array;
  readonly #capacity: number;
  readonly #onFailure: (error: Error) => void;
  /** Null: no reserve is kept free. */
  readonly #space: FreeSpace | null;
  #handle: FileHandle | null = null;
  #opening: Promise<void> | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Positions in samples since the start: newest agent sample, next sample to write, newest caller sample. */
  #head = 0;
  #flushed = 0;
  #callerHead = 0;
  #callerBase: number | null = null;
  #isPaused = false;
  /** End of the last pause: caller frames placed before it are dropped. */
  #resumedAt = 0;
  #startedAt = 0;
  #failed = false;
  #bytes = 0;

  constructor(
    path: string,
    sampleRate: number,
    onFailure: (error: Error) => void,
    space: FreeSpace | null = null,
  ) {
    this.path = path;
    this.#rate = sampleRate;
    this.#capacity = sampleRate * 4;
    this.#ring = new Int16Array(this.#capacity * 2);
    this.#onFailure = onFailure;
    this.#space = space;
  }

  start(at: number): void {
    this.#startedAt = at;
    this.#opening = this.#open().catch((error: unknown) => this.#fail(error));
  }

  /** From now on both channels are silent; the recording keeps its length. Sound of the pause is never written. */
  pause(): void {
    this.#isPaused = true;
    // Caller audio ahead of the agent's clock is newer than the pause.
    for (let at = this.#head; at < this.#callerHead; at++) this.#ring[(at % this.#capacity) * 2] = 0;
  }

  resume(): void {
    this.#isPaused = false;
    this.#resumedAt = this.#head;
  }

  /** Takes the frame sent at `at`; a gap since the last one (steps the wheel skipped) becomes silence. */
  agent(frame: Int16Array | null, samples: number, at: number): void {
    const due = Math.floor(((at - this.#startedAt) * this.#rate) / 1000);
    if (due - this.#head > this.#ms(60)) {
      const skip = Math.min(due - this.#head, this.#ms(2000));
      this.#clear(this.#head, skip);
      this.#head += skip;
    }
    if (frame === null || this.#isPaused) this.#clear(this.#head, samples);
    else this.#put(this.#head, frame, 1);
    this.#head += samples;
    if (this.#head - this.#flushed > this.#ms(WRITE_MS + HOLD_MS))
      this.#flush(this.#head - this.#ms(HOLD_MS));
  }

  /** Takes a caller frame at its RTP time, in samples. */
  caller(frame: Int16Array, timestamp: number): void {
    this.#callerBase ??= this.#head - timestamp;
    let position = this.#callerBase + timestamp;
    if (Math.abs(position - this.#head) > this.#ms(REALIGN_MS)) {
      this.#callerBase = this.#head - timestamp;
      position = this.#head;
    }
    if (this.#isPaused || position < this.#flushed || position < this.#resumedAt) return;
    this.#put(position, frame, 0);
    this.#callerHead = Math.max(this.#callerHead, position + frame.length);
  }

  /** Writes the rest, updates the header and closes the file. */
  async close(): Promise<Recording> {
    await this.#opening;
    this.#flush(Math.max(this.#head, Math.min(this.#callerHead, this.#head + this.#ms(HOLD_MS))));
    await this.#writing;
    const handle = this.#handle;
    this.#handle = null;
    if (handle !== null) {
      // Also after a full disk: the header must match the part that was written.
      await this.#write(handle, this.#header(), 0).catch((error: unknown) => this.#fail(error));
      await handle.datasync().catch((error: unknown) => this.#fail(error));
      await handle.close().catch((error: unknown) => this.#fail(error));
    }
    return {
      path: this.path,
      durationMs: Math.round((this.#bytes / 4 / this.#rate) * 1000),
      bytes: this.#failed && this.#bytes === 0 ? 0 : this.#bytes + WAV_HEADER_BYTES,
      failed: this.#failed,
    };
  }

  async #open(): Promise<void> {
    await this.#checkSpace();
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#handle = await open(this.path, 'w', 0o600);
    await this.#write(this.#handle, this.#header(), 0);
  }

  async #checkSpace(): Promise<void> {
    if (this.#space !== null && !(await this.#space.isAvailable()))
      throw new Error('the disk is nearly full');
  }

  #header(): Uint8Array {
    return wavHeader({ sampleRate: this.#rate, channels: 2 }, this.#bytes);
  }

  /** Returns the bytes written in whole stereo samples: fewer than given when the disk is full. */
  async #write(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, position);
    if (bytesWritten < bytes.length) this.#fail(new Error('the disk took only a part'));
    return bytesWritten - (bytesWritten % 4);
  }

  #ms(ms: number): number {
    return (ms * this.#rate) / 1000;
  }

  #put(position: number, frame: Int16Array, channel: 0 | 1): void {
    const ring = this.#ring;
    let index = (position % this.#capacity) * 2 + channel;
    for (let i = 0; i < frame.length; i++) {
      ring[index] = frame[i] ?? 0;
      index += 2;
      if (index >= ring.length) index -= ring.length;
    }
  }

  #clear(position: number, samples: number): void {
    const ring = this.#ring;
    let index = (position % this.#capacity) * 2 + 1;
    for (let i = 0; i < samples; i++) {
      ring[index] = 0;
      index += 2;
      if (index >= ring.length) index -= ring.length;
    }
  }

  #flush(until: number): void {
    const samples = until - this.#flushed;
    if (samples <= 0) return;
    const out = Buffer.allocUnsafe(samples * 4);
    const ring = this.#ring;
    let index = (this.#flushed % this.#capacity) * 2;
    for (let i = 0; i < samples; i++) {
      out.writeInt16LE(ring[index] ?? 0, i * 4);
      out.writeInt16LE(ring[index + 1] ?? 0, i * 4 + 2);
      // Cleared for the next lap of the ring.
      ring[index] = 0;
      ring[index + 1] = 0;
      index += 2;
      if (index >= ring.length) index -= ring.length;
    }
    this.#flushed = until;
    if (this.#failed) return;
    this.#writing = this.#writing.then(async () => {
      await this.#opening;
      if (this.#failed || this.#handle === null) return;
      try {
        await this.#checkSpace();
        this.#bytes += await this.#write(this.#handle, out, WAV_HEADER_BYTES + this.#bytes);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#onFailure(error instanceof Error ? error : new Error(String(error)));
  }
}
