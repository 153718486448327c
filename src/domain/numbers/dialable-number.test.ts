import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../errors.ts';
import { dialableNumber } from './dialable-number.ts';

const check = (text: string, allowPremium = false): string => {
  try {
    return dialableNumber('mobile_number', text, { allowPremium }).inNumberingPlan ? 'ok' : 'unplanned';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    return error.message.startsWith('mobile_number ') ? 'refused' : 'unnamed';
  }
};

describe('dialableNumber', () => {
  it.each(['+14155550002', '+919876540002', '+442079460002', '+8613800000002', '+18005550002'])(
    'accepts %s',
    (n) => {
      expect(check(n)).toBe('ok');
    },
  );

  it.each([
    ['19005551234', 'no plus'],
    ['+19005551234', 'premium'],
    ['+448714000000', 'premium'],
    ['+447000000000', 'personal'],
    ['+88216000000', 'satellite'],
    ['+883510001234567', 'international network'],
    ['+979123456789', 'international premium'],
    ['+80812345678', 'international shared cost'],
    ['+870773111632', 'Inmarsat'],
    ['+1911', 'emergency'],
    ['911', 'emergency'],
    ['+112', 'emergency'],
    ['+3368000', 'short'],
    ['+810990123456', 'national prefix inside'],
    ['+1 415 555 0100', 'spaces'],
    ['tel:+14155550100', 'scheme'],
    ['+14155550100;phone-context=x', 'parameter'],
    ['+14155550100,,5', 'pauses'],
    ['+14155550100x5', 'extension'],
    ['+１４１５５５５０１００', 'full-width digits'],
    ['+14155550100\n', 'line end'],
    ['', 'empty'],
  ])('rejects %s (%s)', (number) => {
    expect(check(number)).toBe('refused');
  });

  it('accepts premium numbers where the workspace allows them', () => {
    expect(check('+19005551234', true)).toBe('ok');
    expect(check('+1911', true)).toBe('refused');
  });

  it('reports possible numbers outside the numbering plan', () => {
    expect(check('+15550000002')).toBe('unplanned');
  });

  it('accepts or rejects any text without another error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom('+', '0', '1', '4', '9', ';', ',', ' ') }),
        ),
        (s) => {
          const isE164 = /^\+[1-9]\d{6,14}$/.test(s);
          expect(isE164 || check(s) === 'refused').toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
