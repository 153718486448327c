import { expect, it } from 'vitest';
import { meantParameter } from './meant-parameter.ts';

const HISTORY = [
  'limit',
  'offset',
  'cursor',
  'bulk_list_id',
  'agent_id',
  'status',
  'start_date',
  'to_number',
];

it.each([
  ['call_status', 'status'],
  ['stauts', 'status'],
  ['agentId', 'agent_id'],
  ['page', 'cursor'],
  ['per_page', 'limit'],
  ['from', 'start_date'],
  ['campaign_id', 'bulk_list_id'],
  ['number', 'to_number'],
  ['colour', null],
  ['x'.repeat(5000), null],
])('%s is probably meant as %s', (name, meant) => {
  expect(meantParameter(name, HISTORY)).toBe(meant);
});
