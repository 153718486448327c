import type { DueWork, SystemState } from '../../domain/workspaces/system-state.ts';
import type { SettingInForce } from '../../shared/setting-in-force.ts';
import type { ReadyCheck } from '../server/server-deps.ts';
import { iso, isoOrNull } from '../common/values.ts';

const toWork = ({ count, oldest }: DueWork) => ({ due: count, oldest_due_at: isoOrNull(oldest) });

/** The body of GET /workspace/system. */
export const toSystem = (
  state: SystemState,
  own: {
    readonly checks: readonly ReadyCheck[];
    readonly freeBytes: number | null;
    readonly version: string;
    readonly metricsAt: { readonly host: string; readonly port: number } | null;
  },
) => ({
  version: own.version,
  node_version: process.versions.node,
  database_version: state.databaseVersion,
  migration: state.migration,
  metrics_url:
    own.metricsAt === null ? '/metrics' : `http://${own.metricsAt.host}:${own.metricsAt.port}/metrics`,
  checks: own.checks.map(({ name, ok, detail = null }) => ({ name, ok, detail })),
  recordings_free_bytes: own.freeBytes,
  nodes: state.nodes.map((node) => ({
    name: node.name,
    roles: node.roles.split(',').filter(Boolean),
    state: node.isFenced ? 'lost' : node.isDraining ? 'draining' : 'running',
    started_at: iso(node.startedAt),
    last_seen_at: iso(node.beatAt),
    live_calls: node.live,
    version: node.figures?.version ?? null,
    process_calls: node.figures?.liveCalls ?? null,
    call_limit: node.figures === null ? null : node.figures.liveCalls + node.figures.freeCalls,
    rtp_ports:
      node.figures === null
        ? null
        : {
            first: node.figures.rtpPorts?.first ?? null,
            last: node.figures.rtpPorts?.last ?? null,
            in_use: node.figures.rtpPortsInUse,
          },
  })),
  calls: toWork(state.calls),
  webhooks: toWork(state.deliveries),
  jobs: toWork(state.jobs),
});

/** The body of GET /workspace/configuration. */
export const toConfiguration = (settings: readonly SettingInForce[]) => ({
  settings: settings.map((setting) => ({
    name: setting.name,
    value: setting.value,
    is_set: setting.isSet,
    is_secret: setting.isSecret,
    source: setting.source,
    description: setting.about,
  })),
});
