import { fastify } from 'fastify';

/** The reference: one route of the same framework that looks nothing up. */
const bare = fastify({ logger: false });
bare.get('/', () => ({ workspace_info: { id: 'bare', name: 'Bare', credits: 1, locked_credits: 0 } }));
const address = await bare.listen({ port: 0, host: '127.0.0.1' });
process.send?.(address);
