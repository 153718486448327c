/** A float tensor of an ONNX file: its dimensions and little-endian values. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/** The file is not an ONNX model this reader can use. */
export class OnnxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OnnxError';
  }
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 8;
const MAX_FIELDS = 200_000;
const FLOAT = 1;

/** Field numbers of onnx.proto3. */
const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const NODE_OUTPUT = 2;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE_TENSOR = 5;
const ATTRIBUTE_GRAPH = 6;
const TENSOR_DIMS = 1;
const TENSOR_TYPE = 2;
const TENSOR_RAW = 9;

type Field = { readonly number: number; readonly value: number | Buffer };

/**
 * The float constants of a model by output name, including those inside branches. Throws OnnxError for malformed
 * models.
 */
export function onnxTensors(file: Buffer): ReadonlyMap<string, Tensor> {
  if (file.length > MAX_FILE_BYTES) throw new OnnxError('model file is too large');
  const budget = { fields: MAX_FIELDS };
  const found = new Map<string, Tensor>();
  for (const field of fields(file, budget)) {
    if (field.number === MODEL_GRAPH && typeof field.value !== 'number')
      readGraph(field.value, 0, budget, found);
  }
  return found;
}

function readGraph(
  bytes: Buffer,
  depth: number,
  budget: { fields: number },
  found: Map<string, Tensor>,
): void {
  if (depth > MAX_DEPTH) throw new OnnxError('model is nested too deeply');
  for (const node of fields(bytes, budget)) {
    if (node.number !== GRAPH_NODE || typeof node.value === 'number') continue;
    let output = '';
    for (const field of fields(node.value, budget)) {
      if (typeof field.value === 'number') continue;
      if (field.number === NODE_OUTPUT && output === '') output = field.value.toString('utf8');
      if (field.number !== NODE_ATTRIBUTE) continue;
      for (const part of fields(field.value, budget)) {
        if (typeof part.value === 'number') continue;
        if (part.number === ATTRIBUTE_GRAPH) readGraph(part.value, depth + 1, budget, found);
        if (part.number !== ATTRIBUTE_TENSOR || output === '') continue;
        const tensor = readTensor(part.value, budget);
        if (tensor !== null) found.set(output, tensor);
      }
    }
  }
}

/** Null for tensors of other element types. */
function readTensor(bytes: Buffer, budget: { fields: number }): Tensor | null {
  const dims: number[] = [];
  let type = 0;
  let raw: Buffer | null = null;
  for (const field of fields(bytes, budget)) {
    if (field.number === TENSOR_TYPE && typeof field.value === 'number') type = field.value;
    if (field.number === TENSOR_RAW && typeof field.value !== 'number') raw = field.value;
    if (field.number !== TENSOR_DIMS) continue;
    if (typeof field.value === 'number') dims.push(field.value);
    else for (let at = 0; at < field.value.length;) at = varint(field.value, at, (value) => dims.push(value));
  }
  if (type !== FLOAT || raw === null) return null;
  if (dims.reduce((product, dim) => product * dim, 1) * 4 !== raw.length) {
    throw new OnnxError('tensor size does not match its dimensions');
  }
  const values = new Float32Array(raw.length / 4);
  // As on every processor that runs this, the file's byte order is the array's.
  new Uint8Array(values.buffer).set(raw);
  return { dims, values };
}

/** The fields of one protobuf message; groups are not part of ONNX. */
function* fields(bytes: Buffer, budget: { fields: number }): Generator<Field> {
  let at = 0;
  const read = (): number => {
    let result = 0;
    at = varint(bytes, at, (value) => {
      result = value;
    });
    return result;
  };
  while (at < bytes.length) {
    if (--budget.fields < 0) throw new OnnxError('model has too many fields');
    const tag = read();
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) yield { number, value: read() };
    else if (wire === 2) {
      const end = read() + at;
      if (end > bytes.length) throw new OnnxError('field runs past the end');
      const value = bytes.subarray(at, end);
      at = end;
      yield { number, value };
    } else if (wire === 1 || wire === 5) at += wire === 1 ? 8 : 4;
    else throw new OnnxError('unknown wire type');
  }
}

/** Reads one varint at `at` and returns the position after it; values beyond 2^53 lose low bits, unused here. */
function varint(bytes: Buffer, at: number, take: (value: number) => void): number {
  let value = 0;
  let scale = 1;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw new OnnxError('number runs past the end');
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) {
      take(value);
      return at + i + 1;
    }
  }
  throw new OnnxError('number is too long');
}
