import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../shared/ids.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { readVersions, TOPICS, type Topic, type Versions } from '../../store/tenants/overview.ts';

const POLL_MS = 1_000;
/** Characters of a topic's digest in an event id. */
const DIGEST = 12;

/** The topics that changed, and the id to continue from. */
export interface Change {
  readonly id: string;
  readonly topics: readonly Topic[];
}

/** The digest of each topic, in the order of TOPICS. */
type Digests = readonly string[];

const digestsOf = (versions: Versions): Digests =>
  TOPICS.map((topic) => sha256(versions[topic]).slice(0, DIGEST));

/** The digests of an event id; null for one of another form, after which every topic counts as changed. */
function readEventId(id: string): Digests | null {
  const digests = id.split('.');
  return digests.length === TOPICS.length && digests.every((each) => each.length === DIGEST) ? digests : null;
}

/**
 * Compares the data of the watched workspaces with what their streams have seen: one query a second and workspace,
 * however many streams it has, and none while nobody watches. The state is in the event ids, so any process continues
 * a stream.
 */
export class WorkspaceChanges {
  readonly #deps: { readonly db: Db; readonly clock: Clock };
  readonly #next = new Map<string, Promise<Digests>>();
  /** The first reading of streams that have begun, and the reading under way, of each workspace. */
  readonly #first = new Map<string, Promise<Digests>>();
  readonly #running = new Map<string, Promise<Digests>>();

  constructor(deps: { db: Db; clock: Clock }) {
    this.#deps = deps;
  }

  /**
   * Sends the topics that changed since `lastEventId`, then every change, until `signal` aborts. Without an id the first
   * event has no topics and names the current state. Rejects when the database fails.
   */
  async watch(
    workspaceId: string,
    lastEventId: string | null,
    signal: AbortSignal,
    onChange: (change: Change) => void,
  ): Promise<void> {
    let seen = lastEventId === null ? null : (readEventId(lastEventId) ?? TOPICS.map(() => ''));
    let current = await this.#fresh(workspaceId);
    if (signal.aborted) return;
    seen ??= current;
    onChange(changeOf(seen, current));
    for (;;) {
      seen = current;
      current = await this.#soon(workspaceId, signal);
      if (signal.aborted) return;
      const change = changeOf(seen, current);
      if (change.topics.length > 0) onChange(change);
    }
  }

  /** The digests at the next poll, which all streams of the workspace share. */
  #soon(workspaceId: string, signal: AbortSignal): Promise<Digests> {
    let next = this.#next.get(workspaceId);
    if (next === undefined) {
      next = sleep(POLL_MS).then(() => {
        this.#next.delete(workspaceId);
        return this.#read(workspaceId);
      });
      this.#next.set(workspaceId, next);
    }
    const ended = new Promise<Digests>((resolve) => {
      if (signal.aborted) resolve([]);
      else signal.addEventListener('abort', () => resolve([]), { once: true });
    });
    return Promise.race([next, ended]);
  }

  /** A reading that begins after the stream did: thousands of streams that begin at once, after a restart, share it. */
  #fresh(workspaceId: string): Promise<Digests> {
    let first = this.#first.get(workspaceId);
    if (first === undefined) {
      const running = this.#running.get(workspaceId);
      first = Promise.allSettled([running, new Promise((done) => setImmediate(done))]).then(() => {
        this.#first.delete(workspaceId);
        return this.#read(workspaceId);
      });
      this.#first.set(workspaceId, first);
    }
    return first;
  }

  #read(workspaceId: string): Promise<Digests> {
    const digests = this.#query(workspaceId);
    const end = (): void => {
      if (this.#running.get(workspaceId) === digests) this.#running.delete(workspaceId);
    };
    this.#running.set(workspaceId, digests);
    digests.then(end, end);
    return digests;
  }

  async #query(workspaceId: string): Promise<Digests> {
    const now = new Date(this.#deps.clock.now());
    return digestsOf(await readVersions(this.#deps.db, workspaceId, now));
  }
}

const changeOf = (seen: Digests, current: Digests): Change => ({
  id: current.join('.'),
  topics: TOPICS.filter((_, index) => seen[index] !== current[index]),
});
