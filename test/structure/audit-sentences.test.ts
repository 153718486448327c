import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LATER_ACTIONS, SYSTEM_ACTIONS } from '../../src/domain/audit/actions.ts';
import { ACCOUNT_ACTIONS } from '../../src/domain/users/account-log.ts';
import { DEEDS } from '../../web/src/screens/audit-log/deeds.ts';
import { OBJECT_FIELDS, OBJECT_NAMES } from '../../web/src/screens/audit-log/object-names.ts';
import { wordsOf } from '../helpers/words.ts';

const root = resolve(import.meta.dirname, '../../src/http');
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');
/** The functions of all route files by their name, with the text up to the next one. */
const functions = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('routes.ts'))
    .flatMap((file) => sourceOf(file).split(/\n(?=(?:export )?(?:async )?function )/))
    .flatMap((text) => {
      const [, name = ''] = /^(?:export )?(?:async )?function (\w+)/.exec(text) ?? [];
      return name === '' ? [] : [[name, text] as const];
    }),
);
/** The functions that a text calls, and those that these call. */
function calledBy(text: string, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of text.matchAll(/\b(\w+)\(/g)) {
    const body = functions.get(name);
    if (body === undefined || seen.has(name)) continue;
    seen.add(name);
    calledBy(body.slice(body.indexOf('(') + 1), seen);
  }
  return seen;
}

const METHODS = new Map(
  Object.values(
    (
      JSON.parse(readFileSync(resolve(root, '../../docs/openapi.json'), 'utf8')) as {
        paths: Record<string, Record<string, { operationId?: string }>>;
      }
    ).paths,
  ).flatMap((path) =>
    Object.entries(path).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [[operationId, method] as const],
    ),
  ),
);

/** The operations of functions with the method and the text of each route, which a function such as stateRoute may add. */
const routesOf = (names: Iterable<string>): { method: string; operation: string; text: string }[] =>
  [...names].flatMap((name) =>
    (functions.get(name) ?? '')
      .split(/\n\s*(?=\w+(?:\.(?:get|post|patch|put|delete)(?:<[^(]*>)?|Route)\()/)
      .flatMap((text) => {
        const [, operation] = /operationId: '(\w+)'/.exec(text) ?? [];
        return operation === undefined
          ? []
          : [{ method: METHODS.get(operation) ?? 'unknown', operation, text }];
      }),
  );

/** The part of the server and of the dashboard that is registered after `keepAuditTrail` in the same scope. */
const audited = ['server/server.ts', 'server/dashboard.ts'].map(
  (file) => /keepAuditTrail\([\s\S]*?\n {0,8}\}/.exec(sourceOf(file))?.[0] ?? '',
);
const changes = routesOf(calledBy(audited.join('\n'))).filter(({ method }) => method !== 'get');
/** Reads that enter the log because of what they reveal. */
const reads = routesOf(functions.keys()).filter(
  ({ method, text }) => method === 'get' && /isAudited: true|noteTranscriptRead\(|auditReading\(/.test(text),
);
const ACTIONS = [
  ...[...changes, ...reads].map(({ operation }) => operation),
  ...SYSTEM_ACTIONS,
  ...LATER_ACTIONS,
  ...ACCOUNT_ACTIONS.map((action) => `account.${action}`),
];

describe('the sentences of the audit log', () => {
  it('are found by the routes', () => {
    expect(changes.length).toBeGreaterThan(95);
    expect(reads.map(({ operation }) => operation)).toContain('getRecording');
    expect(changes.map(({ operation }) => operation)).not.toContain('signIn');
  });

  it('are there for every action, and none is left over', () => {
    expect(Object.keys(DEEDS).toSorted()).toEqual([...new Set(ACTIONS)].toSorted());
  });

  it.each(['de', 'es', 'hi'] as const)('are in every language, %s', async (language) => {
    const words = await wordsOf(language);
    const texts = [...Object.values(DEEDS), ...Object.values(OBJECT_NAMES)];
    expect(texts.filter((text) => words[text] === undefined)).toEqual([]);
  });

  it('name one object at most, of a known kind', () => {
    const named = Object.values(DEEDS).map((text) =>
      [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    expect(named.filter((names) => names.length > 1)).toEqual([]);
    expect(named.flat().filter((name) => !Object.hasOwn(OBJECT_FIELDS, name ?? ''))).toEqual([]);
  });
});
