import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/shared/log.ts';
import { eventually } from '../helpers/service/service.ts';

const CONFIG = join(import.meta.dirname, '../../deploy/logs/rsyslog.conf');

let folder = '';
let shipper: ChildProcess | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-logs-'));
});
afterAll(async () => {
  if (shipper !== null && shipper.exitCode === null) {
    const exited = new Promise((resolve) => shipper?.once('exit', resolve));
    shipper.kill('SIGKILL');
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
});

/** What the service writes: a line, one with an error, and one with words of several scripts. */
function linesOfService(): string[] {
  const written: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString());
      done();
    },
  });
  const log = createLog({ level: 'info', pretty: false, destination });
  log.info({ port: 8080 }, 'ready');
  log.warn({ err: new Error('connection refused') }, 'the trunk is down');
  log.error({ trunk: 'कार्यालय "Süd"' }, "the carrier's answer was not understood");
  return written.map((line) => line.trimEnd());
}

it('rsyslog sends the lines of the service to a collector as they were written, and nothing else', async () => {
  let received = '';
  const collector = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const rules = (await readFile(CONFIG, 'utf8'))
    .replace('logs.example.com', '127.0.0.1')
    .replace('port="5170"', `port="${port}"`);
  // The journal hands messages on in this form; here they come over TCP, to a port that rsyslog chooses.
  const input = `global(workDirectory="${folder}")
module(load="imtcp")
input(type="imtcp" address="127.0.0.1" port="0" listenPortFileName="${folder}/port")
`;
  const file = join(folder, 'rsyslog.conf');
  await writeFile(file, input + rules);
  const said: string[] = [];
  shipper = spawn('rsyslogd', ['-n', '-iNONE', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [shipper.stdout, shipper.stderr])
    stream?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  let failure: unknown = null;
  shipper.once('error', (error) => (failure = error));
  const listensOn = await eventually('the port of rsyslog', async () => {
    if (failure !== null) throw new Error('rsyslogd did not start', { cause: failure });
    if (shipper?.exitCode != null) throw new Error(`rsyslogd ended: ${said.join('')}`);
    return Number(await readFile(join(folder, 'port'), 'utf8').catch(() => '')) || null;
  });
  const lines = linesOfService();
  const journal = connect(listensOn, '127.0.0.1');
  const from = (program: string, text: string): string =>
    `<14>Nov 28 12:00:00 host ${program}[12]: ${text}\n`;
  journal.write(from('callwright', 'Dashboard http://127.0.0.1:8080'));
  journal.write(from('sshd', '{"level":30,"msg":"of another program"}'));
  for (const line of lines) journal.write(from('callwright', line));
  journal.end();
  await eventually('the last line', async () => (received.endsWith(`${lines.at(-1)}\n`) ? true : null));
  expect(received.trimEnd().split('\n')).toEqual(lines);
  expect(lines.map((line) => Object.keys(JSON.parse(line)).slice(0, 2))).toEqual(
    lines.map(() => ['level', 'time']),
  );
  collector.close();
});
