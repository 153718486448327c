import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../shared/version.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Such as `1.0.0-rc.1 (2f6a1c9d)`: the version, and the commit where it is known. */
export function versionLine(root: string = ROOT): string {
  const commit = builtFrom(root) ?? checkedOut(root);
  return commit === null ? VERSION : `${VERSION} (${commit.slice(0, 8)})`;
}

/** The commit that the bundle was built from: `gitHead` of its package.json. */
function builtFrom(root: string): string | null {
  const { gitHead } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { gitHead?: string };
  return gitHead ?? null;
}

function checkedOut(root: string): string | null {
  if (!existsSync(join(root, '.git'))) return null;
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}
