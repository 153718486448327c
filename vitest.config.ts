import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { LongestFirst } from './scripts/test-sequence.ts';
import { IS_NIGHTLY } from './test/helpers/service/nightly.ts';

/** A machine that is busy with other tests may take longer than the second that vitest waits. */
const POLLED = { poll: { timeout: 60_000 } };

/** Draws the cases of property tests. */
const SETUP = { setupFiles: ['test/helpers/seeds.ts'] };

/** Vitest runs the long proofs with NIGHTLY=1 only, or when its command names one. */
const NIGHTLY_FILES = '**/*.nightly.test.ts';
const areNightlyLeftOut = !IS_NIGHTLY && !process.argv.some((argument) => argument.includes('.nightly'));
const EXCLUDED = [...configDefaults.exclude, ...(areNightlyLeftOut ? [NIGHTLY_FILES] : [])];

/** One PostgreSQL for each project, a fresh database for each file. */
const withDatabase = {
  globalSetup: ['test/helpers/database/postgres-global.ts'],
  pool: 'forks' as const,
  expect: POLLED,
  ...SETUP,
};

/** Their tests wait for half of the time, so that three workers fill two cores. */
const MORE_WORKERS = 3;

/** The tests of `test/<name>/`. Projects of one `groupOrder` run side by side. */
const project = (
  name: string,
  groupOrder: number,
  options: { maxWorkers: number; isolate?: false; timeout?: number },
): TestProjectConfiguration => ({
  test: {
    ...withDatabase,
    name,
    sequence: { groupOrder },
    include: [`test/${name}/**/*.test.ts`],
    exclude: EXCLUDED,
    maxWorkers: options.maxWorkers,
    ...(options.isolate === undefined ? {} : { isolate: options.isolate }),
    ...(options.timeout === undefined ? {} : { testTimeout: options.timeout, hookTimeout: options.timeout }),
  },
});

/** No I/O, in threads without isolation. */
const withoutDatabase = (name: string, groupOrder: number, folders: readonly string[]) => ({
  test: {
    name,
    sequence: { groupOrder },
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    pool: 'threads' as const,
    isolate: false,
    expect: POLLED,
    ...SETUP,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

// The folder is the project; scripts/test.ts decides which projects run together.
export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    // A failure says all that it found.
    chaiConfig: { truncateThreshold: 2000 },
    // Each call starts with a burst of work, which would delay the frames of too many parallel calls.
    maxConcurrency: 2,
    projects: [
      // Beside the code they test.
      withoutDatabase('pure', 0, ['src', 'web/src', 'packages', 'test/fuzz', 'test/rigs']),
      // Rules about the source tree.
      withoutDatabase('structure', 1, ['test/structure']),
      // Real database and sockets, processor-bound. Each worker loads the program's modules once instead of once per file.
      project('system', 2, { maxWorkers: MORE_WORKERS, isolate: false, timeout: 180_000 }),
      // Ten seconds to a minute each: many voices, every schema, large files, thousands of orders of events.
      project('thorough', 2, { maxWorkers: MORE_WORKERS, isolate: false, timeout: 180_000 }),
      // Calls in real time whose audio is checked: a busy processor makes frames late, so they run alone.
      project('calls', 3, { maxWorkers: 2, timeout: 240_000 }),
      // The same with third-party SIP peers, which `setup.sh --test-peers` installs.
      project('interop', 3, { maxWorkers: 2, timeout: 240_000 }),
      // Minutes of waiting.
      project('patient', 4, { maxWorkers: 1, timeout: 240_000 }),
      // Whole programs started and killed: long, mostly waiting.
      project('processes', 5, { maxWorkers: MORE_WORKERS, timeout: 600_000 }),
      // The same with third-party SIP peers. Runs beside the project above, and ends before it.
      project('interop-processes', 6, { maxWorkers: 1, timeout: 600_000 }),
      // Hundreds of calls through one program, which must leave no memory, port or timer behind.
      project('soak', 6, { maxWorkers: 2, timeout: 180_000 }),
      // What the other projects' reports prove; scripts/test.ts runs it last.
      withoutDatabase('proofs', 9, ['test/proofs']),
      // The dashboard in Debian's Chromium.
      project('browser', 8, { maxWorkers: 2, timeout: 240_000 }),
      // The same with its sound, which the browser mixes on the processor.
      project('browser-audio', 8, { maxWorkers: 1, timeout: 240_000 }),
      // Real weights, in MODELS_DIR.
      project('models', 9, { maxWorkers: 1, timeout: 240_000 }),
      // The adapters of recognisers and voices with real servers, which `scripts/model-servers.ts` installs.
      project('model-servers', 9, { maxWorkers: 1, timeout: 600_000 }),
      // Longer forms of other tests, before a release.
      project('release', 9, { maxWorkers: 1, timeout: 240_000 }),
    ],
  },
});
