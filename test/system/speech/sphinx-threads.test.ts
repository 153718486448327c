import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SPHINX_MODEL } from '../../../src/offline/recogniser/stt.ts';
import { expectedGrammar } from '../../../src/offline/recogniser/grammar.ts';
import { RecogniserPool, type Recognised } from '../../../src/offline/recogniser/pocketsphinx.ts';
import { silentLog } from '../../../src/shared/log.ts';
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

it('a pool works on with the other thread after one did not answer, and starts both again when neither does', async () => {
  let replaced = 0;
  const pool = new RecogniserPool({
    modelDirectory: SPHINX_MODEL,
    fliteCommand: '/bin/false',
    espeakCommand: '/bin/false',
    threads: 2,
    // No thread recognises an utterance in so short a time.
    jobMs: 1,
    log: { ...silentLog, error: () => (replaced += 1) },
  });
  const grammar = expectedGrammar({ kinds: ['yes_no'], phrases: [] }, []);
  const minute = Int16Array.from({ length: 480_000 }, (_, i) => ((i * 7_919) % 4_001) - 2_000);
  const decode = (): Promise<Recognised> =>
    new Promise((resolve) => pool.decode(grammar, minute.slice(), 8000, resolve));
  try {
    // Each becomes ready once.
    expect(await pool.tried()).toBeNull();
    expect(await pool.tried()).toBeNull();
    expect(await decode()).toMatchObject({ type: 'failed' });
    expect([replaced, pool.fault()]).toEqual([1, null]);

    await Promise.all([decode(), decode()]);
    expect(replaced).toBe(2);
    expect(pool.fault()).toBe('a recogniser thread does not answer');
    await expect.poll(() => pool.fault(), { timeout: 60_000 }).toBeNull();
  } finally {
    await pool.close();
  }
}, 120_000);
