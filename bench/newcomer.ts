import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBackend } from './newcomer/backend.ts';
import { developerHour } from './newcomer/developer.ts';
import { runHour, type Reached } from './newcomer/hour.ts';
import { operationsHour } from './newcomer/operations.ts';
import { Program } from './newcomer/program.ts';
import { heading, saveResult, table } from './report.ts';

/**
 * The first hour of two newcomers, by script: a developer who calls the API and a manager who uses the dashboard. Every
 * success has its time and the obstacles on the way. `--program`: another clone, to compare; `--before`: the JSON that
 * a run there wrote with `--json`.
 */
const { values: args } = parseArgs({
  options: {
    program: { type: 'string', default: join(import.meta.dirname, '..') },
    contacts: { type: 'string', default: '200' },
    only: { type: 'string' },
    json: { type: 'string' },
    before: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
});
/** Longer than any wait of a step: the campaign of the developer runs to its end, and a first call is waited for for three minutes. */
const [API_STEP_MS, SCREEN_STEP_MS] = [900_000, 300_000];

interface Hours {
  readonly developer: readonly Reached[];
  readonly operations: readonly Reached[];
}

async function hours(folder: string): Promise<Hours> {
  const backend = await startBackend();
  const programs = [new Program(folder), new Program(folder)] as const;
  try {
    const developer =
      args.only === 'operations'
        ? []
        : await runHour(developerHour(programs[0], backend, Number(args.contacts)), API_STEP_MS);
    await programs[0].stop();
    const operations =
      args.only === 'developer' ? [] : await runHour(operationsHour(programs[1]), SCREEN_STEP_MS);
    return { developer, operations };
  } finally {
    backend.close();
    await Promise.all(programs.map((program) => program.dispose()));
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const told = ({ failure, obstacles }: Reached): string =>
  failure === null ? (obstacles.length === 0 ? 'none' : obstacles.join('; ')) : `not reached: ${failure}`;

function tableOf(title: string, now: readonly Reached[], before: readonly Reached[]): string {
  const rows = now.map((step, index) => {
    const old = before[index];
    return [
      step.name,
      step.reviewMinutes.toFixed(1),
      ...(old === undefined ? [] : [seconds(old.tookMs), told(old)]),
      seconds(step.tookMs),
      told(step),
    ].map((cell) => cell.replaceAll('|', '/'));
  });
  const compared = before.length > 0;
  const head = [
    '',
    'minute, by hand at 187fa90',
    ...(compared ? ['before', 'obstacles before'] : []),
    'now',
    'obstacles',
  ];
  const reached = now.filter(({ failure, obstacles }) => failure === null && obstacles.length === 0).length;
  return `## ${title}\n\n${reached} of ${now.length} without an obstacle, in ${seconds(now.reduce((sum, { tookMs }) => sum + tookMs, 0))}.\n${table(head, rows)}`;
}

const now = await hours(args.program);
if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(now));
const before =
  args.before === undefined
    ? { developer: [], operations: [] }
    : (JSON.parse(readFileSync(args.before, 'utf8')) as Hours);
const text = [
  heading('The first hour of two newcomers', `By script; ${args.contacts} contacts in the campaign`),
  '',
  tableOf('A developer who calls the API', now.developer, before.developer),
  tableOf('A manager who uses the dashboard', now.operations, before.operations),
].join('\n');
console.log(text);
if (args.save) saveResult('newcomer', text);
process.exit([...now.developer, ...now.operations].every(({ failure }) => failure === null) ? 0 : 1);
