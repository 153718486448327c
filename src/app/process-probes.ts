import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { startProbeServer } from '../http/system/probe-server.ts';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import { Disk } from '../recordings/disk.ts';
import type { FallbackCount } from '../shared/fallback-counts.ts';
import type { FreeSpace } from '../shared/free-space.ts';
import { keptFor } from '../shared/kept-for.ts';
import type { Log } from '../shared/log.ts';
import type { ServiceClock } from '../shared/service-clock.ts';
import { readBacklog } from '../store/backlog.ts';
import type { Database } from '../store/database.ts';
import { isUp } from '../store/server.ts';
import { clockCheck } from './clock-sync.ts';
import { diskCheck } from './disk-watch.ts';
import { drainCheck, READY_KEPT_MS, type CallReport } from './call-link.ts';
import { recordingNote, registerGauges, registerRecordingMetrics } from './metrics.ts';
import { registerOperationMetrics } from './operation-metrics.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { registerResourceMetrics } from './resource-metrics.ts';
import { listenFailure } from './start-failure.ts';

export interface ProbesOptions {
  readonly clock: ServiceClock;
  readonly space: FreeSpace;
  readonly config: Config;
  readonly dataDir: string;
  readonly database: Database;
  readonly log: Log;
  /** The calls of this process; null: it has none. */
  readonly calls: { report(): CallReport } | null;
  readonly isDraining: () => boolean;
  /** Of the chats that this process answers. */
  readonly chatFallbacks: () => readonly FallbackCount[];
}

/** /healthz, /readyz and /metrics of a process without the API. */
export class ProcessProbes {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Null: neither METRICS_PORT nor PORT is set, and the default port is that of a process with the API. */
  static async start(options: ProbesOptions): Promise<ProcessProbes | null> {
    const at = addressOf(options.config);
    if (at === null) {
      options.log.warn({}, 'set METRICS_PORT, so that this process serves /healthz, /readyz and /metrics');
      return null;
    }
    const { setting, ...address } = at;
    const sources = {
      metrics: metricsOf(options),
      ready: keptFor(READY_KEPT_MS, options.clock, () => ready(options)),
    };
    const server = await startProbeServer(address, sources).catch((error: unknown) => {
      throw listenFailure(setting, address, error);
    });
    return new ProcessProbes(server);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

function addressOf({ metricsAt, host, port, settings }: Config) {
  if (metricsAt !== null) return { ...metricsAt, setting: { port: 'METRICS_PORT', host: 'METRICS_HOST' } };
  const isSet = settings.find(({ name }) => name === 'PORT')?.source !== 'default';
  return isSet ? { host, port, setting: { port: 'PORT', host: 'HOST' } } : null;
}

const healthOf = ({ calls, dataDir }: ProbesOptions) => {
  const disk = new Disk(join(dataDir, 'recordings'));
  return {
    failures: () => Promise.resolve(calls?.report().recordingFailures ?? { count: 0, agoMs: null }),
    freeBytes: () => disk.freeBytes(),
  };
};

async function ready(options: ProbesOptions): Promise<ReadyCheck[]> {
  const { database, calls, isDraining } = options;
  const isDatabaseUp = await isUp(database);
  const checks = calls?.report().checks ?? [drainCheck(isDraining())];
  return [
    { name: 'database', ok: isDatabaseUp },
    ...checks,
    await recordingNote(healthOf(options)),
    ...clockCheck(options.clock),
    ...diskCheck(await options.space.state()),
  ];
}

function metricsOf(options: ProbesOptions): Registry {
  const { calls, database } = options;
  const registry = new Registry();
  registerProcessMetrics(registry);
  const report = (): Promise<CallReport | null> => Promise.resolve(calls?.report() ?? null);
  if (calls !== null) registerGauges(registry, report);
  registerResourceMetrics(registry, options);
  registerRecordingMetrics(registry, healthOf(options), database.kysely);
  registerOperationMetrics(registry, {
    clock: options.clock,
    calls: report,
    capsReached: () => [],
    chatFallbacks: options.chatFallbacks,
    pools: () => (calls === null ? { jobs: database.pool } : {}),
    backlog: (now) => readBacklog(database.kysely, now),
  });
  return registry;
}
