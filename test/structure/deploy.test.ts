import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config/settings.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

interface Compose {
  readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, unknown>> }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}
interface CloudInit {
  readonly write_files: readonly { readonly path: string; readonly content: string }[];
}
const compose = parse(read('deploy/compose.yaml')) as Compose;
const cloudInit = parse(read('deploy/cloud-init.yaml')) as CloudInit;
const unit = read('deploy/systemd/callwright.service');
const written = (path: string): string =>
  cloudInit.write_files.find((file) => file.path === path)?.content ?? '';

/** Names of settings; `NAME_FILE` where the setting is a secret. */
function unknownSettings(names: readonly string[]): string[] {
  const known = new Set(
    Object.entries(SETTINGS).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name])),
  );
  return names.filter((name) => !known.has(name));
}

describe('deploy/compose.yaml', () => {
  const validate = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(
    JSON.parse(read('test/fixtures/compose-spec.json')) as object,
  );

  it('fits the schema of the Compose specification', () => {
    validate(compose);
    expect(validate.errors).toBe(null);
  });

  it('would not fit it with a key that Compose does not know', () => {
    const service = { ...compose.services['callwright'], stop_graceperiod: '1s' };
    expect(validate({ ...compose, services: { callwright: service } })).toBe(false);
  });

  it('sets settings that the service has', () => {
    const names = Object.keys(compose.services['callwright']?.environment ?? {});
    expect(names.length).toBeGreaterThan(3);
    expect(unknownSettings(names)).toEqual([]);
  });

  it('declares every volume that a service mounts', () => {
    const mounted = [...read('deploy/compose.yaml').matchAll(/^ {6}- ([a-z]+):\//gm)].map(([, name]) => name);
    expect(new Set(mounted)).toEqual(new Set(Object.keys(compose.volumes)));
  });
});

describe('the image and the unit', () => {
  it('set settings that the service has', () => {
    const image = [...(/^ENV (.+)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=/g)].map(
      ([, name]) => name!,
    );
    expect(image).toContain('DATA_DIR');
    expect(unknownSettings(image)).toEqual(['PATH', 'HOME']);
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!);
    expect(names).toEqual(['DATA_DIR', 'SECRET_KEY_FILE']);
    expect(unknownSettings(names)).toEqual([]);
  });

  it('pass the API of the default port on', () => {
    const port = SETTINGS['PORT']?.default;
    expect(read('deploy/Caddyfile')).toContain(`reverse_proxy 127.0.0.1:${port} {`);
    expect(read('Dockerfile')).toContain(`EXPOSE ${port}/tcp ${SETTINGS['SIP_PORT']?.default}/tcp`);
  });
});

describe('deploy/cloud-init.yaml', () => {
  it('begins as cloud-init asks', () => {
    expect(read('deploy/cloud-init.yaml').split('\n')[0]).toBe('#cloud-config');
  });

  it('writes the unit and the Caddyfile of this folder', () => {
    expect(written('/etc/systemd/system/callwright.service')).toBe(unit);
    expect(written('/etc/caddy/Caddyfile')).toBe(read('deploy/Caddyfile'));
  });

  it('sets settings that the service has', () => {
    const names = [...written('/etc/callwright/env').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    expect(names).toContain('PUBLIC_URL');
    expect(unknownSettings(names)).toEqual([]);
  });
});

describe('the dashboard for Grafana and the alerts for Prometheus', () => {
  interface Panel {
    readonly id: number;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number };
    readonly targets?: readonly { readonly expr: string }[];
  }
  const { panels } = JSON.parse(read('deploy/grafana/callwright.json')) as { panels: readonly Panel[] };
  const files = ['deploy/grafana/callwright.json', 'deploy/prometheus/alerts.yml'];

  it.each(files)('every metric that %s names is one that the service has', (file) => {
    const own = ['metrics', 'operation-metrics', 'resource-metrics']
      .map((name) => read(`src/app/${name}.ts`))
      .join('\n');
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const known = new Set([
      ...[...own.matchAll(/'(callwright_\w+)'/g)].map(([, name]) => name!),
      ...registry.getMetricsAsArray().map(({ name }) => name),
    ]);
    const named = new Set(read(file).match(/\b(?:callwright|process|nodejs)_\w+/g));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !known.has(name.replace(/_(?:bucket|count)$/, '')))).toEqual([]);
  });

  it('has panels that lie side by side', () => {
    const places = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
    expect(new Set(places).size).toBe(panels.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });
});

describe('the situations of docs/operations.md', () => {
  const page = read('docs/operations.md');
  const table = page.slice(page.indexOf('## By situation'), page.indexOf('## Service'));

  it('have a row for every alert', () => {
    const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/\balert: (\w+)/g)].map(
      ([, name]) => name,
    );
    expect(alerts.length).toBeGreaterThan(10);
    expect(alerts.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const slug = (heading: string): string =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-');
    const links = [...table.matchAll(/\]\(([\w.]*)#([\w-]+)\)/g)];
    const missing = links.filter(([, file, anchor]) => {
      const headings = [...read(`docs/${file || 'operations.md'}`).matchAll(/^#+ (.+)$/gm)];
      return !headings.some(([, heading]) => slug(heading!) === anchor);
    });
    expect(links.length).toBeGreaterThan(10);
    expect(missing.map(([link]) => link)).toEqual([]);
  });
});
