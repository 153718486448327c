import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { STUCK_MS } from './stuck-worker.ts';
import type { World } from './world.ts';

export interface Fault {
  readonly name: string;
  readonly ms: number;
  /** Time that the service gets afterwards, measured as part of the next calm. */
  readonly restMs: number;
  /** Requests and reactions of others must stay as before; false: every request, or their own worker, waits for the fault. */
  readonly isHidden: boolean;
  begin(world: World): Promise<void> | void;
  end(world: World): Promise<void> | void;
}

const HOUR_MS = 3_600_000;
const MB = 1_048_576;
const fillerOf = ({ folder }: World): string => join(folder, 'filler');

async function fill(world: World): Promise<void> {
  const file = await open(fillerOf(world), 'w');
  try {
    const { bavail, bsize } = await statfs(world.folder);
    const block = Buffer.alloc(MB);
    for (let left = bavail * bsize; left > 0; left -= MB) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

const setClock =
  (aheadMs: number) =>
  ({ clock }: World): Promise<void> =>
    clock.set(new Date(Date.now() + aheadMs).toISOString());

/** The faults of the day, in their order. The receiver stays dead. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'database away for 30 s',
    ms: 30_000,
    restMs: 20_000,
    isHidden: false,
    begin: ({ proxy }) => proxy.hang(),
    end: ({ proxy }) => proxy.resume(),
  },
  {
    name: 'disk of the data folder full',
    ms: 20_000,
    restMs: 8_000,
    isHidden: true,
    begin: fill,
    end: (world) => rm(fillerOf(world)),
  },
  {
    name: "host's clock an hour ahead",
    ms: 20_000,
    restMs: 0,
    isHidden: true,
    begin: setClock(HOUR_MS),
    end: () => undefined,
  },
  {
    name: "host's clock an hour behind",
    ms: 20_000,
    restMs: 8_000,
    isHidden: true,
    begin: setClock(-HOUR_MS),
    end: setClock(0),
  },
  {
    name: `one call worker of three stuck for ${STUCK_MS / 1000} s`,
    ms: STUCK_MS + 4_000,
    restMs: 8_000,
    isHidden: false,
    begin: ({ service }) => void service.child.kill('SIGUSR2'),
    end: () => undefined,
  },
  {
    name: "one tenant's model answers nothing",
    ms: 30_000,
    restMs: 8_000,
    isHidden: true,
    begin: ({ model }) => model.hang(true),
    end: ({ model }) => model.hang(false),
  },
  {
    name: "one tenant's receiver answers nothing",
    ms: 30_000,
    restMs: 0,
    isHidden: true,
    begin: ({ tenants }) => tenants.find(({ name }) => name === 'Receiver')?.receiver.die(),
    end: () => undefined,
  },
];
