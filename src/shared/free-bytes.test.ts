import { describe, expect, it } from 'vitest';
import { freeBytes } from './free-bytes.ts';

describe('freeing bytes', () => {
  it('empties those that have their memory to themselves', () => {
    const bytes = Buffer.alloc(100_000, 1);
    freeBytes(bytes);
    expect(bytes).toHaveLength(0);
    freeBytes(bytes);
  });

  it('leaves alone what is a part of other bytes, or of the pool', () => {
    const whole = Buffer.alloc(100_000, 1);
    freeBytes(whole.subarray(10));
    const pooled = Buffer.from('pooled');
    freeBytes(pooled);
    expect(whole).toHaveLength(100_000);
    expect(pooled.toString()).toBe('pooled');
  });
});
