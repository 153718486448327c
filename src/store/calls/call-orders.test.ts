import { expect, it } from 'vitest';
import { orderIn } from './call-orders.ts';

it('an order is read from a notification, and a wake or damaged text is none', () => {
  const sent = { workspaceId: 'w', callId: 'c', order: { operation: 'take_over', by: 'sam' } } as const;
  expect(orderIn(JSON.stringify(sent))).toEqual(sent);
  for (const payload of ['', '{', 'null', '7', '{"workspaceId":"w","callId":"c"}'])
    expect(orderIn(payload)).toBeNull();
});
