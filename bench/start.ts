import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from './conversation/run.ts';
import { heading, saveResult, table } from './report.ts';

/** Time from `node src/main.ts` to "ready", when calls can be placed: first start (new database) and later starts. */
const { values: args } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, save: { type: 'boolean', default: false } },
});
const rounds = Number(args.rounds);
const root = join(import.meta.dirname, '..');

/** Milliseconds until the child prints `marker`; stops the child afterwards. */
async function timeTo(
  marker: RegExp,
  command: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, command, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const took = await new Promise<number>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (marker.test(out)) resolve(performance.now() - begin);
    });
    child.once('exit', () => reject(new Error('the process ended before it was ready')));
  });
  child.kill('SIGTERM');
  await exited;
  return took;
}

const first: number[] = [];
const later: number[] = [];
const reference: number[] = [];
const livekit = join(import.meta.dirname, 'reference/livekit-agents');
const hasReference = existsSync(join(livekit, 'node_modules/@livekit/agents'));
for (let round = 0; round < rounds; round++) {
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  const dataDir = mkdtempSync(join(tmpdir(), 'callwright-start-'));
  const env = { DATA_DIR: dataDir, PORT: '0', SIP_PORT: '0', LOG_LEVEL: 'info' };
  first.push(await timeTo(/"msg":"ready"/, ['src/main.ts'], env, root));
  later.push(await timeTo(/"msg":"ready"/, ['src/main.ts'], env, root));
  rmSync(dataDir, { recursive: true, force: true });
  if (!hasReference) continue;
  const script =
    "const {voice,initializeLogger}=await import('@livekit/agents');initializeLogger({pretty:false,level:'fatal'});" +
    "const s=new voice.AgentSession({turnHandling:{turnDetection:'manual'}});" +
    "await s.start({agent:new voice.Agent({instructions:'x'})});console.log('ready');setTimeout(()=>{},60000)";
  reference.push(await timeTo(/ready/, ['--input-type=module', '-e', script], {}, livekit));
}
const seconds = (values: number[]): string =>
  values.length === 0
    ? '–'
    : `${(percentile(values, 0.5) / 1000).toFixed(2)} s (max ${(Math.max(...values) / 1000).toFixed(2)})`;
const text = [
  heading('Start', `${rounds} rounds: process start to ready for calls, median`),
  table(
    ['', 'time'],
    [
      ['Callwright, first start (creates the database)', seconds(first)],
      ['Callwright, later starts', seconds(later)],
      ['reference: LiveKit Agents to one session started, no server, no database', seconds(reference)],
    ],
  ),
].join('\n');
console.log(text);
if (args.save) saveResult('start', text);
process.exit(0);
