import type { HistoryItem } from '@callwright/turns';
import { expect, it } from 'vitest';
import { linesOf, summaryOf } from './summary.ts';

const caller = (text: string): HistoryItem => ({ role: 'caller', text, by: 'speech' });
const agent = (text: string): HistoryItem => ({ role: 'agent', text, interrupted: false });

it('a summary by rules has the captured values and the last four lines', () => {
  const history = [
    agent('City Dental.'),
    caller('hello'),
    agent('Which invoice?'),
    caller('four two'),
    agent('Thank you.'),
    { role: 'silence' },
    caller('a colleague please'),
  ] satisfies HistoryItem[];
  expect(summaryOf({ invoice: 'four two', paid: false, empty: '' }, history)).toBe(
    [
      'Known: invoice: four two; paid: false.',
      'Last said:',
      'agent: Which invoice?',
      'caller: four two',
      'agent: Thank you.',
      'caller: a colleague please',
    ].join('\n'),
  );
});

it('a summary by rules stays short, and says that nothing was said', () => {
  expect(summaryOf({}, [])).toBe('Nothing was said before.');
  const long = summaryOf({ text: 'y'.repeat(5_000) }, Array(50).fill(caller('x'.repeat(5_000))));
  expect(long.length).toBeLessThan(1_200);
});

it('the lines of a conversation have no tools, and none without words', () => {
  const tool: HistoryItem = { role: 'tool', name: 'book', result: { ok: true } };
  expect(linesOf([agent(''), tool, { role: 'unclear' }, { role: 'note', text: 'Be brief.' }])).toEqual([
    'note: Be brief.',
  ]);
});
