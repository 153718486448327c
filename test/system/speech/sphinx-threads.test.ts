import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
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

describe('a pool with two threads', () => {
  const grammar = expectedGrammar({ kinds: ['yes_no'], phrases: [] }, []);
  const seconds = Int16Array.from({ length: 80_000 }, (_, i) => ((i * 7_919) % 4_001) - 2_000);
  let pool: RecogniserPool;
  let replaced = 0;
  /** No thread recognises ten seconds within a millisecond. */
  const open = (options: { command?: string; loadMs?: number } = {}): void => {
    const { command = '/bin/false', loadMs } = options;
    replaced = 0;
    pool = new RecogniserPool({
      modelDirectory: SPHINX_MODEL,
      fliteCommand: command,
      espeakCommand: command,
      threads: 2,
      limitsMs: { utterance: 1, ...(loadMs === undefined ? {} : { load: loadMs }) },
      log: { ...silentLog, error: () => (replaced += 1) },
    });
  };
  const decode = (): Promise<Recognised> =>
    new Promise((resolve) => pool.decode(grammar, seconds.slice(), 8000, resolve));
  const bothReady = async (): Promise<void> => {
    expect([await pool.tried(), await pool.tried()]).toEqual([null, null]);
  };
  afterEach(() => pool.close());

  it('has no fault while one of them works, after the other did not answer', async () => {
    open();
    await bothReady();
    expect(await decode()).toMatchObject({ type: 'failed' });
    expect([replaced, pool.fault()]).toEqual([1, null]);
  });

  it('has a fault after neither answered, and starts them again without an utterance', async () => {
    open();
    await bothReady();
    await Promise.all([decode(), decode()]);
    expect([replaced, pool.fault()]).toEqual([2, 'a recogniser thread does not answer']);
    await expect.poll(() => pool.fault()).toBeNull();
  });

  it('keeps a thread that is loading while an utterance waits, until the load takes too long', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callwright-pool-'));
    const command = join(folder, 'slow');
    await writeFile(command, '#!/bin/sh\nexec sleep 3\n', { mode: 0o755 });
    open({ command });
    expect(await decode()).toMatchObject({ type: 'failed' });
    expect(replaced).toBe(0);
    await pool.close();

    open({ command, loadMs: 0 });
    expect(await decode()).toMatchObject({ type: 'failed' });
    expect(replaced).toBe(1);
    await rm(folder, { recursive: true });
  });
});
