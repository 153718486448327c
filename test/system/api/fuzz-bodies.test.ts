import { expect, it } from 'vitest';
import { fuzz } from '../../fuzz/run.ts';
import { openBodies } from '../../fuzz/targets/bodies.ts';

it('no JSON body or query of any route crashes, hangs or is slow', { timeout: 400_000 }, async () => {
  const target = await openBodies();
  const { findings, inputs } = await fuzz(target, { seed: 1, inputs: 600 });
  await target.close?.();
  expect(findings).toEqual([]);
  expect(inputs).toBe(600);
});
