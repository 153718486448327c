import { describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { Budget, Budgets } from './budget.ts';
import { Entrance } from './entrance.ts';

describe('a budget', () => {
  const limits = { messages: { burst: 2, perSecond: 1 }, bytes: { burst: 100, perSecond: 10 } };

  it('lets a message pass only if messages and bytes are left', () => {
    const budget = new Budget(limits);
    expect(budget.take(60, 0)).toBe(true);
    expect(budget.take(60, 0)).toBe(false);
    expect(budget.take(40, 0)).toBe(true);
    expect(budget.take(0, 0)).toBe(false);
    expect(budget.waitMs(20, 0)).toBe(2_000);
    expect(budget.take(20, 2_000)).toBe(true);
  });

  it('takes nothing from the other bucket when one refuses', () => {
    const budget = new Budget(limits);
    expect(budget.take(101, 0)).toBe(false);
    expect(budget.take(50, 0)).toBe(true);
    expect(budget.take(50, 0)).toBe(true);
  });

  it('is overdrawn by processor time, refuses until it has come back, and is full again later', () => {
    const budget = new Budget({ processorMs: { burst: 1_000, perSecond: 100 } });
    expect(budget.charge(900, 0)).toBe(true);
    expect(budget.charge(300, 0)).toBe(false);
    expect(budget.take(0, 0)).toBe(false);
    expect(budget.take(0, 2_000)).toBe(true);
    expect(budget.isFull(2_000)).toBe(false);
    expect(budget.isFull(12_000)).toBe(true);
  });
});

describe('budgets of many owners', () => {
  it('forget only owners that used nothing lately, and give the others that come one budget together', () => {
    const budgets = new Budgets({ messages: { burst: 1, perSecond: 1 } }, 2);
    expect(budgets.of('a', 0).take(0, 0)).toBe(true);
    expect(budgets.of('b', 0).take(0, 0)).toBe(true);
    expect(budgets.of('c', 0).take(0, 0)).toBe(true);
    expect(budgets.of('d', 0).take(0, 0)).toBe(false);
    expect(budgets.of('a', 0).take(0, 0)).toBe(false);
    expect(budgets.size).toBe(2);
    expect(budgets.of('e', 1_500).take(0, 1_500)).toBe(true);
    expect(budgets.size).toBe(2);
  });
});

describe('an entrance', () => {
  it('draws from all budgets of a message or from none, and counts what it refuses', () => {
    const clock = new ManualClock();
    const refused: string[] = [];
    const entrance = new Entrance(
      'web_chat',
      {
        address: { messages: { burst: 2, perSecond: 0.5 } },
        key: { messages: { burst: 3, perSecond: 1 } },
        all: { messages: { burst: 100, perSecond: 100 } },
      },
      { clock, onRefused: (name) => refused.push(name) },
    );
    expect(entrance.admit({ address: '192.0.2.1', key: 'k' })).toBe(0);
    expect(entrance.admit({ address: '192.0.2.99', key: 'k' })).toBe(0);
    expect(entrance.admit({ address: '192.0.2.7', key: 'k' })).toBe(2);
    // Had the key paid for the refused one, it would be empty.
    expect(entrance.admit({ address: '198.51.100.1', key: 'k' })).toBe(0);
    expect(entrance.admit({ address: '198.51.100.1', key: 'k' })).toBe(1);
    clock.advance(2_000);
    expect(entrance.admit({ address: '192.0.2.7', key: 'k' })).toBe(0);
    expect(refused).toEqual(['web_chat', 'web_chat']);
  });
});
