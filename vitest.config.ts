import { defineConfig } from 'vitest/config';

/** They hold calls in real time and listen: late frames are heard, so nothing else may run beside them. */
const CALLS = [
  'answer',
  'background',
  'call-outcomes',
  'caller-wishes',
  'first-call',
  'greetings',
  'inbound',
  'knowledge-calls',
  'rtp-leg',
  'sip-sockets',
  'test-carrier',
  'tools-calls',
  'transfer-inbound',
  'transfer-warm',
].map((name) => `test/system/${name}.test.ts`);

/** They start, kill and wait for whole processes: long, but hardly work, and nobody listens closely. */
const PROCESSES = [
  'campaign-terminate',
  'crash',
  'disk',
  'disk-shared',
  'erasure-everywhere',
  'free-ports',
  'hostile-addresses',
  'frozen',
  'post-call-crash',
  'privacy',
  'recordings-crash',
  'roles-split',
  'silent-trunk',
  'secret-key',
  'start',
  'talk-crash',
].map((name) => `test/system/${name}.test.ts`);
/** The same beside third-party peers, which are not part of the plain set-up. */
const INTEROP_PROCESSES = ['campaign-terminate', 'chaos', 'clock'].map(
  (name) => `test/interop/${name}.test.ts`,
);

/** One PostgreSQL for each project, a fresh database for each file. */
const withDatabase = {
  globalSetup: ['test/helpers/postgres-global.ts'],
  pool: 'forks' as const,
};

// pure: no I/O, threads without isolation; system: real database and sockets, work for the processor; processes: whole
// programs started and killed, some beside peers (interop-processes); calls and interop: calls in real time, the latter against third-party SIP peers; patient:
// minutes of waiting; structure: rules about the source tree itself. Files of `calls` and `interop` run side by side.
export default defineConfig({
  test: {
    reporters: ['default'],
    // Calls side by side begin with a burst of work each, which is heard in the others when it is too much.
    maxConcurrency: 2,
    projects: [
      {
        test: {
          name: 'pure',
          sequence: { groupOrder: 0 },
          include: ['src/**/*.test.ts'],
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
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'system',
          sequence: { groupOrder: 2 },
          include: ['test/system/**/*.test.ts'],
          exclude: [...CALLS, ...PROCESSES],
          // The program's modules are read once for each worker instead of once for each file.
          isolate: false,
          maxWorkers: 2,
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
          maxWorkers: 1,
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
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'calls',
          sequence: { groupOrder: 3 },
          include: CALLS,
          maxWorkers: 2,
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
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
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
    ],
  },
});
