import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { ENGLISH_PACK } from '../../src/offline/models/catalogue.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

/** What the set-up fetched, as the mirror. */
const SET_UP = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');

let programs = '';
let service: Service | null = null;
beforeEach(async () => {
  programs = await mkdtemp(join(tmpdir(), 'callwright-voices-'));
  for (const name of ['espeak-ng', 'flite']) await symlink(`/usr/bin/${name}`, join(programs, name));
});
afterEach(async () => {
  await service?.dispose();
  await rm(programs, { recursive: true, force: true });
});

/** A service without models that reaches neither official addresses nor clients of packages. */
const start = async (more: Record<string, string>): Promise<Service> => {
  const unreachable = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:9', PATH: programs };
  service = await startService({
    provision: provisionWith({}),
    env: { MODELS_FETCH: 'start', ...unreachable, ...more },
  });
  return service;
};
const linesOf = (text: string): string[] =>
  (service?.output() ?? '').split('\n').filter((line) => line.includes(text));
const isWhole = (): boolean =>
  ENGLISH_PACK.every((id) => installedModel(join(service?.dataDir ?? '', 'models'), id) !== null);
const slots = async (): Promise<string> => {
  const metrics = await fetch(`${service?.url}/metrics`);
  return /^callwright_recogniser_slots (\d+)/m.exec(await metrics.text())?.[1] ?? 'none';
};

it('the first start fetches the English pack behind a service that works, and calls use it without a restart', async () => {
  await start({ MODELS_MIRROR: SET_UP });
  await eventually('the pack to be installed', () => Promise.resolve(isWhole() || null));
  await eventually('slots of the recogniser', async () => ((await slots()) === 'none' ? null : true));
  await expect.poll(() => linesOf('a model is installed')).toHaveLength(ENGLISH_PACK.length);
}, 600_000);

it('a machine without a network starts as before, and one line of its log has the command', async () => {
  const running = await start({});
  await eventually('the line', () => Promise.resolve(linesOf('callwright models get').length > 0 || null));
  await expect.poll(() => linesOf('could not be fetched')).toHaveLength(1);
  // The report of the start and the failed download are written in either order.
  await expect.poll(() => linesOf('  Hears       expected phrases')).toHaveLength(1);
  await expect
    .poll(() => linesOf('  Advice      the English pack ('))
    .toEqual([expect.stringContaining('is being fetched')]);
  expect(await running.request('GET', '/readyz')).toMatchObject({ status: 200 });
  expect([isWhole(), await slots()]).toEqual([false, 'none']);
}, 600_000);
