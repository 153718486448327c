import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pendingMigrations } from '../migrate.ts';
import { isTransient } from '../transient.ts';
import { parsePostmasterFile } from './postmaster.ts';
import { accountsOf, wrap } from './run-as.ts';

describe('postmaster.pid', () => {
  const text = '4711\n/data/cluster\n1767607200\n54321\n/data\n127.0.0.1\n  1234567   0\nready   \n';
  it('is parsed', () => expect(parsePostmasterFile(text)).toEqual({ pid: 4711, port: 54_321, ready: true }));
  it('of a starting server has no port', () => {
    expect(parsePostmasterFile('4711\n/data/cluster\n')).toEqual({ pid: 4711, port: null, ready: false });
  });
  it.each(['', '0\n', '1\n', '-5\n', 'abc\n', '1.5\n'])('%j is rejected', (bad) =>
    expect(parsePostmasterFile(bad)).toBeNull(),
  );
  it('parses any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        const parsed = parsePostmasterFile(any);
        expect(parsed === null || parsed.pid > 1).toBe(true);
      }),
    );
  });
});

describe('running as another user', () => {
  it('lists named accounts except root', () => {
    expect(accountsOf('root:x:0:0::/root:/bin/sh\npostgres:x:101:104:::\n\nbroken\n+::::\n')).toEqual([
      { name: 'postgres', uid: 101, gid: 104 },
    ]);
  });
  it('wraps a program in unshare only for a user namespace', () => {
    expect(wrap({ kind: 'namespace', uid: 101 }, 'postgres', ['-D', 'x'])).toEqual([
      'unshare',
      ['--user', '--map-user=101', '--map-group=101', 'postgres', '-D', 'x'],
    ]);
    expect(wrap({ kind: 'self' }, 'postgres', ['-D', 'x'])).toEqual(['postgres', ['-D', 'x']]);
  });
});

describe('migrations', () => {
  const files = ['0001_a.sql', '0002_b.sql'].map((name) => ({ name, sql: '', checksum: `sum of ${name}` }));
  it('excludes applied migrations', () => {
    expect(pendingMigrations(files, []).map((file) => file.name)).toEqual(['0001_a.sql', '0002_b.sql']);
    expect(pendingMigrations(files, files.slice(0, 1)).map((file) => file.name)).toEqual(['0002_b.sql']);
  });
  it('rejects edited and unknown migrations', () => {
    expect(() => pendingMigrations(files, [{ name: '0001_a.sql', checksum: 'other' }])).toThrow(
      /0001_a.sql differs/,
    );
    expect(() => pendingMigrations(files, [{ name: '0009_z.sql', checksum: '' }])).toThrow(/does not know/);
  });
});

describe('transient failures', () => {
  const coded = (code: string): Error => Object.assign(new Error('x'), { code });
  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300', '40P01', '25P03'])(
    '%s is retryable',
    (code) => expect(isTransient(coded(code))).toBe(true),
  );
  it.each(['23505', '42P01', '22P02', ''])('%j is permanent', (code) =>
    expect(isTransient(coded(code))).toBe(false),
  );
  it('a connection terminated by the server is retryable', () => {
    expect(isTransient(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isTransient('text')).toBe(false);
  });
});
