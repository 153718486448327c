/**
 * A matrix times a vector in WebAssembly SIMD: `out = bias + W x` with 16 rows at a time. Row weights are
 * stored column by column within each block of 16 rows, so that the kernel reads them straight through.
 */
export interface MatrixKernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Byte addresses in `memory`; `blocks` is rows / 16, `columns` any positive number. */
  readonly multiply: (
    weights: number,
    x: number,
    bias: number,
    out: number,
    blocks: number,
    columns: number,
  ) => void;
}

/** The part of the WebAssembly API used here; the compiler's ES library does not declare it. */
interface Wasm {
  Memory: new (options: { initial: number }) => MatrixKernel['memory'];
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Pick<MatrixKernel, 'multiply'> };
}

export const ROWS_PER_BLOCK = 16;

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const LOOP = [0x03, 0x40];
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const constant = (value: number): number[] => [0x41, ...signed(value)];
const TEE = 0x22;
const ADD = 0x6a;
const SUB = 0x6b;
const branchIf = (depth: number): number[] => [0x0d, depth];
const load = (offset: number): number[] => [0xfd, 0x00, 0x02, offset];
const loadSplat = [0xfd, 0x09, 0x02, 0x00];
const store = (offset: number): number[] => [0xfd, 0x0b, 0x02, offset];
const F32X4_ADD = [0xfd, 0xe4, 0x01];
const F32X4_MUL = [0xfd, 0xe6, 0x01];

/** LEB128 of a small signed number. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0)) {
      bytes.push(byte);
      return bytes;
    }
    bytes.push(byte | 0x80);
  }
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
];
const text = (value: string): number[] => [value.length, ...Buffer.from(value, 'latin1')];

/** Parameters 0-5 as in `multiply`; locals: 6 columns left, 7 address in x, 8 the column's x, 9-12 sums. */
function multiplyBody(): number[] {
  const step = (local: number, bytes: number): number[] => [
    ...get(local),
    ...constant(bytes),
    ADD,
    ...set(local),
  ];
  const countDown = (local: number): number[] => [
    ...get(local),
    ...constant(1),
    SUB,
    TEE,
    local,
    ...branchIf(0),
  ];
  const sums = [9, 10, 11, 12];
  const locals = [2, 2, I32, 5, V128];
  return [
    locals,
    LOOP,
    ...sums.map((sum, i) => [...get(2), ...load(i * 16), ...set(sum)]),
    [...get(5), ...set(6), ...get(1), ...set(7)],
    LOOP,
    [...get(7), ...loadSplat, ...set(8)],
    ...sums.map((sum, i) => [
      ...get(sum),
      ...get(0),
      ...load(i * 16),
      ...get(8),
      ...F32X4_MUL,
      ...F32X4_ADD,
      ...set(sum),
    ]),
    step(0, 64),
    step(7, 4),
    countDown(6),
    [END],
    ...sums.map((sum, i) => [...get(3), ...get(sum), ...store(i * 16)]),
    step(2, 64),
    step(3, 64),
    countDown(4),
    [END, END],
  ].flat();
}

/** The kernel over a fresh memory of `bytes`. Throws where WebAssembly SIMD is missing. */
export function openMatrixKernel(bytes: number): MatrixKernel {
  const body = multiplyBody();
  const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const module = Uint8Array.from([
    ...HEADER,
    ...section(1, [1, 0x60, 6, I32, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...text('env'), ...text('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('multiply'), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
  const memory = new wasm.Memory({ initial: Math.max(1, Math.ceil(bytes / 65_536)) });
  const instance = new wasm.Instance(new wasm.Module(module), { env: { memory } });
  return { memory, multiply: instance.exports.multiply };
}
