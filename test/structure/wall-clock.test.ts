import { expect, it } from 'vitest';
import { productFiles } from './sources.ts';

/**
 * The files that read the wall clock of a host or of the database. Everything else has the time from `ServiceClock`, which a step of
 * a wall clock does not move: leases of jobs, deliveries and chats, idempotency keys, sessions, limits.
 */
const READERS: Readonly<Record<string, string>> = {
  'src/shared/clock.ts': 'the clock of commands and tests',
  'src/shared/service-clock.ts': 'the clock of the service begins with it',
  'src/shared/scratch.ts': 'ages of files, which the host stamps',
  'src/shared/folder-lock.ts': 'a time that people read',
  'src/http/pages/widget-versions.ts': 'ages of files, which the host stamps',
  'src/providers/choose/faults.ts': 'the default of tests',
  'src/store/database.ts': 'the reading that the clock of the service follows',
  'src/store/migrate.ts': 'a time that people read',
  'src/store/sealed-values.ts': 'a time that people read',
  'src/store/backup/load.ts': 'a time that people read',
};

const WALL = /\bDate\.now\b|\bnew Date\(\)|(?<![.\w])now\(\)[ ,)`]|\bcurrent_timestamp\b|\bclock_timestamp\b/;
const SQL_OR_DATE = /\bDate\b|\binsert into\b|\bdefault now\(\)|clock_timestamp|current_timestamp/i;
const readsWallClock = (text: string): boolean =>
  text
    .split('\n')
    .some((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && WALL.test(line) && SQL_OR_DATE.test(line));

it('only these files read a wall clock', () => {
  const found = productFiles()
    .filter(
      ({ file, text }) => file.startsWith('src/') && !file.startsWith('src/cli/') && readsWallClock(text),
    )
    .map(({ file }) => file);
  expect(found.toSorted()).toEqual(Object.keys(READERS).toSorted());
});

it.each([
  ['const at = Date.now();', true],
  ['const now = new Date();', true],
  ['insert into jobs (due_at) values (now())', true],
  ['const at = clock.now();', false],
  ['new Date(clock.now())', false],
  ['  // Date.now() would jump', false],
])('of the line %s it says %s', (line, isReader) => expect(readsWallClock(line)).toBe(isReader));
