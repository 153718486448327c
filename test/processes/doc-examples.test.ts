import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { readPrices } from '../../src/config/price-file.ts';
import { parseProvision } from '../../src/domain/provision/provision-file.ts';
import { type FakeVendor, fakeDeepgram, startFakeVendor } from '@callwright/stand-ins';
import { examplesOf, PAGES, ROOT, type Example } from '../helpers/service/doc-examples.ts';
import { createAgent, provisionWith } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

/** The examples of README, docs and packages, run as they are written against the real program. */
const run = promisify(execFile);
const all = PAGES.flatMap(examplesOf).filter(({ notRun }) => notRun === null);
const of = (language: string): Example[] => all.filter((example) => example.language === language);
const where = ({ page, line }: Example): string => `${page}:${line}`;

/** Two real calls, on a machine that is busy. */
const LONGEST_MS = 300_000;

let service: Service;
let vendor: FakeVendor;
let agentId = '';
let billingId = '';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-docs-'));
  service = await startService({ provision: provisionWith({}) });
  vendor = await startFakeVendor(fakeDeepgram, { port: 0 });
  billingId = await createAgent(service, { agent_name: 'Billing' });
  agentId = await createAgent(service, {
    agent_name: 'Appointment reminder',
    custom_variables: ['callee_name', 'mobile_number'],
  });
  // A call whose replay the pages show.
  const numbers = await service.request('GET', '/api/v0/workspace/numbers');
  const placed = await service.request('POST', '/api/v0/calling/outbound/individual', {
    name: 'Sam',
    mobile_number: '+14155550123',
    agent_id: agentId,
    from_number_id: numbers.body.workspace_numbers[0].id,
  });
  await eventually(
    'the end of the call',
    async () => {
      const { body } = await service.request(
        'GET',
        `/api/v0/calling/call-details?id=${placed.body.data.call_id}`,
      );
      return body.data.call_status === 'completed' ? true : null;
    },
    LONGEST_MS,
  );
  await symlink(ROOT, join(folder, 'callwright'));
  // The pages call the program as a clone has it.
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/callwright'), `#!/bin/sh\nexec ${join(ROOT, 'bin/callwright')} "$@"\n`);
  await chmod(join(folder, 'bin/callwright'), 0o755);
}, LONGEST_MS);
afterAll(async () => {
  await service?.dispose();
  await vendor?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The text with this service's address and key instead of those of a first start. */
const here = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('http://127.0.0.1:9300', vendor.baseUrl)
    .replaceAll('cw_live_…', service.key)
    .replaceAll('"api_key": "…"', '"api_key": "key-of-a-vendor"')
    .replaceAll('$AGENT', agentId)
    .replaceAll('$BILLING', billingId);

/** Runs the blocks of a page in one shell, after the variables that README defines. A request that is refused fails. */
async function shell(blocks: readonly Example[]): Promise<{ code: number; output: string }> {
  const variables = of('sh').find(
    ({ page, text }) => page === 'README.md' && text.startsWith('export BASE='),
  );
  const script = [
    'set -euo pipefail',
    'curl() { command curl --fail-with-body --show-error "$@"; }',
    ...[variables, ...blocks.filter((block) => block !== variables)].flatMap((block) =>
      block === undefined
        ? []
        : [
            `echo; echo "== ${where(block)}"`,
            ...lenient(block, here(block.text).replaceAll(agentId, '$AGENT')),
          ],
    ),
  ].join('\n');
  const options = {
    cwd: folder,
    env: {
      ...process.env,
      CALLWRIGHT_URL: service.url,
      CALLWRIGHT_API_KEY: service.key,
      KEY: service.key,
      AGENT: agentId,
    },
    timeout: LONGEST_MS,
  };
  try {
    const { stdout, stderr } = await run('bash', ['-c', script], options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** The commands of a block, each of which may end with the exit codes that its page documents. */
const lenient = ({ exitCodes }: Example, text: string): readonly string[] =>
  exitCodes.length === 1
    ? [text]
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(
          (line) =>
            `code=0; { ${line}\n} || code=$?; case $code in ${exitCodes.join('|')}) ;; *) exit $code ;; esac`,
        );

const pagesWithCommands = PAGES.filter((page) => of('sh').some((example) => example.page === page));

describe('commands of the pages', () => {
  it.each(pagesWithCommands)(
    '%s runs as written',
    async (page) => {
      const { code, output } = await shell(of('sh').filter((example) => example.page === page));
      expect({ code, output }).toMatchObject({ code: 0 });
    },
    LONGEST_MS,
  );
});

describe('requests of the pages', () => {
  const requests = of('http').flatMap((example) =>
    example.text
      .trim()
      .split(/\n\n(?=[A-Z]+ \/)/)
      .map((text, index) => ({ name: `${where(example)}, request ${index + 1}`, text })),
  );

  it.each(requests)('$name is accepted', async ({ text }) => {
    const [head = '', ...body] = here(text).split('\n');
    const [method = '', path = ''] = head.split(' ');
    const answer = await service.request(method, path, JSON.parse(body.join('\n')));
    expect(answer).toMatchObject({ status: 200 });
  });
});

describe('settings of the pages', () => {
  it.each(of('env').map((example) => ({ name: where(example), example })))(
    '$name are valid',
    ({ example }) => {
      const settings = Object.fromEntries(
        example.text
          .split('\n')
          .filter((line) => /^[A-Z]/.test(line))
          .map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1).trim()]),
      );
      const loaded = loadConfig({ ...settings, DATA_DIR: folder });
      expect(loaded).toMatchObject({ ok: true });
    },
  );
});

function provision(text: string): void {
  const parsed = parseProvision(text);
  if (!parsed.ok) throw new Error(parsed.problems.join('; '));
}

/** Reads the text as the file that its first keys say. Throws when the program would refuse it. */
function readFileOf(text: string): void {
  const document = parseYaml(text) as Record<string, unknown>;
  if ('prices' in document) readPrices(text);
  else if ('trunks' in document || 'workspaces' in document) provision(text);
  else if ('whatsapp_numbers' in document) {
    provision(JSON.stringify({ workspaces: [{ name: 'Acme', ...document }] }));
  } else if (!('services' in document) && !('groups' in document)) {
    throw new Error(`no program reads a file with ${Object.keys(document).join(', ')}`);
  }
}

describe('files of the pages', () => {
  it.each(of('yaml').map((example) => ({ name: where(example), example })))(
    '$name is valid',
    ({ example }) => {
      expect(() => readFileOf(example.text)).not.toThrow();
    },
  );

  it.each(of('nft').map((example) => ({ name: where(example), example })))(
    '$name loads into a firewall',
    async ({ example }) => {
      const file = join(folder, 'rules.nft');
      await writeFile(file, example.text);
      // A network namespace of its own: the check needs one, and changes nothing here.
      const { stderr } = await run('unshare', ['--net', 'nft', '--check', '--file', file]);
      expect(stderr).toBe('');
    },
  );

  it.each(of('ini').map((example) => ({ name: where(example), example })))(
    '$name is a unit without complaints',
    async ({ example }) => {
      const file = join(
        folder,
        `example-${example.line}.${/^OnCalendar=/m.test(example.text) ? 'timer' : 'service'}`,
      );
      await writeFile(file, example.text.replaceAll('/opt/callwright/bin/callwright', '/bin/true'));
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', file]).catch(
        (error: unknown) => error as { stderr: string },
      );
      expect(stderr.split('\n').filter((line) => line.includes(file))).toEqual([]);
    },
  );

  it.each(of('js').map((example) => ({ name: where(example), example })))(
    '$name is a script',
    async ({ example }) => {
      const file = join(folder, 'example.mjs');
      await writeFile(file, example.text);
      await run(process.execPath, ['--check', file]);
      expect(await readFile(file, 'utf8')).toBe(example.text);
    },
  );
});

describe('the SDK in an empty folder', () => {
  it(
    'installs from its tarball, and its examples compile strictly and run as written',
    async () => {
      const app = join(folder, 'app');
      await mkdir(app);
      const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, timeout: LONGEST_MS });
      const packed = await npm(join(ROOT, 'packages/sdk'), 'pack', '--json', '--pack-destination', app);
      const [{ filename, files: packedFiles }] = JSON.parse(
        packed.stdout.slice(packed.stdout.indexOf('[')),
      ) as [{ filename: string; files: readonly { path: string }[] }];
      const paths = packedFiles.map(({ path }) => path);
      expect(paths.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual([
        'LICENSE',
        'README.md',
        'package.json',
      ]);
      expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts']));
      await writeFile(
        join(app, 'package.json'),
        JSON.stringify({ name: 'app', type: 'module', private: true }),
      );
      await npm(app, 'install', '--no-audit', '--no-fund', '--offline', `./${filename}`);
      const examples = of('ts').filter(({ page }) => page === 'packages/sdk/README.md');
      const files = await Promise.all(
        examples.map(async ({ line, text }) => {
          await writeFile(join(app, `example-${line}.ts`), text);
          return `example-${line}.ts`;
        }),
      );
      const options = [
        '--strict',
        '--exactOptionalPropertyTypes',
        '--noUncheckedIndexedAccess',
        '--skipLibCheck',
        'false',
      ];
      const types = [
        '--module',
        'nodenext',
        '--target',
        'es2023',
        '--lib',
        'es2023,dom,dom.iterable',
        '--types',
        '',
      ];
      await run(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...types, '--outDir', '.', ...files], {
        cwd: app,
      }).catch((error: unknown) => {
        throw new Error((error as { stdout: string }).stdout, { cause: error });
      });
      const env = { ...process.env, CALLWRIGHT_URL: service.url, CALLWRIGHT_API_KEY: service.key };
      for (const file of files) {
        const { stderr } = await run(process.execPath, [file.replace('.ts', '.js')], {
          cwd: app,
          env,
          timeout: LONGEST_MS,
        });
        expect(stderr).toBe('');
      }
      expect(files).not.toEqual([]);
    },
    LONGEST_MS,
  );
});
