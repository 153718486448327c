import { Type } from 'typebox';
import { IsoTime, nullable, oneOf } from '../common/schemas.ts';

const DueWork = (what: string) =>
  Type.Object(
    {
      due: Type.Integer({ description: 'At most 10,000 are counted.' }),
      oldest_due_at: nullable(IsoTime),
    },
    { description: `${what} of all workspaces that are due and have not started.` },
  );

export const SystemAnswer = Type.Object({
  version: Type.String({ example: '1.0.0-rc.1' }),
  node_version: Type.String({ example: '24.1.0' }),
  database_version: Type.String({ example: '16.4' }),
  migration: Type.String({
    example: '0001_init.sql',
    description: 'The last migration that was applied to the database.',
  }),
  metrics_url: Type.String({
    example: '/metrics',
    description: 'Where the process that answers serves its metrics for Prometheus.',
  }),
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
      live_calls: Type.Integer({ description: 'By the database.' }),
      version: nullable(
        Type.String({ description: 'Null: it has written no figures yet, as the next ones.' }),
      ),
      process_calls: nullable(
        Type.Integer({ description: 'Live calls, by the last figures of the process.' }),
      ),
      call_limit: nullable(
        Type.Integer({ description: 'Calls that it can carry now, limited by call workers and RTP ports.' }),
      ),
      rtp_ports: nullable(
        Type.Object({
          first: nullable(Type.Integer({ description: 'Of RTP_PORTS; null: any free ports.' })),
          last: nullable(Type.Integer()),
          in_use: Type.Integer(),
        }),
      ),
    }),
    { description: 'Processes that carry calls.' },
  ),
  calls: DueWork('Individual calls'),
  webhooks: DueWork('Webhook deliveries'),
  jobs: DueWork('Background jobs'),
});

export const ConfigurationAnswer = Type.Object({
  settings: Type.Array(
    Type.Object({
      name: Type.String({ example: 'RTP_PORTS' }),
      value: nullable(
        Type.String({
          example: '16000-23999',
          description: 'Null: unset, or a secret. User, password and query of a URL are replaced by ***.',
        }),
      ),
      is_set: Type.Boolean({ description: 'Whether it has a value; of a secret, all that is shown.' }),
      is_secret: Type.Boolean(),
      source: oneOf(['default', 'environment', 'file'], {
        description: 'file: of a secret, the file that NAME_FILE names.',
      }),
      description: Type.String(),
    }),
    { description: 'Every setting of the process that answers, in the order of config.example.env.' },
  ),
});
