import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { ManualClock } from '../../shared/clock.ts';
import { ChatConnection } from './chat-connection.ts';
import type { PageMessage } from './messages.ts';

class Stub extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  closed: number | null = null;
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  pause(): void {}
  resume(): void {}
  terminate(): void {}
  close(code: number): void {
    this.closed ??= code;
  }
}

function connected(store: () => Promise<boolean>) {
  const [socket, stored] = [new Stub(), [] as PageMessage['type'][]];
  const time = { clock: new ManualClock(), scheduler: { after: () => () => undefined } };
  const refusals = { count: 0 };
  const chat = { workspaceId: 'w', chatId: 'c', after: 0 };
  void new ChatConnection(chat, socket as unknown as WebSocket, time, {
    onMessage: (message) => {
      stored.push(message.type);
      return store();
    },
    onRefused: () => void (refusals.count += 1),
    onClosed: () => undefined,
  });
  const say = (message: object): void =>
    void socket.emit('message', Buffer.from(JSON.stringify(message)), false);
  return { socket, stored, refusals, say, clock: time.clock };
}

it('`ready` in a loop is stored once, and the connection is closed', () => {
  const { socket, stored, say } = connected(() => Promise.resolve(true));
  for (let n = 0; n < 1_000; n += 1) say({ type: 'ready' });
  expect([stored, socket.closed]).toEqual([['ready'], 1008]);
});

it('one message of a connection is stored at a time, and none after a hangup', async () => {
  const first = Promise.withResolvers<boolean>();
  const { stored, say } = connected(() => first.promise);
  say({ type: 'ready' });
  say({ type: 'text', id: 'a', text: 'Hello' });
  say({ type: 'hangup' });
  say({ type: 'hangup' });
  say({ type: 'text', id: 'b', text: 'Hello' });
  expect(stored).toEqual(['ready']);
  first.resolve(true);
  await expect.poll(() => stored).toEqual(['ready', 'text', 'hangup']);
});

it('a flood of lines is dropped unread beyond the budget', () => {
  const { socket, stored, refusals, say } = connected(() => Promise.resolve(true));
  for (let n = 0; n < 500; n += 1) say({ type: 'text', id: `n${n}`, text: 'Hello' });
  expect([stored.length, refusals.count, socket.closed]).toEqual([1, 51, 1008]);
});

it('at most 30 lines wait while nothing is stored, and none of them is stored after one that could not be', async () => {
  const first = Promise.withResolvers<boolean>();
  const { socket, stored, say, clock } = connected(() => first.promise);
  for (let n = 0; n < 40; n += 1) {
    say({ type: 'text', id: `n${n}`, text: 'Hello' });
    clock.advance(2_000);
  }
  const refused = socket.sent.filter((text) => text.includes('"refused"'));
  expect(refused).toHaveLength(10);
  first.resolve(false);
  await first.promise;
  say({ type: 'text', id: 'later', text: 'Hello' });
  await expect.poll(() => stored.length).toBe(2);
});
