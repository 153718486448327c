/**
 * Runs the test projects of vitest.config.ts: `npm test` and `.ci/run` share this plan. Steps of one stage run side by
 * side, stages one after the other; they mostly wait. Beside the stages, and after them, the steps that only compute run
 * one after the other at a lower priority, so that they take the processor time that is left. Calls in real time are the
 * first stage and have no other step of their priority beside them, which would make audio frames late. What has deadlines
 * of its own begins when the steps that compute have ended.
 *
 *   node scripts/test.ts            what `npm test` runs
 *   node scripts/test.ts --all      what CI runs: in addition the check, started and killed programs, third-party SIP peers,
 *                                   the browser and real weights, each capability in its shortest proof
 *   node scripts/test.ts --nightly  in addition the files `*.nightly.test.ts`, the projects thorough, patient and soak, and
 *                                   the long forms of tests that repeat one proof
 *
 * A file of real processes, calls or peers that failed beside others runs once more, alone, at the end, as a diagnosis: the
 * summary says how it ended, and the failure counts unless scripts/test-results.ts forgives it. A step that prints nothing
 * for minutes hangs: it is killed and runs once more. When the whole run has lasted too long, everything is killed and
 * counts as failed. The last line is `N passed, N failed`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from '../test/helpers/service/compile-cache.ts';
import { planOf, testsOf, type Plan, type Scope, type Step } from './test-plan.ts';
import { givePriority, workOfEnded } from './test-priority.ts';
import { readReport, type FileResult, type StepResult } from './test-report.ts';
import { failuresThatCount } from './test-results.ts';
import { signalGroup, watchedChild, type WatchedChild } from './watched-child.ts';

interface Outcome extends StepResult {
  readonly step: Step;
  readonly seconds: number;
  /** Processor seconds of the step and all that it started; null: the system does not tell them. */
  readonly work: number | null;
  readonly output: string;
}

const SCOPES = new Map<string | undefined, Scope>([
  [undefined, 'daily'],
  ['--all', 'ci'],
  ['--nightly', 'nightly'],
]);
const scope = SCOPES.get(process.argv[2]);
if (scope === undefined) {
  console.error(
    'usage: scripts/test.ts [--all | --nightly]; for single files: npx vitest run --project <name> <files>',
  );
  process.exit(2);
}

/** How many files the summary names, longest first. */
const SLOWEST = 15;
/** The longest file takes five minutes, and its step prints nothing before its end. */
const SILENCE_MS = 12 * 60_000;
/** CI ends everything after 90 minutes, of which the set-up takes some; a night is longer. */
const WHOLE_MS = (scope === 'nightly' ? 240 : 84) * 60_000;
const PROGRESS_MS = 120_000;
const root = join(import.meta.dirname, '..');
const reports = await mkdtemp(join(tmpdir(), 'callwright-reports-'));
const startedAt = performance.now();
/** The steps that run, by their process groups. */
const running = new Map<number, { readonly name: string; readonly since: number }>();
const kills = new Set<WatchedChild['kill']>();
let isLate = false;

/** What runs in them depends on nothing else on the machine: a failure is final. */
const CERTAIN = new Set(['pure', 'structure', 'proofs']);
/** More failed files than this are a defect, not a busy machine. */
const MOST_REPEATED = 12;

/** The service in few files, for the tests that start it. */
function bundleService(): string {
  const folder = 'node_modules/.cache/test-service';
  execFileSync(process.execPath, ['scripts/bundle-program.ts', folder], { cwd: root, stdio: 'inherit' });
  return `${folder}/src/main.js`;
}

/** Runs one step, twice if it hangs; prints its output at once (`isLive`) or when it has ended, so that steps side by side do not mix. */
async function run(step: Step, isLive: boolean): Promise<Outcome> {
  const first = await runOnce(step, isLive);
  if (!first.isKilled || isLate) return first;
  console.log(
    `\n==== ${step.name} printed nothing for ${SILENCE_MS / 60_000} minutes and was killed; it runs once more`,
  );
  return runOnce(step, isLive);
}

async function runOnce(step: Step, isLive: boolean): Promise<Outcome & { readonly isKilled: boolean }> {
  const none = { step, passed: 0, files: [], seconds: 0, work: null, output: '' };
  if (isLate) return { ...none, failed: 1, failures: [`${step.name} was not begun`], isKilled: true };
  const since = performance.now();
  let group: number | null = null;
  let endPriority = (): void => undefined;
  const child = watchedChild(step.command, {
    cwd: root,
    env: {
      ...process.env,
      TEST_SERVICE: service,
      ...COMPILE_CACHE,
      ...(scope === 'nightly' ? { NIGHTLY: '1' } : {}),
      ...(step === plan.proofs ? { TEST_REPORTS: reports } : {}),
    },
    silenceMs: SILENCE_MS,
    onOutput: (chunk) => {
      if (isLive) process.stdout.write(chunk);
    },
    onStart: (pid) => {
      group = pid;
      running.set(pid, { name: step.name, since });
      endPriority = givePriority(pid, step.isComputing === true);
    },
  });
  kills.add(child.kill);
  const { exitCode, output, isKilled } = await child.ended;
  const work = workOfEnded();
  endPriority();
  kills.delete(child.kill);
  if (group !== null) running.delete(group);
  if (!isLive) process.stdout.write(`\n==== ${step.name}\n${output}`);
  const seconds = Math.round((performance.now() - since) / 1000);
  const result = await readReport(step.report, exitCode);
  const failures = isKilled
    ? [`${step.name} was killed after ${seconds} s`, ...result.failures]
    : result.failures;
  return { ...result, failures, step, seconds, work, output, isKilled };
}

