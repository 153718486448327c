import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { STATEMENTS } from '../statements/all.ts';
import { unproved, type KnownTest } from '../statements/proofs.ts';

/*
 * Statements of the interface document that another test proves. The reports of vitest say which tests ran and passed:
 * scripts/test.ts runs this project after all others and names the folder of their reports. A text search, as before,
 * also found titles of tests that fail, are skipped or stand in a comment. Without reports, and for files of projects
 * that are not in the run, vitest itself lists the titles.
 */
const root = join(import.meta.dirname, '../..');
const reports = process.env['TEST_REPORTS'];
const PROOFS = STATEMENTS.flatMap(({ elsewhere }) => (elsewhere === undefined ? [] : [elsewhere]));
const fileOf = (proof: string): string => proof.split(' > ')[0] ?? '';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const reported = (folder: string): readonly KnownTest[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report)
    .flatMap(({ testResults }) => testResults)
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status }) => ({
        file: relative(root, name),
        name: fullName,
        status,
      })),
    );

/** The tests of these files, which vitest collects and does not run. */
function listed(files: readonly string[]): readonly KnownTest[] {
  if (files.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'callwright-titles-'));
  try {
    const path = join(folder, 'list.json');
    const env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))),
      NIGHTLY: '1',
    };
    execFileSync('npx', ['vitest', 'list', ...files, `--json=${path}`], { cwd: root, env, stdio: 'pipe' });
    const tests = JSON.parse(readFileSync(path, 'utf8')) as readonly { name: string; file: string }[];
    return tests.map(({ name, file }) => ({ file: relative(root, file), name, status: null }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('every statement that is proved elsewhere has a proof that passed', () => {
  const ran = reports === undefined ? [] : reported(reports);
  const hasRun = new Set(ran.map(({ file }) => file));
  const files = [...new Set(PROOFS.map(fileOf))];
  expect(PROOFS.length).toBeGreaterThan(0);
  expect(unproved(PROOFS, ran, listed(files.filter((file) => !hasRun.has(file))))).toEqual([]);
}, 300_000);
