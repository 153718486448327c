import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REASON_CODES, readReason, reasonSentence, valuesOf } from './state-reason.ts';

describe('the reason for the state of a campaign', () => {
  it('is read from the sentence that is stored', () => {
    expect(
      readReason(
        'Paused by the circuit breaker: 12 of the last 20 calls failed at the carrier or in the service',
      ),
    ).toEqual({ code: 'circuit_breaker', values: { failed: 12, attempts: 20 } });
    expect(readReason('WhatsApp refuses the template with the error -1')).toEqual({
      code: 'template_refused',
      values: { error: -1 },
    });
    expect(readReason('Paused by request')).toEqual({ code: 'by_request', values: {} });
  });

  it('is none for another sentence', () => {
    expect(readReason(null)).toBeNull();
    expect(readReason('')).toBeNull();
    expect(readReason('Paused by request, twice')).toBeNull();
    expect(readReason('file: column Phone is missing')).toBeNull();
    expect(readReason('WhatsApp refuses the template with the error x')).toBeNull();
    expect(readReason('WhatsApp refuses the template with the error ')).toBeNull();
  });

  it('is the same after it was stored and read', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...REASON_CODES),
        fc.array(fc.integer({ min: -999_999_999, max: 999_999_999 }), { minLength: 2, maxLength: 2 }),
        (code, numbers) => {
          const values = Object.fromEntries(valuesOf(code).map((name, index) => [name, numbers[index] ?? 0]));
          expect(readReason(reasonSentence(code, values))).toEqual({ code, values });
        },
      ),
    );
  });
});
