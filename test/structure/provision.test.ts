import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownName } from '../../src/shared/wire-names.ts';
import {
  provisionedSettings,
  provisionedTrunk,
  type ProvisionedTrunk,
} from '../../src/store/json/provisioned-settings.ts';
import { provisionReference } from '../../scripts/provision-reference.ts';
import { ProvisionFile } from '../../src/wire/provision/schema.ts';

describe('docs/provision.md', () => {
  it('is what `node scripts/provision-reference.ts` writes from the schema of the provision file', () => {
    expect(readFileSync('docs/provision.md', 'utf8')).toBe(provisionReference());
  });

  it('describes every key', () => {
    const bare = provisionReference()
      .split('\n')
      .filter((line) => line.startsWith('| `') && /\|\s*(\([^|]*\))?\s*\|$/.test(line));
    expect(bare).toEqual([]);
  });

  it('has a row for every key of a workspace, of a child too', () => {
    const { workspaces } = ProvisionFile.properties;
    const workspace = Object.keys(workspaces.items.properties);
    const child = Object.keys(workspaces.items.properties.children.items.properties);
    expect(child).toEqual(workspace.filter((key) => key !== 'children'));
    const text = provisionReference();
    for (const key of workspace) expect(text).toContain(`| \`${key}\` |`);
  });

  it('names every key that is stored as the settings of workspaces and trunks do', () => {
    const { trunks, workspaces } = ProvisionFile.properties;
    const { limits, circuit_breaker: breaker } = workspaces.items.properties;
    const own = (keys: object) => Object.fromEntries(Object.keys(keys).map((key) => [ownName(key), 1]));
    const stored = provisionedSettings.write({
      limits: own(limits.properties),
      circuitBreaker: own(breaker.properties),
    });
    expect(Object.keys(stored.limits ?? {})).toEqual(Object.keys(limits.properties));
    expect(Object.keys(stored.circuit_breaker ?? {})).toEqual(Object.keys(breaker.properties));
    const trunk = provisionedTrunk.write(own(trunks.items.properties) as unknown as ProvisionedTrunk);
    expect(Object.keys(trunk)).toEqual(Object.keys(trunks.items.properties));
  });
});
