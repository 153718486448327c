import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { bundleMoneyProgram } from '../test/chaos/money/bundle.ts';
import { runMoneyChaos } from '../test/chaos/money/run.ts';
import { heading, saveResult, table } from './report.ts';

/** Kills processes that take and settle money at every gate; the books must agree in every snapshot and at the end. */
const { values: args } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    processes: { type: 'string', default: '3' },
    'life-ms': { type: 'string', default: '1500' },
    save: { type: 'boolean', default: false },
  },
});
const dataDir = await mkdtemp(join(tmpdir(), 'callwright-money-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
try {
  const url = await postgres.start();
  await migrate(url);
  const database = openDatabase(url, { maxConnections: 10, applicationName: 'money bench' });
  const program = await bundleMoneyProgram();
  const startedAt = performance.now();
  const { findings, figures, killsInside } = await runMoneyChaos({
    db: database.kysely,
    url,
    kills: Number(args.kills),
    processes: Number(args.processes),
    lifeMs: Number(args['life-ms']),
    program,
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  await database.close();
  const untouched = [...killsInside].flatMap(([gate, count]) =>
    count === 0 ? [`no kill fell inside the gate ${gate}`] : [],
  );
  findings.push(...untouched);
  const text = [
    heading('Money under kills', 'Processes at every gate, killed with SIGKILL; PostgreSQL with fsync'),
    table(
      ['what', 'count'],
      Object.entries(figures).map(([what, count]) => [what, count.toLocaleString('en')]),
    ),
    `${seconds} s.`,
    '',
    '## Kills inside each gate',
    '',
    'A process works in six lanes, so a kill falls inside several gates.',
    '',
    table(
      ['gate', 'kills'],
      Array.from(killsInside, ([gate, count]) => [gate, count.toLocaleString('en')]),
    ),
    '## Findings',
    '',
    findings.length === 0
      ? 'None: in every snapshot balance and ledger agreed, locked credits were those of live calls and holds, and no cap was passed.'
      : findings.map((finding) => `- ${finding}`).join('\n'),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('money', text);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
