import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerValue } from './header-value.ts';

describe('the value of a header with variables', () => {
  it.each([
    ['X-Ticket', '{{ticket}}', 'T-42'],
    ['X-Ticket', 'id={{ticket}}; level={{level|normal}}', 'id=T-42; level=normal'],
    ['X-Ticket', 'a constant', 'a constant'],
    ['User-to-User', '{{ticket}}', '542d3432;encoding=hex'],
    ['user-to-user', '{{hex}};encoding=hex;content=isdn-uui', '0461;encoding=hex;content=isdn-uui'],
    ['User-to-User', '6161;encoding=hex', '6161;encoding=hex'],
  ])('%s: %s is %s', (name, template, value) => {
    expect(headerValue(name, template, { ticket: 'T-42', hex: '0461' })).toBe(value);
  });

  it('leaves the header out without a value of a variable', () => {
    expect(headerValue('X-Ticket', '{{ticket}} {{level}}', { ticket: 'T-42' })).toBeNull();
    expect(headerValue('X-Ticket', '{{ticket}}', { ticket: '  ' })).toBeNull();
  });

  it('leaves the header out whose value is no single line or longer than 500 characters', () => {
    const ticket = (value: string) => headerValue('X-Ticket', '{{ticket}}', { ticket: value });
    expect(ticket('a\r\nContact: <sip:thief@192.0.2.66>')).toBeNull();
    expect(ticket('a\0b')).toBeNull();
    expect(ticket('a'.repeat(500))).toHaveLength(500);
    expect(ticket('a'.repeat(501))).toBeNull();
    expect(headerValue('User-to-User', '{{ticket}}', { ticket: 'a'.repeat(250) })).toBeNull();
  });

  it('is one line whatever the variables contain', () => {
    const value = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom('X-A', 'User-to-User'), value, (name, ticket) => {
        // oxlint-disable-next-line no-control-regex -- looks for control characters
        expect(headerValue(name, 'a {{ticket}} b', { ticket }) ?? '').not.toMatch(/[\u0000-\u001f\u007f]/);
      }),
    );
  });

  it('of User-to-User carries every text of one line', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((word) => `é${word}é`);
    fc.assert(
      fc.property(text, (ticket) => {
        const value = headerValue('User-to-User', '{{ticket}}', { ticket });
        const octets = Buffer.from(value?.replace(';encoding=hex', '') ?? '', 'hex');
        expect(octets.toString()).toBe(ticket);
      }),
    );
  });
});
