import { mkdirSync, writeFileSync } from 'node:fs';
import type { OpenApi } from '../src/http/reference/document.ts';
import { apiMarkdown } from '../src/http/reference/markdown.ts';
import { schemaDocument, WEBHOOK_EVENTS } from '../src/http/schemas/webhook-events.ts';
import { createServer } from '../src/http/server.ts';
import { systemClock } from '../src/shared/clock.ts';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/store/database.ts';
import { clientTypes } from './client-types.ts';

const unused = (): never => {
  throw new Error('describing the API runs no request');
};

/** The text of docs/openapi.json, made from the routes' own schemas. Nothing is connected to. */
export async function openApiText(): Promise<string> {
  const database = openDatabase('postgres://127.0.0.1:1/unused');
  const server = await createServer({
    db: database.kysely,
    clock: systemClock,
    log: silentLog,
    voices: { all: () => [], byId: () => undefined, speaks: () => false },
    prompts: { build: unused, join: unused, parse: unused, change: unused, variables: unused },
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    notify: unused,
    hangUp: unused,
    watch: unused,
    recordings: { open: unused },
    link: { publicUrl: 'http://127.0.0.1:8080', secret: 'unused' },
    renderPreview: unused,
    ready: unused,
    metrics: { contentType: 'text/plain', metrics: unused },
    importer: { run: unused },
    copyPiece: unused,
    uploadLimits: { maxRows: 1, maxBytes: 1 },
    rateLimits: { read: 1, write: 1, dial: 1, authFailures: 1 },
    trustProxy: [],
    seal: { seal: unused, open: unused },
  });
  await server.ready();
  const text = `${JSON.stringify(server.swagger(), null, 2)}\n`;
  await server.close();
  await database.close();
  return text;
}

/** Every file made of the routes' schemas, by its path from the project's root. */
export async function madeFiles(): Promise<Record<string, string>> {
  const text = await openApiText();
  const document = JSON.parse(text) as OpenApi;
  return {
    'docs/openapi.json': text,
    'docs/api.md': apiMarkdown(document),
    'packages/sdk/src/operations.ts': clientTypes(document),
    ...Object.fromEntries(
      Object.entries(WEBHOOK_EVENTS).map(([name, schema]) => [
        `docs/schemas/${name}.json`,
        `${JSON.stringify(schemaDocument(schema), null, 2)}\n`,
      ]),
    ),
  };
}

if (import.meta.main) {
  mkdirSync(new URL('../docs/schemas', import.meta.url), { recursive: true });
  for (const [path, text] of Object.entries(await madeFiles())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}
