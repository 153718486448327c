import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Campaigns at full size: `upload` (a contact list from the request to the queue), `claims` (claiming queued calls within
 * every limit), or both by default. Further arguments are passed to the named part.
 */
const PARTS = ['upload', 'claims'] as const;
const [name, ...rest] = process.argv.slice(2);
const named = PARTS.find((part) => part === name);
if (name !== undefined && named === undefined && !name.startsWith('--')) {
  throw new Error(`bench:campaign: unknown part ${name}; use ${PARTS.join(' or ')}`);
}
const args = named === undefined ? process.argv.slice(2) : rest;
for (const part of named === undefined ? PARTS : [named]) {
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, `campaign/${part}.ts`), ...args],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}
