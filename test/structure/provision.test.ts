import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { provisionReference } from '../../scripts/provision-reference.ts';
import { ProvisionFile } from '../../src/domain/provision/provision-schema.ts';

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
});
