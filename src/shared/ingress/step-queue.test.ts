import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { StepQueue } from './step-queue.ts';

it('hands on every message once, in order, and never more in a step than it may', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.boolean(), { maxLength: 80 }),
      (perStep, moves) => {
        const taken: number[] = [];
        let inStep = 0;
        const queue = new StepQueue<number>(perStep, (n) => {
          taken.push(n);
          inStep += 1;
          expect(inStep).toBeLessThanOrEqual(perStep);
        });
        let pushed = 0;
        const step = (): void => {
          inStep = 0;
          queue.step();
        };
        for (const isPush of moves) {
          if (isPush) queue.push((pushed += 1));
          else step();
        }
        for (let n = 0; n <= pushed; n += 1) step();
        expect(taken).toEqual(Array.from({ length: pushed }, (_, n) => n + 1));
      },
    ),
  );
});

it('forgets what waits', () => {
  const taken: string[] = [];
  const queue = new StepQueue<string>(1, (message) => void taken.push(message));
  for (const message of ['a', 'b', 'c']) queue.push(message);
  queue.clear();
  queue.step();
  queue.push('d');
  expect(taken).toEqual(['a', 'd']);
});
