import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../shared/clock.ts';
import type { EntranceName } from '../shared/ingress/entrance.ts';
import type { FallbackCount } from '../shared/fallback-counts.ts';
import type { Backlog } from '../store/backlog.ts';
import type { CallReport, PoolUse } from './call-link.ts';

/** How long a scrape reuses the figures of the last query: /metrics needs no key. */
const CACHED_MS = 5_000;

export interface OperationSources {
  readonly clock: Clock;
  /** Null: the thread that carries the calls does not respond. */
  calls(): Promise<Pick<
    CallReport,
    'trunks' | 'outcomes' | 'capsReached' | 'bans' | 'vendorFaults' | 'fallbackReplies' | 'refusals' | 'pool'
  > | null>;
  /** Replies of chats by another engine than the agent's first model. */
  chatFallbacks(): readonly FallbackCount[];
  /** Windows in which a workspace reached a cap, by cap, as the API noted them. */
  capsReached(): Iterable<readonly [cap: string, count: number]>;
  /** The pools of this thread. */
  pools(): Readonly<Record<string, PoolUse>>;
  backlog(now: Date): Promise<Backlog>;
}

/** One answered HTTP request. */
export interface Answered {
  /** read, write, dial, upload, or other for routes without a key. */
  readonly routeClass: string;
  readonly status: number;
  readonly ms: number;
}

/** Observers of the HTTP layer. */
export interface HttpObserver {
  answered(answered: Answered): void;
  /** Requests that their log lacks. */
  unlogged(count: number): void;
  /** A message or connection was refused before it was read. */
  refused(entrance: EntranceName): void;
}

