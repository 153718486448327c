import type { DueWork, SystemState } from '../../domain/workspaces/system-state.ts';
import type { ReadyCheck } from '../server-deps.ts';
import { iso, isoOrNull } from './values.ts';

const toWork = ({ count, oldest }: DueWork) => ({ due: count, oldest_due_at: isoOrNull(oldest) });

/** The body of GET /workspace/system. */
export const toSystem = (
  state: SystemState,
  own: {
    readonly checks: readonly ReadyCheck[];
    readonly freeBytes: number | null;
    readonly version: string;
  },
) => ({
  version: own.version,
  node_version: process.versions.node,
  database_version: state.databaseVersion,
  checks: own.checks.map(({ name, ok, detail = null }) => ({ name, ok, detail })),
  recordings_free_bytes: own.freeBytes,
  nodes: state.nodes.map((node) => ({
    name: node.name,
    roles: node.roles.split(',').filter(Boolean),
    state: node.isFenced ? 'lost' : node.isDraining ? 'draining' : 'running',
    started_at: iso(node.startedAt),
    last_seen_at: iso(node.beatAt),
    live_calls: node.live,
  })),
  calls: toWork(state.calls),
  webhooks: toWork(state.deliveries),
  jobs: toWork(state.jobs),
});
