import { defineConfig } from 'vitest/config';

/** They hold calls in real time and check the audio: a busy processor makes frames late, so they run alone. */
const CALLS = [
  'call-outcomes',
  'child-first-call',
  'demo-agent',
  'fallback-call',
  'first-call',
  'inbound',
  'knowledge-calls',
  'listening',
  'rtp-leg',
  'sip-planes',
  'sip-tcp',
  'sip-udp',
  'stalled-api',
  'tools-calls',
  'transfer-inbound',
  'transfer-warm',
  'vendor-fallback',
  'vendor-waits',
  'web-calls',
].map((name) => `test/system/${name}.test.ts`);

/** They start and kill whole programs: long, mostly waiting, and without audio that must be on time. */
const PROCESSES = [
  'backup',
  'backup-keys',
  'campaign-terminate',
  'crash',
  'data-owner',
  'disk',
  'disk-shared',
  'doc-examples',
  'erasure-everywhere',
  'fence-split',
  'free-ports',
  'hostile-addresses',
  'hung-database',
  'mute-voices',
  'frozen',
  'post-call-crash',
  'privacy',
  'recordings-crash',
  'roles-split',
  'silent-trunk',
  'split-probes',
  'secret-files',
  'secret-key',
  'start',
  'stop',
  'talk-crash',
  'trunk-reload',
  'upgrade',
  'whatsapp-crash',
].map((name) => `test/system/${name}.test.ts`);

/** Ten seconds to a minute each: many voices, every schema, large files, thousands of orders of events. */
const THOROUGH = [
  'api-history-export',
  'api-horrors',
  'api-knowledge-sources',
  'api-schemas',
  'campaign-model',
  'campaign-upload-crash',
  'campaign-upload-memory',
  'claim-hints',
  'embedded',
  'greetings',
  'knowledge-extract',
  'knowledge-meaning',
  'speech',
  'test-carrier',
  'tools-in-conversation',
  'vendor-keys',
  'webhooks-crash',
].map((name) => `test/system/${name}.test.ts`);

/** The same with third-party SIP peers, which `setup.sh --test-peers` installs. */
const INTEROP_PROCESSES = ['campaign-terminate', 'chaos', 'clock', 'nat'].map(
  (name) => `test/interop/${name}.test.ts`,
);

/** Hundreds of calls through one program, which must leave no memory, port or timer behind; a thousand in the nightly run. */
const SOAK = ['test/system/soak.test.ts'];

/** One PostgreSQL for each project, a fresh database for each file. */
const withDatabase = {
  globalSetup: ['test/helpers/postgres-global.ts'],
  pool: 'forks' as const,
  // A machine that is busy with other tests may take longer than the second that vitest waits.
  expect: { poll: { timeout: 20_000 } },
};

/** Their tests wait for half of the time, so that three workers fill two cores. */
const MORE_WORKERS = 3;

// pure: no I/O, threads without isolation. structure: rules about the source tree. system: real database and sockets,
// processor-bound; thorough: the longest of them. processes: whole programs started and killed (interop-processes: with
// third-party peers). calls and interop: calls in real time, the latter with third-party SIP peers. browser: the
// dashboard in Debian's Chromium. soak and patient: minutes long. release: longer forms of other tests, before a release.
// scripts/test.ts decides which projects run together.
export default defineConfig({
  test: {
    reporters: ['default'],
    // Each call starts with a burst of work, which would delay the frames of too many parallel calls.
    maxConcurrency: 2,
    projects: [
      {
        test: {
          name: 'pure',
          sequence: { groupOrder: 0 },
          include: ['src', 'web/src', 'packages/*', 'test/fuzz', 'test/rigs'].map(
            (folder) => `${folder}/**/*.test.ts`,
          ),
          pool: 'threads',
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'structure',
          sequence: { groupOrder: 1 },
          include: ['test/structure/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'system',
          sequence: { groupOrder: 2 },
          include: ['test/system/**/*.test.ts'],
          exclude: [...CALLS, ...PROCESSES, ...THOROUGH, ...SOAK],
          // Each worker loads the program's modules once instead of once per file.
          isolate: false,
          maxWorkers: MORE_WORKERS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'thorough',
          // Together with `system`: none waits for the last file of the other.
          sequence: { groupOrder: 2 },
          include: THOROUGH,
          isolate: false,
          maxWorkers: MORE_WORKERS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'processes',
          sequence: { groupOrder: 5 },
          include: PROCESSES,
          // Three would take more connections than their PostgreSQL has, and starve what runs beside them.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'interop-processes',
          sequence: { groupOrder: 6 },
          include: INTEROP_PROCESSES,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'browser',
          sequence: { groupOrder: 8 },
          include: ['test/browser/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'calls',
          sequence: { groupOrder: 3 },
          include: CALLS,
          maxWorkers: MORE_WORKERS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'interop',
          sequence: { groupOrder: 3 },
          include: ['test/interop/**/*.test.ts'],
          exclude: INTEROP_PROCESSES,
          maxWorkers: MORE_WORKERS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'soak',
          sequence: { groupOrder: 6 },
          include: SOAK,
          // As `interop-processes`, beside which it runs.
          maxWorkers: 2,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'patient',
          sequence: { groupOrder: 4 },
          include: ['test/patient/**/*.test.ts'],
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'release',
          sequence: { groupOrder: 9 },
          include: ['test/release/**/*.test.ts'],
          maxWorkers: 1,
        },
      },
    ],
  },
});
