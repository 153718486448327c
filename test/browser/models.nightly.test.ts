import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { ENGLISH_PACK } from '../../src/offline/models/catalogue.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openPlace } from '../helpers/browser/places.ts';
import { inspect } from '../helpers/browser/chromium.ts';

/** What the set-up fetched: the English pack of it is the mirror, and nothing else can be reached. */
const SET_UP = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');

let programs: string;
let dashboard: Dashboard;
beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'callwright-voices-'));
  for (const name of ['espeak-ng', 'flite']) await symlink(`/usr/bin/${name}`, join(programs, name));
  const mirror = join(programs, 'mirror');
  await mkdir(mirror);
  for (const id of ENGLISH_PACK) await symlink(join(SET_UP, id), join(mirror, id));
  dashboard = await openDashboard({
    MODELS_MIRROR: mirror,
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    PATH: programs,
  });
});
afterAll(async () => {
  await dashboard?.close();
  await rm(programs, { recursive: true, force: true });
});

const DOWNLOADED = { timeout: 120_000 };
/** The page is long, and each picture of it is checked in two themes. */
const LONG = { timeout: 240_000 };

describe('the models of the system page', () => {
  it('say what hears calls, and are fetched until every word is heard, without a restart', LONG, async () => {
    const { page, faults } = dashboard.owner;
    await openPlace(page, 'System');
    await page.getByText('expected phrases', { exact: true }).waitFor();
    await page.getByText(/^callwright models get fetches the English pack \(\d+ MB\): every word/).waitFor();
    const ears = page.getByRole('row').filter({ hasText: 'vosk-small-en-us' });
    await ears.getByText('Not installed').waitFor();
    await inspect(page, 'system-models');
    await ears.getByRole('button', { name: 'Download vosk-small-en-us' }).click();
    const library = page.getByRole('row').filter({ hasText: 'libvosk' });
    await library.getByRole('button', { name: 'Download libvosk' }).click();
    await ears.getByText('Installed', { exact: true }).waitFor(DOWNLOADED);
    await library.getByText('Installed', { exact: true }).waitFor(DOWNLOADED);
    await page.getByText(/^every word of en-US.*else expected phrases$/).waitFor(DOWNLOADED);
    expect(faults).toEqual([]);
  });

  it('say why a download failed and what to do', LONG, async () => {
    const { page } = dashboard.owner;
    const filter = page.getByRole('row').filter({ hasText: 'dtln' });
    await filter.getByRole('button', { name: 'Download dtln' }).click();
    await filter.getByText('Failed').waitFor(DOWNLOADED);
    await filter.getByText(/no source has model_1\.onnx/).waitFor();
    await expect.poll(() => filter.getByRole('button', { name: 'Download dtln' }).isEnabled()).toBe(true);
    await inspect(page, 'system-models-failed');
  });

  it('are removed after a question', async () => {
    const { page, faults } = dashboard.owner;
    const library = page.getByRole('row').filter({ hasText: 'libvosk' });
    await library.getByRole('button', { name: 'Remove libvosk' }).click();
    const dialog = page.getByRole('dialog');
    await inspect(page, 'system-model-removal');
    await dialog.getByRole('button', { name: 'Remove the model' }).click();
    await library.getByText('Not installed').waitFor();
    expect(faults).toEqual([]);
  });
});
