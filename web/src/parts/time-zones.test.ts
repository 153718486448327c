import { expect, it } from 'vitest';
import { zonedTimes } from './time-zones.ts';

const labels = (reader: string, agent: string | null): string[] =>
  zonedTimes('2026-11-25T00:25:02Z', reader, agent).map(({ label }) => label);

it('gives a time for the reader, for an assistant in another zone, and in UTC', () => {
  const [reader, agent, utc] = zonedTimes('2026-11-25T00:25:02Z', 'Asia/Kolkata', 'America/New_York');
  expect(reader).toMatchObject({
    label: 'Your time, Asia/Kolkata',
    text: expect.stringContaining('5:55:02'),
  });
  expect(agent?.label).toBe('Assistant’s time, America/New_York');
  expect(agent?.text).toContain('7:25:02');
  expect(utc?.text).toContain('12:25:02');
});

it('names each zone once, and leaves out what is no zone or no time', () => {
  expect(labels('UTC', 'UTC')).toEqual(['Your time, UTC']);
  expect(labels('Asia/Kolkata', 'Asia/Calcutta')).toEqual(['Your time, Asia/Kolkata', 'UTC']);
  expect(labels('Asia/Kolkata', 'Etc/UTC')).toEqual(['Your time, Asia/Kolkata', 'Assistant’s time, UTC']);
  expect(labels('Asia/Kolkata', 'No/Such')).toEqual(['Your time, Asia/Kolkata', 'UTC']);
  expect(zonedTimes('never', 'UTC', null)).toEqual([]);
});
