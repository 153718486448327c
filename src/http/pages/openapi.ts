import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { OpenApi } from './reference/document.ts';
import { withHeaders } from './reference/headers.ts';
import { inlined, withNamedSchemas } from './reference/named-schemas.ts';
import { withRequests } from './reference/requests.ts';
import { withExamples } from './reference/examples.ts';
import { webhookOperations } from '../webhooks/event-schemas.ts';
import { fixedDocument } from './documents.ts';
import { apiMarkdown, llmsText } from './reference/markdown.ts';
import type { Server } from '../server/type-provider.ts';
import { REFERENCE, sendFile, type WebFiles } from './web-files.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Documented instead of the body schema, where a route checks the body in two steps. */
    documentedBody?: object;
  }
}

const DESCRIPTION = `Self-hosted AI voice agents that place and receive phone calls.

Every request carries the header \`X-API-KEY\` with the workspace API key. A failed request answers a 4xx or 5xx status
and \`{message}\`; validation failures (422) name every field. The key is checked before the body.

A path answers 405 with \`Allow\` to a method that it does not take. \`limit\` below 1 answers 422, above its maximum 400.

No text may hold NUL (U+0000) or half of a surrogate pair: 422 names the field.

Query parameters that an endpoint does not have are ignored and named in the header \`X-Unknown-Parameters\`, with the
parameter that was probably meant; of a key that occurs twice in a JSON object the last value counts, and
\`X-Duplicate-Keys\` names it. The request log keeps both. With the header \`Prefer: handling=strict\` they are refused: 422
and 400.`;

const SESSION = `The cookie that signing in sets; over TLS its name is __Host-cw_session. X-Workspace-Id names the
workspace, and every change carries X-CSRF-Token with the csrf_token of GET /dashboard-api/session.`;

/** Swagger UI may connect to its own origin only. */
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
/** Hides the bar that loads another document. */
const READER_CSS = '.swagger-ui .topbar { display: none }';

/**
 * Collects the routes' schemas into one OpenAPI 3.1 document: /openapi.json, Swagger UI at /docs, Markdown at
 * /api.md, and a summary at /llms.txt. Where the dashboard is built, its page draws Swagger UI.
 */
export async function documentRoutes(app: Server, version: string, web: WebFiles | null): Promise<void> {
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
        { name: 'Chats', description: 'Chats of WhatsApp and of web pages: read them, take them over.' },
        { name: 'WhatsApp', description: 'Numbers, templates and messages of WhatsApp.' },
        { name: 'Test cases', description: 'Conversations that an agent must hold as its cases say.' },
        { name: 'Rehearsals', description: 'Calls of simulated callers.' },
        { name: 'Quality', description: 'What detectors find in calls that have ended.' },
        { name: 'Campaigns', description: 'Contact lists: upload, start, pause, report.' },
        {
          name: 'Knowledge bases',
          description: 'Sources that agents search: files, web pages and FAQs.',
        },
        {
          name: 'Analytics',
          description: 'Sums over ended calls by the day of their creation in the workspace’s time zone.',
        },
        {
          name: 'Numbers',
          description: 'Number pools for caller number rotation, and the do-not-call list.',
        },
        {
          name: 'Webhooks',
          description: 'The signing secret, the delivery log, resending and test events.',
        },
        { name: 'Privacy', description: 'Erasure of personal data, and retention rules.' },
        { name: 'Workspace', description: 'The workspace of the key, its numbers and its child workspaces.' },
        {
          name: 'Dashboard',
          description: 'Signing in, members and the API key: for sessions of the dashboard, never for a key.',
        },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
          webcallKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-KEY',
            description: 'The webcall_public_key of an agent; no other endpoint accepts it.',
          },
          callToken: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Webcall-Token',
            description: 'The token that began the browser call.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'cw_session',
            description: SESSION,
          },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
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
        ? (withNamedSchemas(
            withExamples(withHeaders(withRequests(untagged(given.openapiObject as unknown as OpenApi)))),
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
  const document = (): OpenApi => inlined(app.swagger() as unknown as OpenApi);
  const json = fixedDocument('application/json; charset=utf-8', () => JSON.stringify(app.swagger()));
  const yaml = fixedDocument('application/x-yaml', () => app.swagger({ yaml: true }));
  app.get('/openapi.json', hidden, json);
  app.get(
    '/api.md',
    hidden,
    fixedDocument('text/markdown; charset=utf-8', () => apiMarkdown(document())),
  );
  app.get(
    '/llms.txt',
    hidden,
    fixedDocument('text/plain; charset=utf-8', () => llmsText(document())),
  );
  const page = web?.get(REFERENCE);
  // Swagger UI has routes of its own for the document, which would serialise it at each request, and for a page.
  app.addHook('onRequest', async (request, reply) => {
    const { url } = request.routeOptions;
    if (url === '/docs/json') return json(request, reply);
    if (url === '/docs/yaml') return yaml(request, reply);
    if (page !== undefined && (url === '/docs' || url === '/docs/'))
      return sendFile(request, reply, page, false);
    return undefined;
  });
}

/**
 * Removes `discriminator`, for which OpenAPI requires named schemas, where the shapes here are inline; states defaults
 * that no validator may fill in.
 */
const untagged = (document: OpenApi): OpenApi =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) => {
      if (key === 'discriminator') return undefined;
      if (typeof value !== 'object' || value === null || !('x-default' in value)) return value;
      const { 'x-default': stated, ...schema } = value;
      return { ...schema, default: stated };
    }),
  ) as OpenApi;
