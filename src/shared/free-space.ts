import { statfs } from 'node:fs/promises';

/** A reading of the file system is cached this long. */
const CACHED_MS = 1000;
/** Below this part of the floor, no new work begins either: what is left belongs to the work under way. */
const CRITICAL_PART = 1 / 4;

/** `low`: large writes must wait; `critical`: new calls, too. */
export type SpaceState = 'free' | 'low' | 'critical';

/** Whether a disk has more free space than the floor that every writer keeps free for the database on it. */
export class FreeSpace {
  readonly #folder: string;
  readonly floorBytes: number;
  readonly #now: () => number;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<SpaceState> = Promise.resolve('free');
  #last: SpaceState = 'free';
  #spareBytes = 0;

  /** A floor of 0 switches the check off. */
  constructor(folder: string, floorBytes: number, now = () => performance.now()) {
    this.#now = now;
    this.#folder = folder;
    this.floorBytes = floorBytes;
  }

  /** The state at the last reading. */
  get last(): SpaceState {
    return this.#last;
  }

  /** Free space above the floor at the last reading; negative: below it. */
  get spareBytes(): number {
    return this.#spareBytes;
  }

  state(): Promise<SpaceState> {
    const now = this.#now();
    if (this.floorBytes > 0 && now - this.#readAt >= CACHED_MS) {
      this.#readAt = now;
      this.#reading = this.bytes().then(
        (bytes) => {
          this.#spareBytes = bytes - this.floorBytes;
          return (this.#last = this.#stateOf(bytes));
        },
        // A broken disk is reported by the write that fails on it.
        () => {
          this.#spareBytes = 0;
          return (this.#last = 'free');
        },
      );
    }
    return this.#reading;
  }

  async isAvailable(): Promise<boolean> {
    return (await this.state()) === 'free';
  }

  async bytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  #stateOf(bytes: number): SpaceState {
    if (bytes > this.floorBytes) return 'free';
    return bytes > this.floorBytes * CRITICAL_PART ? 'low' : 'critical';
  }
}