/** Registers what an operator alerts on: trunks, outcomes, backlog, pools, HTTP. Returns the observer of HTTP. */
export function registerOperationMetrics(registry: Registry, sources: OperationSources): HttpObserver {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    collect: (self: Gauge) => unknown,
  ): Gauge =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        await collect(this);
      },
    });
  gauge(
    'callwright_trunk_up',
    'Trunk state by check (registered, reachable): 1 or 0; absent while it is unknown',
    ['trunk', 'check'],
    async (self) => {
      for (const { name: trunk, registered, reachable } of (await sources.calls())?.trunks ?? []) {
        for (const [check, up] of Object.entries({ registered, reachable })) {
          if (up !== null) self.set({ trunk, check }, up ? 1 : 0);
        }
      }
    },
  );
  gauge(
    'callwright_pool_connections',
    'Database connections by pool and state',
    ['pool', 'state'],
    async (self) => {
      const calls = (await sources.calls())?.pool ?? null;
      const pools = { ...sources.pools(), ...(calls === null ? {} : { calls }) };
      for (const [pool, at] of Object.entries(pools)) {
        self.set({ pool, state: 'open' }, at.totalCount);
        self.set({ pool, state: 'idle' }, at.idleCount);
        self.set({ pool, state: 'waited_for' }, at.waitingCount);
      }
    },
  );
  const backlog = cached(sources.clock, () => sources.backlog(new Date(sources.clock.now())));
  const age = (at: Date | null): number => (at === null ? 0 : (sources.clock.now() - at.getTime()) / 1000);
  const backlogGauge = (name: string, help: string, read: (backlog: Backlog) => number): Gauge =>
    gauge(name, help, [], async (self) => {
      const found = await backlog();
      if (found !== null) self.set(Math.max(0, read(found)));
    });
  backlogGauge(
    'callwright_oldest_due_call_seconds',
    'How long the oldest due call outside campaigns has waited, of all processes',
    ({ oldestDueCall }) => age(oldestDueCall),
  );
  backlogGauge(
    'callwright_webhooks_due',
    'Webhook deliveries that are due, of all processes; counted up to 100000',
    ({ dueDeliveries }) => dueDeliveries,
  );
  backlogGauge(
    'callwright_oldest_due_webhook_seconds',
    'How long the oldest due webhook delivery has waited',
    ({ oldestDelivery }) => age(oldestDelivery),
  );
  registry.registerMetric(
    new Counter({
      name: 'callwright_attempts_total',
      help: 'Ended call attempts of this process by outcome',
      labelNames: ['status', 'sub_status'],
      registers: [],
      async collect() {
        const calls = await sources.calls();
        if (calls === null) return;
        this.reset();
        for (const { status, subStatus, count } of calls.outcomes) {
          this.inc({ status, sub_status: subStatus }, count);
        }
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'callwright_caps_reached_total',
      help: 'Minutes and days in which a workspace reached a cap of its limits, as this process noted them first',
      labelNames: ['cap'],
      registers: [],
      async collect() {
        const calls = await sources.calls();
        if (calls === null) return;
        this.reset();
        for (const [cap, count] of [...calls.capsReached, ...sources.capsReached()]) this.inc({ cap }, count);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'callwright_sip_bans_total',
      help: 'Source addresses that the SIP guard banned for an hour',
      registers: [],
      async collect() {
        const calls = await sources.calls();
        if (calls === null) return;
        this.reset();
        this.inc(calls.bans.total);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'callwright_sip_banned_sources',
      help: 'Source addresses that are banned now',
      registers: [],
      async collect() {
        const calls = await sources.calls();
        if (calls !== null) this.set(calls.bans.current);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'callwright_vendor_faults_total',
      help: 'Faults of recognisers (stt), speakers (tts) and language models (llm) by vendor and reason',
      labelNames: ['part', 'vendor', 'reason'],
      registers: [],
      async collect() {
        const calls = await sources.calls();
        if (calls === null) return;
        this.reset();
        for (const { part, vendor, kind, count } of calls.vendorFaults) {
          this.inc({ part, vendor, reason: kind }, count);
        }
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'callwright_fallback_replies_total',
      help: "Replies by another engine (model, script, apology) than the agent's first model, because that one failed",
      labelNames: ['channel', 'engine'],
      registers: [],
      async collect() {
        const calls = await sources.calls();
        if (calls === null) return;
        this.reset();
        for (const [engine, count] of calls.fallbackReplies) this.inc({ channel: 'call', engine }, count);
        for (const [engine, count] of sources.chatFallbacks()) this.inc({ channel: 'chat', engine }, count);
      },
    }),
  );
  const refusedHere = new Map<EntranceName, number>();
  registry.registerMetric(
    new Counter({
      name: 'callwright_ingress_refused_total',
      help: 'Messages and connections of strangers that were refused before they were read, by entrance',
      labelNames: ['entrance'],
      registers: [],
      async collect() {
        const calls = await sources.calls();
        this.reset();
        for (const [entrance, count] of refusedHere) this.inc({ entrance }, count);
        for (const [entrance, count] of calls?.refusals ?? []) this.inc({ entrance }, count);
      },
    }),
  );
  const latency = new Histogram({
    name: 'callwright_http_seconds',
    help: 'Latency of HTTP responses by class of route and of status',
    labelNames: ['class', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const refused = new Counter({
    name: 'callwright_auth_failures_total',
    help: 'Requests without a valid key',
    registers,
  });
  const unlogged = new Counter({
    name: 'callwright_requests_unlogged_total',
    help: 'API requests that the log of their workspace lacks, because more arrived than it takes',
    registers,
  });
  return {
    answered({ routeClass, status, ms }) {
      latency.observe({ class: routeClass, status: `${Math.floor(status / 100)}xx` }, ms / 1000);
      if (status === 401) refused.inc();
    },
    unlogged: (count) => unlogged.inc(count),
    refused: (entrance) => void refusedHere.set(entrance, (refusedHere.get(entrance) ?? 0) + 1),
  };
}

/** The last value for `CACHED_MS`; concurrent callers share one read. Null when the read fails. */
function cached<T>(clock: Clock, read: () => Promise<T>): () => Promise<T | null> {
  let last: Promise<T | null> | null = null;
  let readAt = 0;
  return () => {
    if (last === null || clock.monotonic() - readAt >= CACHED_MS) {
      readAt = clock.monotonic();
      last = read().catch(() => null);
    }
    return last;
  };
}
