import { describe, expect, it } from 'vitest';
import { findColumns } from './contact-columns.ts';

describe('the columns of a list', () => {
  it('finds columns by their headers, mapped ones first', () => {
    const rules = {
      variablesMap: { order: 'Ref' },
      promptVariables: ['order', 'Due Date'],
      declaredVariables: ['gone'],
    };
    expect(findColumns([' mobile_number ', 'REF', 'due date', 'order'], rules)).toMatchObject({
      ok: true,
      columns: {
        number: 0,
        name: null,
        variables: [
          { name: 'order', at: 1 },
          { name: 'Due Date', at: 2 },
        ],
      },
    });
    expect(findColumns(['Mobile Number', 'x'], rules)).toMatchObject({
      ok: false,
      problems: [
        { field: 'variables_map.order' },
        { field: 'file', message: expect.stringContaining('Due Date') },
      ],
    });
  });

  it.each([
    ['Mobile Number', 'mobile_number'],
    ['Mobile Number', 'x', 'City_Name', 'City-Name'],
    ['Mobile Number', 'caf\u00e9', 'cafe\u0301'],
  ])('refuses headers that it could not tell apart: %s, %s', (...header) => {
    const rules = { variablesMap: {}, promptVariables: [], declaredVariables: ['city name'] };
    expect(findColumns(header, rules)).toMatchObject({
      ok: false,
      problems: [{ field: 'file', message: expect.stringContaining('twice: in columns') }],
    });
  });
});
