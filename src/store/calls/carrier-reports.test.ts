import { expect, it } from 'vitest';
import { reportIn } from './carrier-reports.ts';

it('a notification has the report of a carrier, or is none of these', () => {
  const carrierReport = { trunkId: 't', attemptId: 'a', carrierCallId: 'c', state: 'busy', sipCode: 486 };
  expect(reportIn(JSON.stringify({ carrierReport }))).toEqual(carrierReport);
  const others = ['', '{"carrierReport":', '{"carrierReport":{}}', JSON.stringify({ order: carrierReport })];
  expect(others.map(reportIn)).toEqual([null, null, null, null]);
});
