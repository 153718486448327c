import type { Log } from '../../shared/log.ts';
import { Poller } from '../../shared/poller.ts';
import type { Db } from '../../store/database.ts';
import { listFullWorkspaces, type StorageKind } from '../../store/tenants/storage-use.ts';

const POLL_MS = 10_000;
const NONE: readonly StorageKind[] = [];

/** The workspaces that have reached a storage quota. Calls look here, so that none of them needs a query. */
export class FullStorage {
  readonly #db: Db;
  readonly #poller: Poller;
  #full: ReadonlyMap<string, readonly StorageKind[]> = new Map();

  constructor(deps: { readonly db: Db; readonly log: Log }) {
    this.#db = deps.db;
    this.#poller = new Poller({
      poll: () => this.read(),
      pollMs: POLL_MS,
      onError: (error) =>
        deps.log.warn(
          { err: error },
          'the workspaces at a storage quota could not be read; those of the last read stay',
        ),
    });
  }

  /** The kinds that the workspace may store no more of. */
  of(workspaceId: string): readonly StorageKind[] {
    return this.#full.get(workspaceId) ?? NONE;
  }

  start(): void {
    this.#poller.start();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  async read(): Promise<void> {
    const listed = await listFullWorkspaces(this.#db);
    this.#full = new Map(listed.map(({ workspaceId, full }) => [workspaceId, full]));
  }
}
