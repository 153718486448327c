import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { csv, ok, openListDesk, refused, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

describe('POST /campaign/save', () => {
  it('accepts national numbers of the given country and common ways to write numbers', async () => {
    const body = ok(
      await desk.save({
        file: csv(
          '98765 43210,a',
          '098765-43211,b',
          '919876543212,c',
          '+1 (415) 555-0123,d',
          '0091 98765 43213,e',
        ),
        fields: { country_code: '+91' },
      }),
    );
    expect((await desk.callsOf(body['list_id'])).map((c) => c.to_number)).toEqual([
      '+919876543210',
      '+919876543211',
      '+919876543212',
      '+14155550123',
      '+919876543213',
    ]);
  });

  it.each([
    ['9.19876543210E+11,x', 'scientific notation', '+919876543210'],
    ['9.19877E+11,x', 'scientific notation', undefined],
    ['919876543210.0,x', 'decimal number', '+919876543210'],
    ['+19005550123,x', 'premium', undefined],
    ['+881612345678,x', 'satellite', undefined],
    ['112,x', 'E.164', undefined],
    ['+112,x', 'not a phone number', undefined],
    ['+91987654321,x', 'no numbering plan', undefined],
    ['+14155550123 ext. 5,x', 'not a phone number', '+14155550123'],
    ['Tel: +14155550123,x', 'not a phone number', '+14155550123'],
    ['1-800-FLOWERS,x', 'not a phone number', undefined],
    [',x', 'is required', undefined],
    [`+14155550123,${'x'.repeat(201)}`, 'at most 200 characters', undefined],
    ['+14155550123,a\u0000b', 'NUL', undefined],
    ['"+14155550123"0,x', 'after a closing quote', undefined],
    ['+14155550123,x,y', 'the row has 3 cells', undefined],
  ])('refuses the row %j', async (row, reason, suggestion) => {
    const answer = await desk.save({ file: csv(row) });
    refused(answer, 422, '1 of 1 rows are invalid');
    const [first] = answer.body['invalid_rows'] as any[];
    expect(first).toMatchObject({ row: 1, reason: expect.stringContaining(reason) });
    expect(first.suggestion).toBe(suggestion);
  });

  it('accepts premium numbers for a workspace that allows them, and unassigned numbers on the test carrier', async () => {
    const file = csv('+19005550123,x', '+91987654321,y');
    const demo = await createTenant(desk.api, {
      trunkKind: 'test',
      settings: { allow_premium_numbers: true },
    });
    const { agentId: own } = await createTestAgent(desk.api, demo);
    const body = ok(await desk.save({ file, fields: { agent_id: own } }, demo.key));
    expect(body['successful_rows']).toBe(2);
  });
});
