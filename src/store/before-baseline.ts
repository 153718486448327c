import { createHash } from 'node:crypto';

interface Applied {
  readonly name: string;
  readonly checksum: string;
}

/** `0001_baseline.sql` replaced the 81 migrations of the development versions, from this one to `0167_webhook_recovery.sql`. */
const FIRST = '0001_init.sql';
/** SHA-256 of the lines `<name> <checksum>` of all 81, in order. */
const ALL = 'aa41577ed85f402fb7eb6d2af7a01438e9000e51df95ff9d7af4aacc312d2a11';
/** The last commit that has the 81 migrations. */
const COMMIT = '768efba6';

/**
 * Whether a database with these migrations has the schema of the baseline without its row in `migrations`. Throws if it has
 * only some of the migrations that the baseline replaced.
 */
export function isBeforeBaseline(applied: readonly Applied[]): boolean {
  if (!applied.some(({ name }) => name === FIRST)) return false;
  const lines = applied.map(({ name, checksum }) => `${name} ${checksum}`).sort();
  if (createHash('sha256').update(lines.join('\n')).digest('hex') === ALL) return true;
  const last = applied
    .map(({ name }) => name)
    .sort()
    .at(-1);
  throw new Error(
    `The database is of an earlier development version (its last migration is ${last}). Start commit ${COMMIT} on it once, ` +
      'which completes its schema, then this version.',
  );
}
