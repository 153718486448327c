import { Counter, Gauge, type Registry } from 'prom-client';
import type { FreeSpace } from '../shared/free-space.ts';
import type { ServiceClock } from '../shared/service-clock.ts';

export interface ResourceSources {
  readonly clock: Pick<ServiceClock, 'aheadMs'>;
  readonly space: FreeSpace;
  /** Queries of workspaces that found no connection in their share; absent: this process has no API. */
  readonly refused?: () => number;
}

/** Registers what shows that the process runs short of something: the clocks, the disk and the shares of tenants. */
export function registerResourceMetrics(
  registry: Registry,
  { clock, space, refused }: ResourceSources,
): void {
  const clocks = new Gauge({
    name: 'callwright_clock_ahead_seconds',
    help: "Seconds that a clock is ahead of the time of the service: this host's wall clock, or the database's",
    labelNames: ['clock'],
    registers: [],
    collect() {
      for (const [name, ms] of Object.entries(clock.aheadMs)) this.set({ clock: name }, ms / 1000);
    },
  });
  const free = new Gauge({
    name: 'callwright_disk_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR',
    registers: [],
    async collect() {
      this.set(await space.bytes().catch(() => 0));
    },
  });
  const floor = new Gauge({
    name: 'callwright_disk_floor_bytes',
    help: 'Free bytes on the disk of DATA_DIR below which nothing large is stored',
    registers: [],
    collect() {
      this.set(space.floorBytes);
    },
  });
  for (const metric of [clocks, free, floor]) registry.registerMetric(metric);
  if (refused === undefined) return;
  registry.registerMetric(
    new Counter({
      name: 'callwright_share_refusals_total',
      help: 'Queries of the API that found no database connection in the share of their workspace',
      registers: [],
      collect() {
        this.reset();
        this.inc(refused());
      },
    }),
  );
}
