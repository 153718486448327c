import { randomUUID } from 'node:crypto';
import { fastify } from 'fastify';
import { Pool } from 'pg';

/**
 * Reference server with the same framework and database client: a route without database, one that inserts and commits a
 * row the size of a call, and one that reads ten calls by an index.
 */
const [url = '', workspaceId = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 20 });
await pool.query(
  `create table bare_calls (id uuid primary key, name text, number text, agent_id text, args jsonb,
     created_at timestamptz)`,
);

const bare = fastify({ logger: false });
bare.get('/', () => ({ workspace_info: { id: 'bare', name: 'Bare', credits: 1, locked_credits: 0 } }));
bare.post('/insert', async (request) => {
  const body = request.body as Record<string, unknown>;
  const id = randomUUID();
  await pool.query({
    name: 'insert',
    text: 'insert into bare_calls values ($1, $2, $3, $4, $5, $6)',
    values: [
      id,
      body['name'],
      body['mobile_number'],
      body['agent_id'],
      body['custom_args_values'],
      new Date(),
    ],
  });
  return { status: 'success', data: { call_id: id } };
});
bare.get('/select', async () => {
  const { rows } = await pool.query({
    name: 'select',
    text: 'select * from calls where workspace_id = $1 order by created_at desc, id desc limit 10',
    values: [workspaceId],
  });
  return { calls: rows };
});
const address = await bare.listen({ port: 0, host: '127.0.0.1' });
process.send?.(address);
