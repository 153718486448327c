import { receiverKey, type Receiver } from '../store/deliveries.ts';

export interface WindowLimits {
  /** Requests at once that are not slow. */
  readonly parallel: number;
  /** Slow requests on top of those; while there are so many, receivers that time out get no more. */
  readonly slow: number;
  /** The most one receiver gets; the least, which a new one begins with. */
  readonly perReceiver: number;
  readonly first: number;
}

/** A request that takes longer is waited for without a place among the quick ones. */
const SLOW_AFTER_MS = 1000;
/** Receivers remembered although nothing is under way to them. */
const REMEMBERED = 2000;

export interface Ticket {
  readonly window: Window;
  readonly target: string;
  readonly startedAt: number;
  readonly dueAt: number;
}

interface Window extends Receiver {
  size: number;
  busy: number;
  timesOut: boolean;
  /** Whatever was due before is under way or over, as far as is known here; epoch ms. */
  since: number;
  /** The same of what goes elsewhere than to targets that hang. */
  elsewhere: { readonly hanging: string; since: number } | null;
}

/** A receiver as a look is told of it. */
export interface Room extends Receiver {
  readonly room: number;
  readonly since: number;
  /** Targets at this receiver that get nothing of it. */
  readonly hanging: readonly string[];
}

const nameOf = (targets: readonly string[]): string => targets.toSorted().join('\n');

/** What a look has to pass by begins here. */
function sinceOf({ since, elsewhere }: Window, hanging: readonly string[]): number {
  if (hanging.length === 0 || elsewhere?.hanging !== nameOf(hanging)) return since;
  return Math.max(since, elsewhere.since);
}

const SHUT: Pick<Room, 'room' | 'hanging'> = { room: 0, hanging: [] };

/**
 * While a window is full, requests in it that hang, those to `slow`, hold up their own targets only: others get their
 * places, at most as many again as the window has.
 */
function roomOf({ size, busy }: Window, slow: readonly string[]): Pick<Room, 'room' | 'hanging'> {
  if (busy < size || slow.length === 0) return { room: Math.max(0, size - busy), hanging: [] };
  return { room: Math.max(0, Math.min(slow.length, 2 * size - busy)), hanging: [...new Set(slow)] };
}

/**
 * How many requests may be under way: in all and to each receiver. A receiver that answers gets more at once, one
 * that times out fewer; requests that hang give their place to others. So those that are slow or dead delay only
 * themselves, and a workspace that has many of them only itself.
 */
export class ReceiverWindows {
  readonly #limits: WindowLimits;
  readonly #windows = new Map<string, Window>();
  readonly #open = new Set<Ticket>();

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  /** A delivery that was due at `dueAt` (epoch ms) begins at `at` (monotonic ms). */
  begin(receiver: Receiver & { readonly target: string }, dueAt: number, at: number): Ticket {
    const key = receiverKey(receiver);
    const { workspaceId, host } = receiver;
    const window = this.#windows.get(key) ?? {
      workspaceId,
      host,
      size: this.#limits.first,
      busy: 0,
      timesOut: false,
      since: dueAt,
      elsewhere: null,
    };
    window.busy += 1;
    window.since = Math.max(window.since, dueAt);
    // Set anew: the map's order is that of use.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const ticket = { window, target: receiver.target, startedAt: at, dueAt };
    this.#open.add(ticket);
    return ticket;
  }

  end(ticket: Ticket, how: 'answered' | 'timed out' | 'failed'): void {
    this.#open.delete(ticket);
    const { window } = ticket;
    window.busy -= 1;
    window.timesOut = how === 'timed out';
    if (how === 'answered') window.size = Math.min(this.#limits.perReceiver, window.size + 1);
    if (how === 'timed out') window.size = Math.max(this.#limits.first, Math.floor(window.size / 2));
    if (this.#windows.size > REMEMBERED) this.#forgetOldest();
  }

  /** It is written down how the delivery ended: the next event of its call was due no sooner, and may go now. */
  reopen({ window, dueAt }: Ticket): void {
    window.since = Math.min(window.since, dueAt);
    if (window.elsewhere !== null) window.elsewhere.since = Math.min(window.elsewhere.since, dueAt);
  }

  /**
   * A look at `now` (epoch ms) had places for `limit` and took these. Where it left room to a receiver with targets that
   * hang, nothing due goes elsewhere there: the next look need not pass by all that waits for those targets.
   */
  looked(rooms: readonly Room[], limit: number, taken: readonly Receiver[], now: number): void {
    const partly = rooms.filter(({ room, hanging }) => room > 0 && hanging.length > 0);
    if (partly.length === 0 || taken.length >= limit) return;
    const counts = new Map<string, number>();
    for (const each of taken) counts.set(receiverKey(each), (counts.get(receiverKey(each)) ?? 0) + 1);
    for (const each of partly) {
      const window = this.#windows.get(receiverKey(each));
      if (window === undefined || (counts.get(receiverKey(each)) ?? 0) >= each.room) continue;
      window.elsewhere = { hanging: nameOf(each.hanging), since: now };
    }
  }

  /**
   * What may begin at `at`: in all, to a receiver not named, and to those that are named. A workspace with as many slow
   * requests as there are places left gets no more, and no look takes more than half of those: others always have room.
   */
  free(at: number): { limit: number; newRoom: number; stalled: string[]; rooms: Room[] } {
    const { parallel, slow: slowLimit, first } = this.#limits;
    let slow = 0;
    const slowOf = new Map<string, number>();
    const hangingOf = new Map<Window, string[]>();
    for (const { startedAt, window, target } of this.#open) {
      if (at - startedAt < SLOW_AFTER_MS) continue;
      slow += 1;
      hangingOf.set(window, [...(hangingOf.get(window) ?? []), target]);
      slowOf.set(window.workspaceId, (slowOf.get(window.workspaceId) ?? 0) + 1);
    }
    const quick = this.#open.size - slow;
    const left = parallel + slowLimit - this.#open.size;
    const limit = Math.max(0, Math.min(parallel - quick, Math.ceil(left / 2)));
    const stalled = [...slowOf].filter(([, its]) => its >= left).map(([workspaceId]) => workspaceId);
    const rooms = [...this.#windows.values()].map((window): Room => {
      const { workspaceId, host, timesOut } = window;
      const isShut = (timesOut && slow >= slowLimit) || stalled.includes(workspaceId);
      const { room, hanging } = isShut ? SHUT : roomOf(window, hangingOf.get(window) ?? []);
      return { workspaceId, host, since: sinceOf(window, hanging), room, hanging };
    });
    return { limit, newRoom: first, stalled, rooms };
  }

  #forgetOldest(): void {
    for (const [key, window] of this.#windows) {
      if (window.busy > 0) continue;
      this.#windows.delete(key);
      return;
    }
  }
}
