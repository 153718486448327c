import { AddressGuard } from '../src/net/address-guard.ts';
import { NO_OPERATOR_PROVIDERS } from '../src/vendors/accounts.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { OpenApi } from '../src/http/pages/reference/document.ts';
import { inlined } from '../src/http/pages/reference/named-schemas.ts';
import { apiMarkdown } from '../src/http/pages/reference/markdown.ts';
import { schemaDocument, WEBHOOK_EVENTS } from '../src/http/webhooks/event-schemas.ts';
import { createServer } from '../src/http/server/server.ts';
import { systemClock } from '../src/shared/clock.ts';
import { DEFAULT_PRICES } from '../src/vendors/prices.ts';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/store/database.ts';
import { isForDashboard, isForKeys } from './api-audience.ts';
import { clientTypes, eventTypes } from './client-types.ts';
import { permissionsText } from './permissions.ts';
import { pythonFiles } from './python-sdk.ts';
import { vendorList } from './vendor-list.ts';

const unused = (): never => {
  throw new Error('generating the API document runs no request');
};

/** The text of docs/openapi.json, generated from the route schemas. It opens no connection. */
export async function openApiText(): Promise<string> {
  const database = openDatabase('postgres://127.0.0.1:1/unused');
  const server = await createServer({
    db: database.kysely,
    clock: systemClock,
    log: silentLog,
    voices: { all: () => [], byId: () => undefined, speaks: () => false },
    prompts: {
      build: unused,
      join: unused,
      parse: unused,
      change: unused,
      variables: unused,
      firstWords: unused,
      unfollowed: unused,
    },
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    prices: DEFAULT_PRICES,
    wakeScheduler: unused,
    hangUp: unused,
    control: unused,
    replayLog: unused,
    callScenario: unused,
    rehearser: {
      freeze: unused,
      scenariosOf: unused,
      scenarioRequest: unused,
      write: unused,
      hasModelCaller: unused,
      mostAsked: unused,
      read: unused,
      play: unused,
      result: unused,
      show: unused,
    },
    chats: { testAgent: unused, testTool: unused, templates: { list: unused }, kick: unused },
    watch: unused,
    watchAll: unused,
    readWorkbook: unused,
    recordings: { open: unused },
    link: { publicUrl: 'http://127.0.0.1:8080', issue: unused, read: unused, hasEnded: unused },
    renderPreview: unused,
    ready: unused,
    metrics: { contentType: 'text/plain', metrics: unused },
    importer: { run: unused },
    copyPiece: unused,
    uploadLimits: { maxRows: 1, maxBytes: 1 },
    uploadsHeldBytes: 0,
    knowledgeMaxBytes: 0,
    rateLimits: { read: 1, write: 1, dial: 1, authFailures: 1 },
    webCalls: { perAddress: 1, perKey: 1, maxMs: 1, areHere: true },
    trustProxy: [],
    seal: { seal: unused, open: unused, check: '' },
    operator: NO_OPERATOR_PROVIDERS,
    guard: new AddressGuard({ allow: [] }),
    tryVendor: unused,
  });
  await server.ready();
  const text = `${JSON.stringify(server.swagger(), null, 2)}\n`;
  await server.close();
  await database.close();
  return text;
}

/** Every file generated from the route schemas, by its path from the project root. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const text = await openApiText();
  const named = JSON.parse(text) as OpenApi;
  const document = inlined(named);
  return {
    'docs/openapi.json': text,
    'docs/api.md': apiMarkdown(document),
    'docs/permissions.md': permissionsText(),
    'packages/sdk/src/operations.ts': clientTypes(named, isForKeys),
    'packages/sdk/src/events.ts': eventTypes(document),
    ...pythonFiles(named),
    'web/src/api/operations.ts': clientTypes(document, isForDashboard),
    'web/src/api/vendor-list.ts': vendorList(),
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
  for (const [path, text] of Object.entries(await generatedFiles())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}
