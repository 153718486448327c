/** Reads the report of a test step. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { duplicateTitles } from './test-results.ts';

export interface FileResult {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failures: readonly string[];
}

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly files: readonly FileResult[];
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    /** Unix time in ms. */
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

const ROOT = join(import.meta.dirname, '..');

/** A step that fails without a failed test (a file that does not load, a missing report) counts as one failure. */
export async function readReport(path: string | null, exitCode: number): Promise<StepResult> {
  const none = { passed: 0, failed: exitCode === 0 ? 0 : 1, failures: [], files: [] };
  if (path === null) return none;
  const report = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as Report)
    .catch(() => null);
  if (report === null) return { ...none, failed: 1, failures: ['no report was written'] };
  const failuresOf = (file: Report['testResults'][number]): string[] => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    const name = relative(ROOT, file.name);
    if (failed.length === 0 && file.status === 'failed') return [`${name}\n${file.message}`];
    return [
      ...duplicateTitles(file.assertionResults.map(({ fullName }) => fullName)).map(
        (title) => `${name}: ${title}\nseveral tests have this title`,
      ),
      ...failed.map((test) => `${name}: ${test.fullName}\n${(test.failureMessages ?? []).join('\n')}`),
    ];
  };
  // No test at all is a broken plan.
  const isBroken = report.numPassedTests + report.numFailedTests === 0;
  const files = report.testResults.map((file) => ({
    name: relative(ROOT, file.name),
    seconds: Math.round((file.endTime - file.startTime) / 1000),
    passed: file.assertionResults.filter(({ status }) => status === 'passed').length,
    failures: failuresOf(file),
  }));
  const failures = files.flatMap((file) => file.failures);
  const failed = Math.max(report.numFailedTests, failures.length, exitCode === 0 && !isBroken ? 0 : 1);
  return { passed: report.numPassedTests, failed, failures, files };
}
