import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { ManualClock } from '../../shared/clock.ts';
import { ListenerSocket } from './listener-socket.ts';

/** A connection that takes nothing unless it is told to. */
class Stub extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: unknown[] = [];
  pings = 0;
  isPaused = false;
  ended: string | null = null;
  send(data: unknown): void {
    this.sent.push(data);
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.ended = 'terminated';
    this.readyState = 3;
  }
  close(code: number): void {
    this.ended = String(code);
  }
}
function open(mayTalk = false): { stub: Stub; listener: ListenerSocket; heard: Int16Array[] } {
  const stub = new Stub();
  const ready = { call_id: 'call', sample_rate: 8_000 };
  const time = { clock: new ManualClock(), scheduler: { after: () => () => undefined } };
  const heard: Int16Array[] = [];
  const events = {
    onLeft: () => undefined,
    onRefused: () => undefined,
    mayTalk: () => mayTalk,
    onAudio: (pcm: Int16Array) => void heard.push(pcm),
  };
  return { stub, heard, listener: new ListenerSocket(stub as unknown as WebSocket, ready, time, events) };
}
const FRAME = new Int16Array(320);

describe('the connection of a listener', () => {
  it('passes on whole frames of a member who has taken the call over, and nothing of another', () => {
    const frame = Buffer.from(Int16Array.from({ length: 160 }, (_, n) => n).buffer);
    const talker = open(true);
    talker.stub.emit('message', frame, true);
    talker.stub.emit('message', frame.subarray(2), true);
    talker.stub.emit('message', frame, false);
    expect(talker.heard.map((pcm) => [pcm.length, pcm[159]])).toEqual([[160, 159]]);
    const listener = open();
    for (let n = 0; n < 12; n += 1) listener.stub.emit('message', frame, true);
    expect(listener.heard).toEqual([]);
    expect(listener.stub.ended).toBe('1008');
    for (let n = 0; n < 90; n += 1) talker.stub.emit('message', frame, true);
    expect(talker.heard).toHaveLength(91);
  });

  it('misses frames that it does not take in time, without keeping them', () => {
    const { stub, listener } = open();
    stub.bufferedAmount = 64_001;
    for (let n = 0; n < 100; n += 1) listener.send(FRAME);
    expect(stub.sent).toHaveLength(1);
    stub.bufferedAmount = 0;
    listener.send(FRAME);
    expect(stub.sent).toHaveLength(2);
  });

  it('is cut after 15 seconds without taking a frame, or without a sign of life', () => {
    const stuck = open();
    stuck.stub.bufferedAmount = 64_001;
    for (let n = 0; n < 760; n += 1) {
      if (n % 100 === 0) stuck.stub.emit('pong');
      stuck.listener.send(FRAME);
    }
    expect(stuck.stub.ended).toBe('terminated');
    const silent = open();
    for (let n = 0; n < 749; n += 1) silent.listener.send(FRAME);
    expect([silent.stub.ended, silent.stub.pings]).toEqual([null, 2]);
    silent.listener.send(FRAME);
    expect(silent.stub.ended).toBe('terminated');
  });

  it('is closed when it talks', () => {
    const { stub } = open();
    for (let n = 0; n < 11; n += 1) stub.emit('message', Buffer.alloc(640), true);
    expect(stub.ended).toBe('1008');
  });
});
