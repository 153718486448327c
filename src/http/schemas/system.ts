import { Type } from 'typebox';
import { IsoTime, nullable } from './common.ts';

const DueWork = (what: string) =>
  Type.Object(
    {
      due: Type.Integer({ description: 'At most 10,000 are counted.' }),
      oldest_due_at: nullable(IsoTime),
    },
    { description: `${what} of the workspace that are due and have not started.` },
  );

export const SystemAnswer = Type.Object({
  version: Type.String({ example: '0.1.0' }),
  node_version: Type.String({ example: '24.1.0' }),
  database_version: Type.String({ example: '16.4' }),
  checks: Type.Array(
    Type.Object({
      name: Type.String({ example: 'database' }),
      ok: Type.Boolean(),
      detail: nullable(Type.String({ description: 'The cause; null: none.' })),
    }),
    { description: 'The readiness checks of the process that answers, as in /readyz.' },
  ),
  recordings_free_bytes: nullable(
    Type.Integer({ description: 'Free on the disk of recordings; null: unknown.' }),
  ),
  nodes: Type.Array(
    Type.Object({
      name: Type.String(),
      roles: Type.Array(Type.String({ example: 'dialer' })),
      state: Type.String({
        description: 'running, draining, or lost: it was declared dead and its calls were settled.',
        example: 'running',
      }),
      started_at: IsoTime,
      last_seen_at: IsoTime,
      live_calls: Type.Integer({ description: 'Of the workspace.' }),
    }),
    { description: 'Processes that carry calls.' },
  ),
  calls: DueWork('Individual calls'),
  webhooks: DueWork('Webhook deliveries'),
  jobs: DueWork('Background jobs'),
});
