import { expect, it } from 'vitest';
import type { FlowDocument } from './flow-document.ts';
import { findStep } from './find-step.ts';

const flow: FlowDocument = {
  start: 'day',
  nodes: [
    { id: 'day', type: 'collect', ask: 'Which day suits you?', edges: [{ to: 'bye', if: 'known.day' }] },
    { id: 'help', type: 'talk', prompt: 'Help them with the bill.' },
    { id: 'bye', type: 'end', say: 'Have a nice Day.' },
  ],
};

it('finds the next step round the end, by name, words and conditions', () => {
  expect(findStep(flow, 'DAY', 0)).toBe(2);
  expect(findStep(flow, 'day', 2)).toBe(0);
  expect(findStep(flow, 'bill', 2)).toBe(1);
  expect(findStep(flow, 'known.', 1)).toBe(0);
});

it('finds nothing for an empty text, in an empty flow, and where no step has the text', () => {
  expect(findStep(flow, ' ', 0)).toBeNull();
  expect(findStep(flow, 'price', 0)).toBeNull();
  expect(findStep({ start: '', nodes: [] }, 'day', 0)).toBeNull();
});
