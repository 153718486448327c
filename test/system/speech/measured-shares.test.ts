import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callsThatFit } from '../../../src/offline/machine-capacity.ts';
import { measureShares } from '../../../src/offline/measure-shares.ts';

it('measures the engines of a machine without models, and leaves out those that need one', async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'callwright-models-'));
  try {
    const shares = await measureShares(modelsDir, 1);
    expect(shares).toMatchObject({ words: null, wordsBy: null, voiceBy: 'flite:slt' });
    for (const share of [shares.media, shares.phrases, shares.voice]) expect(share).toBeGreaterThan(0);
    const fit = callsThatFit(1, shares);
    expect(fit.vendors).toBeGreaterThanOrEqual(fit.phrases ?? 0);
  } finally {
    await rm(modelsDir, { recursive: true });
  }
});
