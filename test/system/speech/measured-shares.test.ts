import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callsThatFit } from '../../../src/offline/machine-capacity.ts';
import { measureShares } from '../../../src/offline/measure-shares.ts';

it('measures the engines of a machine without models, and leaves out those that need one', async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'callwright-models-'));
  try {
    const shares = await measureShares(modelsDir, null, 1);
    expect(shares).toMatchObject({ words: null, wordsBy: null });
    expect(shares.media).toBeGreaterThan(0);
    // A voice or recogniser that does not answer in time on a busy machine counts as absent.
    expect(shares.phrases ?? 1).toBeGreaterThan(0);
    expect(shares.voice ?? 1).toBeGreaterThan(0);
    expect(shares.voiceBy).toBe(shares.voice === null ? null : 'flite:slt');
    const fit = callsThatFit(1, shares);
    expect(fit.vendors).toBeGreaterThanOrEqual(fit.phrases ?? 0);
  } finally {
    await rm(modelsDir, { recursive: true });
  }
});
