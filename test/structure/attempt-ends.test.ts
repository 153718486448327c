import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
/** The statements that release or end an attempt. */
const ENDS = ['endAttempt', 'moveCall', 'chargeAttempt', 'releaseAttempt', 'endCalls'];

it('lets only domain/calls/attempt release or end an attempt', () => {
  const importers = sources.filter(({ text }) =>
    [...text.matchAll(/import \{([^}]*)\} from '[^']*store\/calls\/attempts\.ts'/g)].some(([, names = '']) =>
      names.split(',').some((name) => ENDS.includes(name.trim())),
    ),
  );
  expect(importers.length).toBeGreaterThan(2);
  const elsewhere = importers.filter(({ file }) => !file.startsWith('domain/calls/attempt/'));
  expect(elsewhere.map(({ file }) => file)).toEqual([]);
});

it('lets only the store’s claim, release and settlement statements write a call’s status', () => {
  const writers = sources.filter(({ text }) => /update calls\b[^`]*?\bset status =/s.test(text));
  expect(writers.map(({ file }) => file).sort()).toEqual([
    'store/calls/attempts.ts',
    'store/scheduler/batch.ts',
  ]);
});

it('defines the lifetime of a dial permit once', () => {
  const definitions = sources.filter(({ text }) => /const \w*(PERMIT|INVITE_WITHIN)_MS = \d/.test(text));
  expect(definitions.map(({ file }) => file)).toEqual(['domain/calls/attempt/dial.ts']);
  // The two users of a permit, and the code that waits for permits to expire.
  expect(
    sources
      .filter(({ text }) => text.includes('DIAL_PERMIT_MS'))
      .map(({ file }) => file)
      .sort(),
  ).toEqual([
    'dialer/outbound.ts',
    'dialer/warm-transfer.ts',
    'domain/calls/attempt/dial.ts',
    'domain/calls/stop-queued.ts',
  ]);
});
