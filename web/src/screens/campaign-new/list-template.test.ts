import { expect, it } from 'vitest';
import { guessColumns } from './guess-columns.ts';
import { readListHead } from './list-head.ts';
import { templateCsv } from './list-template.ts';

it('is a list whose columns the form recognises', async () => {
  const variables = ['mobile_number', 'callee_name', 'order id', 'a "b", c'];
  const bytes = new Uint8Array(await templateCsv(variables).arrayBuffer());
  const head = readListHead(bytes, true);
  expect(head).toMatchObject({
    header: ['Mobile Number', 'Callee Name', 'order id', 'a "b", c'],
    rows: [],
    text: { encoding: 'UTF-8' },
  });
  expect(Object.keys(guessColumns(variables, head.header))).toEqual(variables);
});
