/**
 * Checks the packages that the program runs with against the advisories of the configured registry: `node
 * scripts/advisories.ts`. A high or critical one fails. Where the registry gives no answer, as without a network, it prints
 * that nothing was checked, and passes.
 */
import { spawnSync } from 'node:child_process';
import { readAdvisories } from './advisory-report.ts';

const LIMIT_MS = 30_000;
const audit = spawnSync(
  'npm',
  ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=10000'],
  { encoding: 'utf8', timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 },
);
const report = readAdvisories(audit.stdout ?? '');
if (!report.known) {
  console.log(`advisories: not checked, because the registry gave no answer (${report.reason})`);
} else if (report.serious.length === 0) {
  console.log(`advisories: none that is high or critical; ${report.others} others`);
} else {
  for (const line of report.serious) console.error(`advisories: ${line}`);
  process.exitCode = 1;
}
