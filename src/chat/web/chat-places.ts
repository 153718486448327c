import { systemScheduler, type Scheduler } from '../../shared/clock.ts';
import { Shares, type Release } from '../../shared/shares/shares.ts';

/**
 * Connections of this process. A workspace may have them all while no other needs one. When they are taken, another workspace
 * gets the connection of the workspace with most that was silent for longest; its page comes back later.
 */
const PLACES = 2_000;
/** So that two pages do not take each other's place in a loop. */
const HELD_MS = 1_000;
/** A page whose visitor wrote nothing for so long loses its place to any other when all are taken. */
const IDLE_MS = 600_000;

/** The places of web chats, shared between workspaces: whoever has a public key opens chats of its workspace alone. */
export class ChatPlaces {
  readonly #shares: Shares;

  constructor(scheduler: Scheduler = systemScheduler) {
    this.#shares = new Shares({
      places: PLACES,
      parts: 1,
      evicts: { heldMs: HELD_MS, idleMs: IDLE_MS },
      scheduler,
    });
  }

  /** Null: the workspace has its share. `onEvict`: the place went to another page. */
  take(workspaceId: string, onEvict: () => void): Release | null {
    return this.#shares.tryTake(workspaceId, onEvict);
  }

  /** The visitor wrote. */
  used(place: Release): void {
    this.#shares.renew(place);
  }
}
