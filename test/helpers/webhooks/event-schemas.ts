import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { schemaDocument, WEBHOOK_EVENTS } from '../../../src/http/webhooks/event-schemas.ts';
import type { Db } from '../../../src/store/database.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
addFormats.default(ajv, ['uuid', 'date-time']);
const checks = new Map<string, ValidateFunction>(
  Object.entries(WEBHOOK_EVENTS).map(([name, schema]) => [name, ajv.compile(schemaDocument(schema))]),
);

/** Deviations of an event's body from its published schema, extra keys included. */
export function eventProblems(body: unknown): string[] {
  const type = String((body as Record<string, unknown> | null)?.['event_type']);
  const check = checks.get(type);
  if (check === undefined) return [`no schema for ${type}`];
  const problems = check(body) ? [] : (check.errors ?? []).map((e) => `${e.instancePath} ${e.message}`);
  const known = WEBHOOK_EVENTS[type] as unknown as { properties: Record<string, unknown> };
  const extra = Object.keys(body as object).filter((key) => !(key in known.properties));
  return [...problems, ...extra.map((key) => `${key} is in no schema`)];
}

/** Throws unless every stored event matches its published schema. */
export async function checkStoredEvents(db: Db): Promise<void> {
  const rows = await db.selectFrom('events').select('body').execute();
  const problems = [...new Set(rows.flatMap(({ body }) => eventProblems(body)))];
  if (problems.length > 0) throw new Error(`events are not as published: ${problems.join('; ')}`);
}
