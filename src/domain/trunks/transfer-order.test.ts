import { describe, expect, it } from 'vitest';
import { createSeal } from '../../shared/seal.ts';
import { openOrder, sealOrder } from './transfer-order.ts';

describe('a transfer in an address', () => {
  const seal = createSeal('a key of at least thirty-two characters');
  const order = { target: 'sip:desk@example.com', callerId: '+14155550100', ringSeconds: 20 };

  it('is read by the installation that sealed it', () => {
    expect(openOrder(seal, sealOrder(seal, order))).toEqual(order);
  });

  it('is refused from others, and where another value was sealed', () => {
    const other = createSeal('another key of at least thirty-two characters');
    const password = Buffer.from(seal.seal('["a password"'), 'utf8').toString('base64url');
    expect([
      openOrder(seal, sealOrder(other, order)),
      openOrder(seal, password),
      openOrder(seal, 'x'),
    ]).toEqual([null, null, null]);
  });
});