/** A file that failed, and how it ended in a run of its own. */
interface Repeat {
  readonly outcome: Outcome;
  readonly file: FileResult;
  readonly alone: Outcome;
}

/** Runs the failed files of the steps whose tests a busy machine may disturb, one after the other. */
async function repeatAlone(first: readonly Outcome[]): Promise<readonly Repeat[]> {
  const failed = first.flatMap((outcome) => {
    const { projects } = outcome.step;
    if (projects.length === 0 || projects.some((project) => CERTAIN.has(project))) return [];
    // An error outside the tests belongs to no file.
    if (outcome.output.includes('Unhandled Error')) return [];
    return outcome.files.filter(({ failures }) => failures.length > 0).map((file) => ({ outcome, file }));
  });
  if (failed.length > MOST_REPEATED) return [];
  const repeated: Repeat[] = [];
  for (const { outcome, file } of failed) {
    const step = testsOf(reports, `${file.name} alone`, outcome.step.projects, [file.name]);
    repeated.push({ outcome, file, alone: await run(step, true) });
  }
  return repeated;
}

/** The outcome without the failures of known flakes that passed alone. */
function counted(outcome: Outcome, repeated: readonly Repeat[]): Outcome {
  const forgiven = repeated
    .filter((repeat) => repeat.outcome === outcome)
    .flatMap(({ file, alone }) => {
      const counting = failuresThatCount(file.failures, alone.failures, Date.now());
      return file.failures.filter((failure) => !counting.includes(failure));
    });
  return {
    ...outcome,
    failed: outcome.failed - forgiven.length,
    failures: outcome.failures.filter((failure) => !forgiven.includes(failure)),
  };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const pid of running.keys()) signalGroup(pid, 'SIGTERM');
    process.exit(1);
  });
}
setTimeout(() => {
  console.log(
    `\n==== not over after ${WHOLE_MS / 60_000} minutes: what still runs is killed and counts as failed`,
  );
  isLate = true;
  for (const kill of kills) kill();
}, WHOLE_MS).unref();
setInterval(() => {
  const now = performance.now();
  const minutes = (since: number): string => `${((now - since) / 60_000).toFixed(0)} min`;
  const steps = [...running.values()].map(({ name, since }) => `${name} (${minutes(since)})`);
  console.log(`---- after ${minutes(startedAt)}: ${steps.join(', ')}`);
}, PROGRESS_MS).unref();

// First of all, since services of the tests serve the dashboard from their bundle.
if (scope !== 'daily') execFileSync('npm', ['run', '--silent', 'build:web'], { cwd: root, stdio: 'inherit' });
const service = bundleService();
workOfEnded();
const plan = planOf(reports, scope);
const beside = plan.beside.map(async (steps) => {
  const ended: Outcome[] = [];
  for (const step of steps) ended.push(await run(step, false));
  return ended;
});
const outcomes: Outcome[] = [];
const runStages = async (stages: Plan['stages']): Promise<void> => {
  for (const stage of stages) {
    outcomes.push(...(await Promise.all(stage.map((step, index) => run(step, index === 0)))));
  }
};
await runStages(plan.stages);
outcomes.push(...(await Promise.all(beside)).flat());
await runStages(plan.after);
outcomes.push(await run(plan.proofs, true));
const repeats = await repeatAlone(outcomes);
await rm(reports, { recursive: true, force: true });

for (const { file, alone } of repeats) {
  const end = alone.failed === 0 ? 'passed alone' : 'failed alone, too';
  console.log(`\n---- failed beside others, ${end}: ${file.name}`);
  console.log(file.failures.join('\n\n'));
}
// Every failure that counts once more, in one place.
const final = outcomes.map((outcome) => counted(outcome, repeats));
for (const { step, failed, failures, output } of final) {
  if (failed === 0) continue;
  console.log(`\n---- failed: ${step.name}`);
  console.log(failures.length > 0 ? failures.join('\n\n') : output.split('\n').slice(-60).join('\n'));
}
console.log();
for (const { step, seconds, work, passed, failed } of final) {
  const count = step.report === null ? '' : `, ${passed} passed`;
  const load = work === null ? '' : `, ${work} s of processor time`;
  console.log(`${step.name}: ${failed === 0 ? 'ok' : 'FAILED'} in ${seconds} s${load}${count}`);
}
for (const { file, alone } of repeats) {
  const end = alone.failed === 0 ? 'passes' : 'FAILS';
  console.log(`failed beside others, ${end} alone in ${alone.seconds} s: ${file.name}`);
}
const slowest = final.flatMap(({ files }) => files).toSorted((a, b) => b.seconds - a.seconds);
console.log(
  `slowest files: ${slowest
    .slice(0, SLOWEST)
    .map(({ name, seconds }) => `${name} ${seconds} s`)
    .join(', ')}`,
);
console.log(`everything: ${Math.round((performance.now() - startedAt) / 1000)} s`);
const passed = final.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = final.reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
