import { expect, it } from 'vitest';
import { committedKernel, matrixKernelWasm } from '../../scripts/matrix-kernel.ts';

it('assets/models/matrix-kernel.wasm equals the build of matrix-kernel.wat (npm run build:kernel)', async () => {
  expect((await matrixKernelWasm()).equals(committedKernel())).toBe(true);
});
