import { receiverKey, type Receiver } from '../../store/webhooks/deliveries.ts';

export interface WindowLimits {
  /** Limit of parallel fast requests. */
  readonly parallel: number;
  /** Limit of parallel slow requests, in addition. At this limit, receivers that time out get no more requests. */
  readonly slow: number;
  /** Maximum window of one receiver. */
  readonly perReceiver: number;
  /** Initial and minimum window. */
  readonly first: number;
}

/** A request in flight for longer counts as slow and no longer against `parallel`. */
const SLOW_AFTER_MS = 1000;
/** Windows kept; beyond this the least recently used idle one is dropped. */
const MAX_WINDOWS = 2000;

/** One request in flight. */
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
  /** Cursor, epoch ms: everything due earlier is in flight or finished, as far as this process knows. */
  since: number;
  /** A later cursor for deliveries to targets other than these hanging ones. */
  elsewhere: { readonly hanging: string; since: number } | null;
}

/** How many deliveries one poll may take for a receiver. */
export interface Quota extends Receiver {
  readonly quota: number;
  readonly since: number;
  /** Targets at this receiver that the quota excludes. */
  readonly hanging: readonly string[];
}

const nameOf = (targets: readonly string[]): string => targets.toSorted().join('\n');

/** The cursor that applies while these targets hang. */
function sinceOf({ since, elsewhere }: Window, hanging: readonly string[]): number {
  if (hanging.length === 0 || elsewhere?.hanging !== nameOf(hanging)) return since;
  return Math.max(since, elsewhere.since);
}

const NO_QUOTA: Pick<Quota, 'quota' | 'hanging'> = { quota: 0, hanging: [] };

/**
 * In a full window, hanging requests (to the targets `slow`) block only their own targets: other targets of the
 * receiver get their slots, up to twice the window in all. This prevents head-of-line blocking within a receiver.
 */
function quotaOf({ size, busy }: Window, slow: readonly string[]): Pick<Quota, 'quota' | 'hanging'> {
  if (busy < size || slow.length === 0) return { quota: Math.max(0, size - busy), hanging: [] };
  return { quota: Math.max(0, Math.min(slow.length, 2 * size - busy)), hanging: [...new Set(slow)] };
}

/**
 * Concurrency control for requests: limits in all and one window per receiver. A window grows by one with each
 * response and halves with each timeout; slow requests give their slots to others. A slow or dead receiver therefore
 * delays only itself, and a workspace with many of them delays only itself.
 */
export class ReceiverWindows {
  readonly #limits: WindowLimits;
  readonly #windows = new Map<string, Window>();
  readonly #open = new Set<Ticket>();

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  /** Registers a request that starts at `at` (monotonic ms) for a delivery due at `dueAt` (epoch ms). */
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
    // Reinserted, so that the map stays in order of use (LRU).
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
    if (this.#windows.size > MAX_WINDOWS) this.#dropLeastRecent();
  }

  /**
   * Moves the cursor back to the delivery's due time. Called once its outcome is stored: that unblocks the next event of
   * the same call, which is due at that time or later.
   */
  reopen({ window, dueAt }: Ticket): void {
    window.since = Math.min(window.since, dueAt);
    if (window.elsewhere !== null) window.elsewhere.since = Math.min(window.elsewhere.since, dueAt);
  }

  /**
   * Advances cursors after a poll at `now` (epoch ms) that took `taken` under `limit`. If a receiver with hanging targets
   * did not use up its quota, nothing is due to its other targets, so the next poll can skip the backlog before `now`.
   */
  advance(quotas: readonly Quota[], limit: number, taken: readonly Receiver[], now: number): void {
    const partly = quotas.filter(({ quota, hanging }) => quota > 0 && hanging.length > 0);
    if (partly.length === 0 || taken.length >= limit) return;
    const counts = new Map<string, number>();
    for (const each of taken) counts.set(receiverKey(each), (counts.get(receiverKey(each)) ?? 0) + 1);
    for (const each of partly) {
      const window = this.#windows.get(receiverKey(each));
      if (window === undefined || (counts.get(receiverKey(each)) ?? 0) >= each.quota) continue;
      window.elsewhere = { hanging: nameOf(each.hanging), since: now };
    }
  }

  /**
   * Free capacity at `at`: in all, for each receiver without a window, and per window. A workspace whose slow requests
   * equal the remaining slots gets none ("stalled"), and one poll takes at most half of the remaining slots, so that
   * other workspaces always find capacity.
   */
  free(at: number): { limit: number; quotaEach: number; stalled: string[]; quotas: Quota[] } {
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
    const quotas = [...this.#windows.values()].map((window): Quota => {
      const { workspaceId, host, timesOut } = window;
      const isBlocked = (timesOut && slow >= slowLimit) || stalled.includes(workspaceId);
      const { quota, hanging } = isBlocked ? NO_QUOTA : quotaOf(window, hangingOf.get(window) ?? []);
      return { workspaceId, host, since: sinceOf(window, hanging), quota, hanging };
    });
    return { limit, quotaEach: first, stalled, quotas };
  }

  #dropLeastRecent(): void {
    for (const [key, window] of this.#windows) {
      if (window.busy > 0) continue;
      this.#windows.delete(key);
      return;
    }
  }
}
