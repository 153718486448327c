import { expect, it } from 'vitest';
import { readLadder, writeLadder, type LadderStep } from './sip-ladder.ts';

it('reads back what it wrote, and nothing from an attempt without messages', () => {
  const steps: LadderStep[] = [
    { at: 1_767_607_200_000, direction: 'out', what: 'INVITE', note: '' },
    { at: 1_767_607_200_120, direction: 'in', what: '486 INVITE', note: 'Busy Here; reason: Q.850;cause=17' },
    { at: 1_767_607_200_121, direction: 'out', what: 'ACK', note: '' },
  ];
  expect(readLadder(writeLadder(steps))).toEqual(steps);
  expect(writeLadder([])).toBeNull();
  expect(readLadder(null)).toEqual([]);
});
