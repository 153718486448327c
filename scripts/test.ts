/**
 * Runs the test projects of vitest.config.ts: `npm test` and `.ci/run` share this plan. Steps of one stage run side by
 * side, stages one after the other; they mostly wait. Beside the stages, and after them, the steps that only compute run
 * one after the other at a lower priority, so that they take the processor time that is left. Calls in real time are the
 * first stage and have no other step of their priority beside them, which would make audio frames late.
 *
 *   node scripts/test.ts        what `npm test` runs
 *   node scripts/test.ts --all  what CI runs: in addition the check, the thorough tests, killed programs, third-party SIP
 *                               peers, the browser and the long-running tests
 *
 * A file of real processes, calls or peers that failed beside others runs once more, alone, at the end, as a diagnosis: the
 * summary says how it ended, and the failure counts unless scripts/test-results.ts forgives it. The last line is `N passed, N failed`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { duplicateTitles, failuresThatCount } from './test-results.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly projects: readonly string[];
  /** The report that vitest writes; null: the step is no test run. */
  readonly report: string | null;
  /** It has a lower priority than others, because it keeps a processor busy and nothing in it must be on time. */
  readonly isComputing?: boolean;
}

interface Outcome {
  readonly step: Step;
  readonly exitCode: number;
  readonly seconds: number;
  /** Processor seconds of the step and all that it started; null: the system does not tell them. */
  readonly work: number | null;
  readonly output: string;
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly files: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failures: readonly string[];
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

interface Plan {
  /** Lists of steps that run beside the stages, the steps of a list one after the other. */
  readonly beside: readonly (readonly Step[])[];
  readonly stages: readonly (readonly Step[])[];
}

const [flag] = process.argv.slice(2);
if (flag !== undefined && flag !== '--all') {
  console.error('usage: scripts/test.ts [--all]; for single files: npx vitest run --project <name> <files>');
  process.exit(2);
}

/** How many files the summary names, longest first. */
const SLOWEST = 15;
const root = join(import.meta.dirname, '..');
const reports = await mkdtemp(join(tmpdir(), 'callwright-reports-'));
const children = new Set<number>();

/** One vitest process for these projects, or for some of their files. */
function tests(...projects: readonly string[]): Step {
  return testsOf(projects.join('+'), projects);
}

function testsOf(name: string, projects: readonly string[], files: readonly string[] = []): Step {
  const report = join(reports, `${name.replaceAll('/', '-')}.json`);
  return {
    name,
    projects,
    report,
    command: [
      'npx',
      'vitest',
      'run',
      ...files,
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
  };
}

const check: Step = {
  name: 'check',
  command: ['npm', 'run', '--silent', 'check:built'],
  projects: [],
  report: null,
};
/** Runs when all others have ended: it reads their reports. */
const PROOFS = tests('proofs');
/** What runs in them depends on nothing else on the machine: a failure is final. */
const CERTAIN = new Set(['pure', 'structure', 'proofs']);
/** More failed files than this are a defect, not a busy machine. */
const MOST_REPEATED = 12;
/**
 * Nice values of a step: steps that only compute leave most of a busy processor to calls in real time, so that audio frames
 * are seldom late. Where this user may raise a priority, calls are raised, also above other programs of the machine.
 */
const LOW = 8;
const HIGH = -10;
const mayRaise = existsSync('/proc/self/autogroup') && triesToRaise();

const computing = (...steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => ({ ...step, isComputing: true }));

const QUICK: Plan = {
  beside: [computing(tests('pure'), tests('system'))],
  stages: [[tests('calls')]],
};
const ALL: Plan = {
  // `patient` takes five minutes of waiting, hardly any work.
  beside: [computing(tests('pure'), check), [tests('patient')]],
  stages: [
    [tests('calls', 'interop')],
    // Programs that start and die have their own deadlines: the tests of the database would make them late.
    [tests('processes'), tests('interop-processes')],
    // Real weights take a whole core for a moment.
    [tests('models')],
    [tests('soak')],
    [tests('browser')],
    // Two browsers at once on two cores leave holes in what a page plays.
    [tests('browser-audio')],
    [tests('system', 'thorough')],
  ],
};

/** The service in few files, for the tests that start it. */
function bundleService(): string {
  const folder = 'node_modules/.cache/test-service';
  execFileSync(process.execPath, ['scripts/bundle-program.ts', folder], { cwd: root, stdio: 'inherit' });
  return `${folder}/src/main.js`;
}

/** Runs one step; prints its output at once (`isLive`) or when it has ended, so that steps side by side do not mix. */
function run(step: Step, isLive: boolean): Promise<Outcome> {
  const startedAt = performance.now();
  const [program = '', ...args] = step.command;
  // A separate process group, so that a kill also ends the step's children.
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, TEST_SERVICE: service, ...(step === PROOFS ? { TEST_REPORTS: reports } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) children.add(pid);
  if (pid !== undefined) givePriority(pid, step.isComputing === true);
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      parts.push(chunk);
      if (isLive) process.stdout.write(chunk);
    });
  }
  return new Promise((resolve) => {
    let work: number | null = null;
    const end = async (exitCode: number): Promise<void> => {
      if (pid !== undefined) children.delete(pid);
      const output = Buffer.concat(parts).toString();
      if (!isLive) process.stdout.write(`\n==== ${step.name}\n${output}`);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      resolve({ step, exitCode, seconds, work, output, ...(await readReport(step.report, exitCode)) });
    };
    child.once('error', () => void end(1));
    // Not `close`: a process that the step leaves behind may keep its pipes open.
    child.once('exit', (code) => {
      work = workOfEnded();
      void drained(child).then(() => end(code ?? 1));
    });
  });
}

