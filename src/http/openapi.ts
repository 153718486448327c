import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { OpenApi } from './reference/document.ts';
import { withExamples } from './reference/examples.ts';
import { webhookOperations } from './schemas/webhook-events.ts';
import { apiMarkdown, llmsText } from './reference/markdown.ts';
import type { Server } from './type-provider.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Shown instead of the body schema where the body is checked in two steps. */
    documentedBody?: object;
  }
}

const DESCRIPTION = `Self-hosted AI voice agents that place and receive phone calls.

Every request carries the header \`X-API-KEY\` with the workspace API key. A failed request answers a 4xx or 5xx status
and \`{message}\`; validation failures (422) name every field. The request body is checked only after the key.`;

/** The reader may ask this service alone, over whatever it is itself reached by. */
const READER_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');
/** There is one document: no bar to load another. */
const READER_CSS = '.swagger-ui .topbar { display: none }';

/**
 * Collects the routes' schemas into one OpenAPI 3.1 document, served at /openapi.json and readable at /docs,
 * as /api.md and, in short, as /llms.txt.
 */
export async function documentRoutes(app: Server, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Callwright',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Agents', description: 'Create agents and change their settings.' },
        { name: 'Calling', description: 'Place calls, end them, read what happened.' },
        { name: 'Campaigns', description: 'Contact lists called one by one: upload, start, hold, report.' },
        {
          name: 'Knowledge bases',
          description: 'What agents look up: files, web pages, questions with answers.',
        },
        { name: 'Analytics', description: 'Sums over ended calls by UTC day of their creation.' },
        { name: 'Numbers', description: 'Caller numbers that take turns, and numbers that are not called.' },
        {
          name: 'Webhooks',
          description: 'How events are signed, what became of them, sending them again.',
        },
        { name: 'Privacy', description: 'Erase what is known of a person; say how long things are kept.' },
        { name: 'Workspace', description: 'The workspace of the key, its numbers and its neighbours.' },
      ],
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } },
      security: [{ apiKey: [] }],
      webhooks: webhookOperations(),
    },
    exposeHeadRoutes: false,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json['$id'] === 'string' ? json['$id'] : `def-${i}`,
    },
    transform: ({ schema, url, route }) => {
      const documented = route.config?.documentedBody;
      return { schema: documented === undefined ? schema : { ...schema, body: documented }, url };
    },
    transformObject: (given) =>
      'openapiObject' in given
        ? (withExamples(
            untagged(given.openapiObject as unknown as OpenApi),
          ) as unknown as typeof given.openapiObject)
        : given.swaggerObject,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: READER_CSP,
    theme: { title: 'Callwright API', css: [{ filename: 'callwright.css', content: READER_CSS }] },
    uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: 0 },
  });
  const hidden = { schema: { hide: true } };
  app.get('/openapi.json', hidden, () => app.swagger());
  const document = (): OpenApi => app.swagger() as unknown as OpenApi;
  app.get('/api.md', hidden, (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').send(apiMarkdown(document())),
  );
  app.get('/llms.txt', hidden, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(document())),
  );
}

/** Without `discriminator`: it chooses between shapes by their name, and ours have none but their `type`. */
const untagged = (document: OpenApi): OpenApi =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) => (key === 'discriminator' ? undefined : value)),
  ) as OpenApi;
