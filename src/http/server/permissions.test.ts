import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { accessOf } from '../../domain/access/table.ts';
import { permitRoutes, permitWebSockets } from './permissions.ts';
import { WEB_SOCKET_PATHS } from './web-socket-paths.ts';

const answer = (): string => 'never sent';
const events = { response: { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } } };

function permitted(register: (app: ReturnType<typeof fastify>) => void): () => void {
  const app = fastify();
  permitRoutes(app);
  return () => register(app);
}

describe('the server does not start', () => {
  it('with a route that has no row in the table of permissions', () => {
    const unknown = permitted((app) => app.get('/api/v0/secret-door', answer));
    expect(unknown).toThrow('GET /api/v0/secret-door has no row in the table of permissions');
  });

  it('with an operation that has no row', () => {
    const schema = { operationId: 'openSecretDoor' };
    expect(permitted((app) => app.get('/x', { schema }, answer))).toThrow('openSecretDoor has no row');
  });

  it('with an event stream whose row is not a stream', () => {
    const schema = { ...events, operationId: 'getWorkspace' };
    expect(permitted((app) => app.get('/x', { schema }, answer))).toThrow('getWorkspace must be a stream');
  });

  it('with a stream in the table whose route answers once', () => {
    const schema = { operationId: 'watchCall' };
    expect(permitted((app) => app.get('/x', { schema }, answer))).toThrow('watchCall must be a stream');
  });

  it('with a WebSocket that has no row', () => {
    expect(() => permitWebSockets(['/secret-door'])).toThrow(
      'WS /secret-door has no row in the table of permissions',
    );
  });
});

it('every route and WebSocket with its row is registered with it', () => {
  const schema = { ...events, operationId: 'watchCall' };
  const app = fastify();
  permitRoutes(app);
  let config: unknown;
  app.addHook('onRoute', (route) => {
    config = route.config;
  });
  app.get('/x', { schema }, answer);
  expect(config).toMatchObject({ access: accessOf('watchCall') });
  expect(() => permitWebSockets(Object.values(WEB_SOCKET_PATHS))).not.toThrow();
});