let workSoFar = 0;
/** Processor seconds of the child that has just ended and of its descendants: Linux adds them to its parent at that moment. */
function workOfEnded(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    // User and system time of ended children (proc(5): cutime, cstime), in hundredths of a second.
    const all = (Number(fields[13]) + Number(fields[14])) / 100;
    const work = Math.round(all - workSoFar);
    workSoFar = all;
    return work;
  } catch {
    return null;
  }
}

/** Whether this user may give a process a higher priority. */
function triesToRaise(): boolean {
  const usual = getPriority();
  try {
    setPriority(usual - 1);
    setPriority(usual);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sets the priority of a new process and of all that it starts. Linux schedules every session as a group, whose priority is
 * another one; elsewhere the priority of the process counts. The processes of a raised group keep their own order.
 */
function givePriority(pid: number, isComputing: boolean): void {
  if (mayRaise === isComputing) return;
  try {
    if (isComputing) setPriority(pid, LOW);
    writeFileSync(`/proc/${pid}/autogroup`, String(isComputing ? LOW : HIGH));
  } catch {
    // The process has ended, or the system has no such groups.
  }
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
    const step = testsOf(`${file.name} alone`, outcome.step.projects, [file.name]);
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

/** Resolves when all output has been read, after five seconds at the latest. */
function drained(child: ChildProcess): Promise<unknown> {
  return Promise.race([
    new Promise((resolve) => child.once('close', resolve)),
    new Promise((resolve) => setTimeout(resolve, 5000).unref()),
  ]);
}

/** A step that fails without a failed test (a file that does not load, a missing report) counts as one failure. */
async function readReport(
  path: string | null,
  exitCode: number,
): Promise<Pick<Outcome, 'passed' | 'failed' | 'failures' | 'files'>> {
  const none = { passed: 0, failed: exitCode === 0 ? 0 : 1, failures: [], files: [] };
  if (path === null) return none;
  const report = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as Report)
    .catch(() => null);
  if (report === null) return { ...none, failed: 1, failures: ['no report was written'] };
  const failuresOf = (file: Report['testResults'][number]): string[] => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    const name = relative(root, file.name);
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
    name: relative(root, file.name),
    seconds: Math.round((file.endTime - file.startTime) / 1000),
    passed: file.assertionResults.filter(({ status }) => status === 'passed').length,
    failures: failuresOf(file),
  }));
  const failures = files.flatMap((file) => file.failures);
  const failed = Math.max(report.numFailedTests, failures.length, exitCode === 0 && !isBroken ? 0 : 1);
  return { passed: report.numPassedTests, failed, failures, files };
}

function endChildren(): void {
  for (const pid of children) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // It has ended by itself.
    }
  }
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endChildren();
    process.exit(1);
  });
}

const startedAt = performance.now();
// First of all, since services of the tests serve the dashboard from their bundle.
if (flag === '--all') execFileSync('npm', ['run', '--silent', 'build:web'], { cwd: root, stdio: 'inherit' });
const service = bundleService();
workOfEnded();
const plan = flag === '--all' ? ALL : QUICK;
const beside = plan.beside.map(async (steps) => {
  const ended: Outcome[] = [];
  for (const step of steps) ended.push(await run(step, false));
  return ended;
});
const outcomes: Outcome[] = [];
for (const stage of plan.stages) {
  outcomes.push(...(await Promise.all(stage.map((step, index) => run(step, index === 0)))));
}
outcomes.push(...(await Promise.all(beside)).flat());
outcomes.push(await run(PROOFS, true));
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
