import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sipHost, transferTarget } from './transfer-target.ts';

const US = ['+14155550100'];
const DE = ['+4930123456'];
const CUBA = '+5352123456';

describe('transferTarget', () => {
  it.each([
    [CUBA, US],
    [`tel:${CUBA}`, US],
    [`tel:${CUBA};phone-context=example.com`, US],
    [`sip:${CUBA}@h.example`, US],
    [`SIP:${CUBA};npdi=yes@h.example:5070`, US],
    [`sips:${CUBA}@[2001:db8::1]`, US],
    [`sip:%2B5352123456@h.example`, US],
    [`sip:%252B5352123456@h.example`, US],
    [`sip:+53(52)12.34-56@h.example;user=phone`, US],
    ['sip:005352123456@h.example', US],
    ['sip:0115352123456@h.example', US],
    ['sip:00115352123456@h.example', US],
    ['sip:8105352123456@h.example', US],
    ['sip:5352123456@h.example', US],
    ['sip:95352123456@h.example', US],
    ['sip:%35352123456@h.example', US],
  ])('finds the Cuban number in %s', (text, ours) => {
    expect(transferTarget(text, ours)?.numbers).toContain(CUBA);
  });

  it('reads national numbers in the countries of the workspace', () => {
    expect(transferTarget('sip:4155550111@h.example', US)?.numbers).toContain('+14155550111');
    expect(transferTarget('sip:015112345678@h.example', DE)?.numbers).toContain('+4915112345678');
  });

  it.each([
    'sip:*675352123456@h.example',
    'sip:%23315352123456@h.example',
    'sip:0000000000000000000@h.example',
    'sip:00005352123456@h.example',
    'sip:+53x52123456@h.example',
    'sip:name5352123456@h.example',
    'sip:+911@h.example',
    'sip:%@h.example',
    'sip:desk%40other@h.example',
    'sip:desk@h.example;user=phone',
    'sip:desk@h.example;maddr=203.0.113.9',
    'sip:desk@h.example?Route=x',
    'tel:911',
    'desk@h.example',
    '911',
    '',
  ])('refuses %s', (text) => {
    expect(transferTarget(text, US)).toBeNull();
  });

  it('distinguishes names and short numbers from numbers', () => {
    expect(transferTarget('sip:desk.2@H.example', US)).toEqual({
      host: 'h.example',
      numbers: [],
      isShort: false,
    });
    expect(transferTarget('sip:204@h.example', US)).toEqual({
      host: 'h.example',
      numbers: [],
      isShort: true,
    });
  });

  it('parses any text without an error', () => {
    const part = fc.string({
      unit: fc.constantFrom('+', '%', '2', 'B', '0', '5', '3', ';', '@', 'sip:', '*'),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          part,
          fc.string({ unit: 'binary' }),
          part.map((user) => `sip:${user}@h.example`),
        ),
        (text) => {
          expect(() => transferTarget(text, US)).not.toThrow();
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('sipHost', () => {
  it.each([
    ['sip:sip.Example.com;transport=udp', 'sip.example.com'],
    ['sip:user@203.0.113.9:5070', '203.0.113.9'],
    ['sip:[2001:db8::1]:5060', '[2001:db8::1]'],
    ['', null],
  ])('of %s is %s', (uri, host) => {
    expect(sipHost(uri)).toBe(host);
  });
});
