import { assert, integer, property, uuid } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { isSampled } from './sample.ts';

describe('isSampled', () => {
  it('has every call at 100 percent and none at 0', () => {
    assert(
      property(uuid(), (id) => {
        expect([isSampled(id, 100), isSampled(id, 0)]).toEqual([true, false]);
      }),
    );
  });

  it('keeps a call in every larger sample', () => {
    const percent = integer({ min: 0, max: 100 });
    assert(
      property(uuid(), percent, percent, (id, a, b) => {
        const [smaller, larger] = [isSampled(id, Math.min(a, b)), isSampled(id, Math.max(a, b))];
        expect(larger || !smaller).toBe(true);
      }),
    );
  });

  it('has about its share of the ids that calls get', () => {
    const ids = Array.from({ length: 4_000 }, () => newId());
    const share = ids.filter((id) => isSampled(id, 25)).length / ids.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });
});
