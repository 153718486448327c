import { defineConfig } from 'vitest/config';

// pure: no I/O, threads without isolation; system: real database and sockets, a process per file;
// interop: third-party SIP peers; patient: minutes of real time, hardly any work; structure: rules about the source
// tree itself.
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
          name: 'system',
          sequence: { groupOrder: 2 },
          include: ['test/system/**/*.test.ts'],
          globalSetup: ['test/helpers/postgres-global.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'interop',
          sequence: { groupOrder: 3 },
          include: ['test/interop/**/*.test.ts'],
          globalSetup: ['test/helpers/postgres-global.ts'],
          pool: 'forks',
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'patient',
          sequence: { groupOrder: 4 },
          include: ['test/patient/**/*.test.ts'],
          globalSetup: ['test/helpers/postgres-global.ts'],
          pool: 'forks',
          maxWorkers: 1,
        },
      },
    ],
  },
});
