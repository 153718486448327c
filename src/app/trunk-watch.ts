import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { StoredTrunk } from '../store/numbers/trunks.ts';
import type { AnyTrunk } from '../telephony/call-signalling.ts';

/** How soon a process follows a change of trunks that another process stored. */
export const TRUNKS_MS = 5_000;

export interface TrunkWatchDeps {
  readonly log: Log;
  readonly list: () => Promise<readonly StoredTrunk[]>;
  /** Opens the password and completes the address. */
  readonly toTrunk: (stored: StoredTrunk) => AnyTrunk;
  readonly pollMs?: number;
}

/** Names of trunks by what happened to them. */
interface TrunkChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Keeps the trunks of the call plane as the database has them, without a restart. */
export class TrunkWatch {
  readonly #deps: TrunkWatchDeps;
  readonly #poller: Poller;
  #known: readonly StoredTrunk[] = [];
  #set: ((trunks: readonly AnyTrunk[]) => void) | null = null;

  constructor(deps: TrunkWatchDeps) {
    this.#deps = deps;
    this.#poller = new Poller({
      poll: () => this.#poll(),
      pollMs: deps.pollMs ?? TRUNKS_MS,
      onError: (error) => deps.log.warn({ err: error }, 'the trunks could not be read; the known ones stay'),
    });
  }

  /** The trunks at start. */
  async first(): Promise<readonly AnyTrunk[]> {
    this.#known = await this.#inService();
    return this.#known.map(this.#deps.toTrunk);
  }

  /** Passes the trunks to `set` whenever they change from now on. */
  start(set: (trunks: readonly AnyTrunk[]) => void): void {
    this.#set = set;
    this.#poller.start();
  }

  /** Reads the trunks now. */
  kick(): void {
    this.#poller.kick();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  async #inService(): Promise<readonly StoredTrunk[]> {
    return (await this.#deps.list()).filter(({ isEnabled }) => isEnabled);
  }

  async #poll(): Promise<void> {
    const trunks = await this.#inService();
    const { added, changed, removed } = changesOf(this.#known, trunks);
    if (added.length + changed.length + removed.length === 0) return;
    this.#known = trunks;
    this.#set?.(trunks.map(this.#deps.toTrunk));
    this.#deps.log.info({ added, changed, removed }, 'trunks changed; live calls go on');
  }
}

function changesOf(before: readonly StoredTrunk[], after: readonly StoredTrunk[]): TrunkChanges {
  const known = new Map(before.map((trunk) => [trunk.id, trunk]));
  const left = new Set(after.map(({ id }) => id));
  const namesOf = (trunks: readonly StoredTrunk[]): string[] => trunks.map(({ name }) => name);
  return {
    added: namesOf(after.filter(({ id }) => !known.has(id))),
    changed: namesOf(
      after.filter((trunk) => known.has(trunk.id) && !isDeepStrictEqual(known.get(trunk.id), trunk)),
    ),
    removed: namesOf(before.filter(({ id }) => !left.has(id))),
  };
}
