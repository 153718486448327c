import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pythonFiles } from '../../scripts/python-sdk.ts';
import type { OpenApi } from '../../src/http/pages/reference/document.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the Python SDK', () => {
  const document = JSON.parse(read('docs/openapi.json')) as OpenApi;
  const files = pythonFiles(document);

  it('is what the OpenAPI document gives (npm run openapi)', () => {
    expect(Object.keys(files)).toHaveLength(4);
    const stale = Object.entries(files).filter(([path, text]) => read(path) !== text);
    expect(stale.map(([path]) => path)).toEqual([]);
  });

  it('has the same methods for both clients, one for each operation and one more for each list', () => {
    const methods = (file: string): string[] =>
      [...(files[`sdk/python/src/callwright/${file}.py`] ?? '').matchAll(/^ {4}(?:async )?def (\w+)/gm)].map(
        ([, name]) => name ?? '',
      );
    expect(methods('client')).toEqual(methods('async_client'));
    expect(methods('client')).toEqual(
      expect.arrayContaining(['place_call', 'list_calls', 'iter_calls', 'iter_agents', 'watch_call']),
    );
    expect(new Set(methods('client')).size).toBe(methods('client').length);
    expect(methods('client')).not.toContain('rotate_key');
  });

  it('names a class for every type that it uses, once', () => {
    const models = files['sdk/python/src/callwright/models.py'] ?? '';
    const defined = [
      ...models.matchAll(/^(?:class )?(\w+)(?:\(TypedDict\):|: TypeAlias| = TypedDict)/gm),
    ].map(([, name]) => name);
    expect(new Set(defined).size).toBe(defined.length);
    const used = [...(files['sdk/python/src/callwright/client.py'] ?? '').matchAll(/models\.(\w+)/g)];
    expect(used.map(([, name]) => name).filter((name) => !defined.includes(name))).toEqual([]);
  });

  it('has one version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const own = version.replace('-rc.', 'rc');
    expect(read('sdk/python/pyproject.toml')).toContain(`version = "${own}"`);
    expect(read('sdk/python/src/callwright/_version.py')).toContain(`VERSION = "${own}"`);
  });
});
