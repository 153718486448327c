import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SPHINX_MODEL } from '../../../src/offline/recogniser/stt.ts';
import { RecogniserPool } from '../../../src/offline/recogniser/pocketsphinx.ts';
import { runToEnd } from '../../helpers/service/program.ts';

it('decoders of several threads open at once without a crash and without a log', async () => {
  const ended = await runToEnd({}, 30_000, ['test/helpers/audio/sphinx-threads.ts']);
  expect(ended).toEqual({ code: 0, output: '' });
});

it('threads of a pool that closes end by themselves, before they have prepared their decoder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-pool-'));
  const [flite, ran] = [join(folder, 'flite'), join(folder, 'ran')];
  await writeFile(flite, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const pool = new RecogniserPool({
    modelDirectory: SPHINX_MODEL,
    fliteCommand: flite,
    espeakCommand: flite,
    threads: 2,
  });
  pool.start();
  await pool.close();
  expect(existsSync(ran)).toBe(false);
  await rm(folder, { recursive: true });
});
