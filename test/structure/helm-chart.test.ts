import { Ajv } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config/settings.ts';
import { VERSION } from '../../src/shared/version.ts';

const CHART = 'deploy/helm/callwright';
const read = (file: string): string => readFileSync(`${CHART}/${file}`, 'utf8');
const values = parse(read('values.yaml')) as Readonly<Record<string, unknown>>;
const media = values['media'] as Readonly<Record<string, unknown>>;
const validate = new Ajv({ strict: false, validateSchema: false }).compile(
  JSON.parse(read('values.schema.json')) as object,
);
const templates = readdirSync(`${CHART}/templates`)
  .map((file) => read(`templates/${file}`))
  .join('\n');

/** Dotted paths of a value that have no fields below them. */
function leaves(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  const entries = Object.entries(value);
  return entries.length === 0 ? [path] : entries.flatMap(([key, one]) => leaves(one, `${path}.${key}`));
}

describe('the Helm chart', () => {
  const named = [...new Set([...templates.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path]) => path!))];

  it('uses values that values.yaml has', () => {
    const known = leaves(values, '');
    expect(named.length).toBeGreaterThan(20);
    expect(
      named.filter((path) => !known.some((leaf) => leaf === path || leaf.startsWith(`${path}.`))),
    ).toEqual([]);
  });

  it('uses every value that values.yaml has', () => {
    const unused = leaves(values, '').filter(
      (leaf) => !named.some((path) => leaf === path || leaf.startsWith(`${path}.`)),
    );
    expect(unused).toEqual([]);
  });

  it('has defaults that its schema accepts', () => {
    validate(values);
    expect(validate.errors).toBe(null);
  });

  it.each([
    ['several processes without a database of their own', { replicas: 2 }],
    ['autoscaling without a database of their own', { autoscaling: { enabled: true } }],
    ['a setting in small letters', { settings: { port: 1 } }],
    ['a key that it does not know', { replica: 2 }],
    ['SIP over TLS without a certificate', { media: { ...media, sipTlsPort: 5061 } }],
    ['AudioSocket at no port', { media: { ...media, audioSocketPort: 0 } }],
  ])('refuses %s', (_, changed) => {
    expect(validate({ ...values, ...changed })).toBe(false);
  });

  it('accepts SIP over TLS with a certificate, and AudioSocket', () => {
    const ports = { sipTlsPort: 5061, sipTlsSecret: 'certificate', audioSocketPort: 9092 };
    expect(validate({ ...values, media: { ...media, ...ports } })).toBe(true);
  });

  it('accepts several processes that share database and key', () => {
    const shared = { database: { existingSecret: 'a' }, secretKey: { existingSecret: 'b' } };
    expect(validate({ ...values, ...shared, replicas: 3 })).toBe(true);
  });

  it('sets settings that the service has', () => {
    const set = [...templates.matchAll(/- (?:\{ )?name: ([A-Z][A-Z_]+)/g)].map(([, name]) => name!);
    const chosen = Object.keys(values['settings'] as object);
    expect(set).toContain('DATABASE_URL');
    expect([...set, ...chosen].filter((name) => SETTINGS[name] === undefined)).toEqual([]);
  });

  it('starts the version of this program', () => {
    expect((parse(read('Chart.yaml')) as { appVersion: string }).appVersion).toBe(VERSION);
  });
});
