import { describe, expect, it } from 'vitest';
import { OnnxError, onnxTensors } from './onnx-tensors.ts';
import { noise } from './test-sounds.ts';

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number): number[] => [field * 8, ...varint(value)];
const bytes = (field: number, content: readonly number[]): number[] => [
  field * 8 + 2,
  ...varint(content.length),
  ...content,
];
const name = (field: number, text: string): number[] => bytes(field, [...Buffer.from(text)]);
const floats = (...values: number[]): number[] => [...Buffer.from(Float32Array.from(values).buffer)];

const constant = (output: string, tensor: readonly number[]): number[] =>
  bytes(1, [
    ...name(2, output),
    ...name(4, 'Constant'),
    ...bytes(5, [...name(1, 'value'), ...bytes(5, tensor)]),
  ]);
const tensor = [...number(1, 2), ...number(1, 1), ...number(2, 1), ...bytes(9, floats(1.5, -2))];
const branch = (inner: readonly number[]): number[] =>
  bytes(1, [...name(2, 'out'), ...bytes(5, [...name(1, 'then_branch'), ...bytes(6, inner)])]);
const model = (graph: readonly number[]): Buffer => Buffer.from([...number(1, 8), ...bytes(7, graph)]);

describe('onnxTensors', () => {
  it('reads float constants, including those of branches', () => {
    const packed = [...bytes(1, [1, 2]), ...number(2, 1), ...bytes(9, floats(3, 4))];
    const found = onnxTensors(model([...constant('a', tensor), ...branch(constant('b', packed))]));
    expect(found.get('a')).toEqual({ dims: [2, 1], values: Float32Array.of(1.5, -2) });
    expect(found.get('b')).toEqual({ dims: [1, 2], values: Float32Array.of(3, 4) });
    expect(found.size).toBe(2);
  });

  it('skips tensors of other types', () => {
    expect(onnxTensors(model(constant('i', [...number(2, 7), ...bytes(9, floats(1, 2))]))).size).toBe(0);
  });

  it('rejects wrong sizes, deep nesting and truncated files', () => {
    const wrong = [...number(1, 3), ...number(2, 1), ...bytes(9, floats(1))];
    expect(() => onnxTensors(model(constant('w', wrong)))).toThrow(OnnxError);
    let deep: number[] = constant('d', tensor);
    for (let i = 0; i < 12; i++) deep = branch(deep);
    expect(() => onnxTensors(model(deep))).toThrow('nested too deeply');
    const whole = model(constant('a', tensor));
    expect(() => onnxTensors(whole.subarray(0, whole.length - 3))).toThrow(OnnxError);
  });

  it('throws only OnnxError on mutated files', () => {
    const random = noise(42);
    const pick = (limit: number): number => Math.floor(((random() + 1) / 2) * limit) % limit;
    const base = model([...constant('a', tensor), ...branch(constant('b', tensor))]);
    const outcome = (file: Buffer): string => {
      try {
        onnxTensors(file);
        return 'read';
      } catch (error) {
        return error instanceof OnnxError ? 'refused' : String(error);
      }
    };
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 20_000; round++) {
      const mutated = Buffer.from(base);
      for (let i = 0; i <= pick(4); i++) mutated[pick(mutated.length)] = pick(256);
      const result = outcome(mutated.subarray(0, pick(8) === 0 ? pick(mutated.length) : mutated.length));
      outcomes.set(result, (outcomes.get(result) ?? 0) + 1);
    }
    expect([...outcomes.keys()].sort()).toEqual(['read', 'refused']);
    expect(outcomes.get('refused')).toBeGreaterThan(1000);
  });
});
