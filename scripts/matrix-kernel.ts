import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const SOURCE = new URL('../assets/models/matrix-kernel.wat', import.meta.url);
const BINARY = new URL('../assets/models/matrix-kernel.wasm', import.meta.url);

/** The VAD's matrix kernel, assembled from its text. */
export async function matrixKernelWasm(): Promise<Buffer> {
  const toolkit = await wabt();
  const module = toolkit.parseWat('matrix-kernel.wat', readFileSync(SOURCE, 'utf8'), { simd: true });
  module.validate();
  return Buffer.from(module.toBinary({ write_debug_names: false }).buffer);
}

export const committedKernel = (): Buffer => readFileSync(BINARY);

if (import.meta.main) writeFileSync(BINARY, await matrixKernelWasm());
