import { describe, expect, it } from 'vitest';
import { freeBytes } from './free-bytes.ts';

describe('freeBytes', () => {
  it('detaches a buffer that owns its memory', () => {
    const bytes = Buffer.alloc(100_000, 1);
    freeBytes(bytes);
    expect(bytes).toHaveLength(0);
    freeBytes(bytes);
  });

  it('leaves a slice of another buffer or of the pool unchanged', () => {
    const whole = Buffer.alloc(100_000, 1);
    freeBytes(whole.subarray(10));
    const pooled = Buffer.from('pooled');
    freeBytes(pooled);
    expect(whole).toHaveLength(100_000);
    expect(pooled.toString()).toBe('pooled');
  });
});
