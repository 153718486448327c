import { defineConfig } from 'vitest/config';

/** They hold calls in real time or wait for processes: hardly any work for long, and late frames are heard. */
const CALLS = [
  'answer',
  'background',
  'call-outcomes',
  'caller-wishes',
  'campaign-terminate',
  'crash',
  'disk',
  'erasure-everywhere',
  'first-call',
  'greetings',
  'inbound',
  'knowledge-calls',
  'post-call-crash',
  'privacy',
  'recordings-crash',
  'roles-split',
  'rtp-leg',
  'sip-sockets',
  'start',
  'test-carrier',
  'tools-calls',
  'transfer-inbound',
  'transfer-warm',
].map((name) => `test/system/${name}.test.ts`);

/** One PostgreSQL for each project, a fresh database for each file. */
const withDatabase = {
  globalSetup: ['test/helpers/postgres-global.ts'],
  pool: 'forks' as const,
};

// pure: no I/O, threads without isolation; system: real database and sockets, work for the processor; calls and
// interop: real time, the latter against third-party SIP peers; patient: minutes of it; structure: rules about the
// source tree itself. Files of `calls` and `interop` run side by side, and CI runs these beside `pure` and `system`.
export default defineConfig({
  test: {
    reporters: ['default'],
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
          exclude: CALLS,
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
