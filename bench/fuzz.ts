import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { fuzz, judge, SLOW_UNITS, type Outcome } from '../test/fuzz/run.ts';
import type { Target } from '../test/fuzz/target.ts';
import { TARGETS } from '../test/fuzz/targets.ts';
import { openBodies } from '../test/fuzz/targets/bodies.ts';
import { heading, saveResult, table } from './report.ts';

/**
 * Runs the fuzz targets and prints one table. `--hex` runs one input of a finding again; `--from` and `--inputs 1` make it
 * again from its seed.
 */
const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    seed: { type: 'string', default: '1' },
    inputs: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
    hex: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
});

const BODIES = 'bodies';

/** The target that sends requests, with a server and a database of its own. */
async function bodies(): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-fuzz-'));
  const postgres = new EmbeddedPostgres({ dataDir, durable: false, log: silentLog });
  const url = (await postgres.start()).replace(/[^/]+$/, 'postgres');
  await migrate(url);
  const database = openDatabase(url, { maxConnections: 10, applicationName: 'fuzz' });
  const { kysely: db, pool } = database;
  const target = await openBodies({ url, db, pool, close: () => database.close() });
  return {
    ...target,
    close: async () => {
      await target.close?.();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const chosen = (values.target ?? '').split(',').filter((name) => name !== '');
const targets = TARGETS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
if (chosen.length === 0 || chosen.includes(BODIES)) targets.push(await bodies());
if (targets.length === 0) {
  console.error(`No such target. Targets: ${[...TARGETS.map(({ name }) => name), BODIES].join(', ')}`);
  process.exit(1);
}

async function replay(target: Target, hex: string): Promise<void> {
  const { what, units } = await judge(target, Buffer.from(hex, 'hex'));
  console.log(`${target.name}: ${what ?? `nothing wrong, ${units.toFixed(1)} units of work`}`);
  process.exitCode = what === null ? 0 : 1;
  await target.close?.();
}

function report(rows: readonly (readonly [Target, Outcome])[], seed: number): string {
  const lines = rows.map(([{ name }, { inputs, seconds, slowest, findings }]) => [
    name,
    String(inputs),
    String(Math.round(inputs / seconds)),
    slowest.toFixed(1),
    String(findings.length),
  ]);
  const findings = rows.flatMap(([{ name }, outcome]) =>
    outcome.findings.map(
      ({ at, what, sha256, hex }) =>
        `- ${name}, seed ${seed}, input ${at} (SHA-256 ${sha256.slice(0, 16)}): ${what}\n  ${hex.slice(0, 400)}`,
    ),
  );
  return [
    heading(
      'Fuzzing',
      `\`npm run fuzz\`: mutated inputs, seed ${seed}; an input over ${SLOW_UNITS} units of work (about a millisecond each) is a finding`,
    ),
    table(['target', 'inputs', 'inputs/s', 'slowest input, units of work', 'findings'], lines),
    ...findings,
  ].join('\n');
}

const seed = Number(values.seed);
if (values.hex === undefined) {
  const rows: [Target, Outcome][] = [];
  for (const target of targets) {
    let shownAt = performance.now();
    const range = { seed, from: Number(values.from), inputs: Number(values.inputs) };
    const outcome = await fuzz(target, range, (done, findings) => {
      if (performance.now() - shownAt < 5_000) return;
      shownAt = performance.now();
      console.error(`${target.name}: ${done} inputs, ${findings} findings`);
    });
    rows.push([target, outcome]);
    await target.close?.();
  }
  const text = report(rows, seed);
  console.log(text);
  if (values.save) saveResult('fuzz', text);
  process.exitCode = rows.some(([, { findings }]) => findings.length > 0) ? 1 : 0;
} else if (targets.length === 1 && targets[0] !== undefined) await replay(targets[0], values.hex);
else console.error('--hex needs --target');
