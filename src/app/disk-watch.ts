import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import type { FreeSpace, SpaceState } from '../shared/free-space.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';

/** Between two looks at a disk that is near its floor, and at most. */
const POLL_MS = { near: 2_000, far: 10_000 } as const;
/** Faster than a disk fills. */
const BYTES_PER_SECOND = 2_000_000_000;
const RESERVE = 'reserve';
const RESERVE_BYTES = 128 * 1_048_576;
const PIECE = Buffer.alloc(1_048_576);

/** How long a disk with so much space above its floor can't reach it. Pure. */
export const lookAgainMs = (spareBytes: number): number =>
  spareBytes >= (POLL_MS.far / 1_000) * BYTES_PER_SECOND ? POLL_MS.far : POLL_MS.near;

/** A note in the readiness answer; a process that takes no new calls is not ready. */
export function diskCheck(state: SpaceState): ReadyCheck[] {
  if (state === 'free') return [];
  return [
    state === 'low'
      ? {
          name: 'disk',
          ok: true,
          detail: 'the disk is below DISK_FLOOR_MB: uploads and recordings are refused',
        }
      : { name: 'disk', ok: false, detail: 'the disk is almost full: no new calls begin' },
  ];
}

/**
 * Watches the disk of DATA_DIR. It holds a reserve file there, which it removes when the disk is almost full, so that the
 * embedded database can store the end of the calls under way; the file comes back when there is space again.
 */
export class DiskWatch {
  readonly #space: FreeSpace;
  readonly #path: string;
  readonly #hasReserve: boolean;
  readonly #reserveBytes: number;
  readonly #log: Log;
  readonly #poller: Poller;
  #state: SpaceState = 'free';

  constructor(deps: {
    space: FreeSpace;
    dataDir: string;
    hasReserve: boolean;
    log: Log;
    reserveBytes?: number;
  }) {
    this.#reserveBytes = deps.reserveBytes ?? RESERVE_BYTES;
    this.#space = deps.space;
    this.#path = join(deps.dataDir, RESERVE);
    this.#hasReserve = deps.hasReserve && deps.space.floorBytes > 0;
    this.#log = deps.log;
    this.#poller = new Poller({
      poll: async () => {
        await this.check();
        return lookAgainMs(this.#space.spareBytes);
      },
      pollMs: POLL_MS.far,
      failedMs: POLL_MS.near,
      onError: (error) => deps.log.warn({ err: error }, 'the disk of DATA_DIR could not be checked'),
    });
  }

  start(): void {
    if (this.#space.floorBytes > 0) this.#poller.start();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  async check(): Promise<void> {
    const state = await this.#space.state();
    const before = this.#state;
    this.#state = state;
    if (state === 'critical') await rm(this.#path, { force: true });
    if (state === 'free') await this.#keepReserve();
    if (state === before) return;
    const freeBytes = await this.#space.bytes();
    if (state === 'free') this.#log.info({ freeBytes }, 'the disk has enough free space again');
    else if (state === 'low') {
      this.#log.error({ freeBytes }, 'the disk is below DISK_FLOOR_MB: uploads and recordings are refused');
    } else
      this.#log.error({ freeBytes }, 'the disk is almost full: the reserve is freed, and no new calls begin');
  }

  async #keepReserve(): Promise<void> {
    if (!this.#hasReserve) return;
    const { size } = await stat(this.#path).catch(() => ({ size: 0 }));
    if (size >= this.#reserveBytes) return;
    // Not while the file itself would bring the disk below the floor again.
    if ((await this.#space.bytes()) < 2 * this.#space.floorBytes + this.#reserveBytes) return;
    const file = await open(this.#path, 'w', 0o600);
    try {
      for (let bytes = 0; bytes < this.#reserveBytes; bytes += PIECE.length) await file.write(PIECE);
    } finally {
      await file.close();
    }
  }
}
