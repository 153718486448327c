import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditObjects } from './audit-objects.ts';

const A = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
const B = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a11';

describe('auditObjects', () => {
  it('copies ids of path, body and response, and the operation', () => {
    const body = { operation: 'edit_voice', agent_id: A.toUpperCase(), call_ids: [A, 'x', B], name: 'Sam' };
    const answer = `{"success":true,"data":{"id":"${B}","agent_id":"${B}","mobile_number":"+14155550100"}}`;
    expect(auditObjects({ params: { kb_id: B }, body }, answer)).toEqual({
      operation: 'edit_voice',
      kb_id: B,
      agent_id: A,
      call_ids: [A, B],
      id: B,
    });
  });

  it('copies nothing but ids', () => {
    const ids = new RegExp(`^(${A}|[0-9a-f-]{36})$`);
    const value = fc.oneof(fc.string(), fc.constant(A), fc.array(fc.string()), fc.constant(null));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.string(), (body, answer) => {
        const { operation, ...found } = auditObjects({ params: {}, body }, answer);
        expect(String(operation ?? 'none')).toMatch(/^[a-z_]+$/);
        for (const one of Object.values(found).flat()) expect(one).toMatch(ids);
        expect(Object.keys(found).length).toBeLessThanOrEqual(12);
      }),
    );
  });

  it('limits the number of ids', () => {
    const body = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [
        `${'abcdefghij'.slice(0, (at % 9) + 1)}${'_'.repeat(at)}_ids`,
        [A],
      ]),
    );
    const many = { params: {}, body: { ...body, x_ids: Array.from({ length: 100 }, () => A) } };
    expect(Object.keys(auditObjects(many, `{"id":"${A}"}`)).length).toBeLessThanOrEqual(12);
  });
});
