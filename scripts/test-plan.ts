/** What the tests run, and what runs beside what; scripts/test.ts runs it. */
import { join } from 'node:path';

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly projects: readonly string[];
  /** The report that vitest writes; null: the step is no test run. */
  readonly report: string | null;
  /** It has a lower priority than others, because it keeps a processor busy and nothing in it must be on time. */
  readonly isComputing?: boolean;
}

export interface Plan {
  /** Lists of steps that run beside the stages, the steps of a list one after the other. */
  readonly beside: readonly (readonly Step[])[];
  /** Steps of one stage run side by side, stages one after the other. */
  readonly stages: readonly (readonly Step[])[];
  /** The same once the stages and what runs beside them have ended. */
  readonly after: readonly (readonly Step[])[];
  /** Runs when all others have ended: it reads their reports. */
  readonly proofs: Step;
}

/** One vitest process for some files of these projects; `reports` is the folder of its report. */
export function testsOf(
  reports: string,
  name: string,
  projects: readonly string[],
  files: readonly string[] = [],
): Step {
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

const computing = (...steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => ({ ...step, isComputing: true }));

/** `daily`: what `npm test` runs; `ci`: each capability in its shortest proof; `nightly`: everything in its long form. */
export type Scope = 'daily' | 'ci' | 'nightly';

export function planOf(reports: string, scope: Scope): Plan {
  const tests = (...projects: readonly string[]): Step => testsOf(reports, projects.join('+'), projects);
  const proofs = tests('proofs');
  if (scope === 'daily') {
    return {
      beside: [computing(tests('pure'), tests('system'))],
      stages: [[tests('calls')]],
      after: [],
      proofs,
    };
  }
  const check: Step = {
    name: 'check',
    command: ['npm', 'run', '--silent', 'check:built'],
    projects: [],
    report: null,
  };
  // Programs that start and die have deadlines of their own, which a busy processor would let pass.
  const programs = [tests('processes')];
  // How soon audio follows a change of the network is measured in packets.
  const networks = [tests('interop-processes')];
  // Real weights take a whole core for a moment.
  const models = [tests('models')];
  // Two browsers at once on two cores leave holes in what a page plays.
  const sound = [tests('browser-audio')];
  if (scope === 'ci') {
    return {
      beside: [computing(tests('pure'), check)],
      stages: [[tests('calls', 'interop')], [tests('browser')]],
      // `system` waits for vendors as long as a call does, which a low priority beside browsers would let pass.
      after: [programs, networks, models, sound, [tests('system')]],
      proofs,
    };
  }
  return {
    // `patient` takes five minutes of waiting, hardly any work.
    beside: [computing(tests('pure'), check), [tests('patient')]],
    stages: [[tests('calls', 'interop')], [tests('browser'), tests('soak')]],
    // Some of the thorough tests compare times, which a low priority beside other stages would spoil.
    after: [programs, networks, models, sound, [tests('system', 'thorough')]],
    proofs,
  };
}
