import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { Wheel, type MediaSink } from '@callwright/rtp';
import { ManualClock } from '../../shared/clock.ts';
import { WEB_FRAME_BYTES } from './messages.ts';
import { WebLeg } from './web-leg.ts';

/** A browser's connection that was read already, so that a pause stops nothing. */
class Stub extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  isPaused = false;
  closed: number | null = null;
  isTerminated = false;
  send(): void {}
  ping(): void {}
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  close(code: number): void {
    this.closed = code;
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

function connected() {
  const clock = new ManualClock();
  const timers: { at: number; run: () => void }[] = [];
  const scheduler = {
    after: (ms: number, run: () => void) => {
      timers.push({ at: clock.monotonic() + ms, run });
      return () => undefined;
    },
  };
  const advance = (ms: number): void => {
    clock.advance(ms);
    const due = timers.filter(({ at }) => at <= clock.monotonic());
    for (const timer of due) timers.splice(timers.indexOf(timer), 1)[0]?.run();
  };
  const taken = { frames: 0, keys: 0, lines: 0, refusals: 0, leavings: 0 };
  const leg = new WebLeg({
    wheel: new Wheel({ clock }),
    clock,
    scheduler,
    events: {
      onAway: () => undefined,
      onLeft: () => void (taken.leavings += 1),
      onRefused: () => void (taken.refusals += 1),
    },
  });
  leg.start({
    onAudio: () => void (taken.frames += 1),
    fill: () => false,
    onDtmf: () => void (taken.keys += 1),
    onText: () => void (taken.lines += 1),
    onMediaTimeout: () => undefined,
  } satisfies MediaSink);
  const socket = new Stub();
  leg.attach(socket as unknown as WebSocket, { type: 'ready', call_id: '', resume: '', sample_rate: 16_000 });
  const say = (message: object): void =>
    void socket.emit('message', Buffer.from(JSON.stringify(message)), false);
  const ticks = (count: number): void => {
    for (let n = 0; n < count; n += 1) leg.onTick(clock.now());
  };
  return { socket, taken, advance, say, ticks };
}

describe('a browser call that is flooded', () => {
  it('takes few of 1,000 typed lines at once, and closes the connection', () => {
    const { socket, taken, advance, say, ticks } = connected();
    for (let n = 0; n < 1_000; n += 1) say({ type: 'text', text: 'I want a table.' });
    ticks(100);
    expect(taken).toEqual({ frames: 0, keys: 0, lines: 40, refusals: 1, leavings: 0 });
    expect([socket.closed, socket.isPaused]).toEqual([1008, true]);
    advance(1_000);
    expect(socket.isTerminated).toBe(true);
  });

  it('takes two lines in a tick of 20 ms, all in their order, and leaves after the last of them', () => {
    const { socket, taken, say, ticks } = connected();
    for (let n = 0; n < 20; n += 1) say({ type: 'text', text: 'I want a table.' });
    socket.emit('close', 1000);
    const counts: number[][] = [];
    for (let n = 0; n < 12; n += 1) {
      counts.push([taken.lines, taken.leavings]);
      ticks(1);
    }
    expect(counts).toEqual([
      ...[2, 4, 6, 8, 10, 12, 14, 16, 18, 20].map((lines) => [lines, 0]),
      [20, 1],
      [20, 1],
    ]);
  });

  it('is not read while no key fits, and goes on when one does', () => {
    const { socket, taken, advance, say, ticks } = connected();
    for (let n = 0; n < 41; n += 1) say({ type: 'dtmf', digit: '1' });
    ticks(20);
    expect([taken.keys, socket.isPaused, socket.closed]).toEqual([40, true, null]);
    advance(100);
    expect(socket.isPaused).toBe(false);
    say({ type: 'dtmf', digit: '2' });
    expect(taken.keys).toBe(41);
  });

  it('gets no budget of its own for a second connection', () => {
    const { socket, taken, say, ticks } = connected();
    for (let n = 0; n < 340; n += 1) say({ type: 'dtmf', digit: '1' });
    expect(socket.closed).toBe(null);
    say({ type: 'dtmf', digit: '1' });
    ticks(20);
    expect([socket.closed, taken.keys]).toEqual([1008, 40]);
  });

  it('keeps its audio when the network was stalled for six seconds', () => {
    const { socket, taken, advance } = connected();
    const frame = Buffer.alloc(WEB_FRAME_BYTES);
    for (let n = 0; n < 300; n += 1) socket.emit('message', frame, true);
    expect([taken.frames, socket.closed]).toEqual([100, null]);
    for (let n = 0; n < 50; n += 1) {
      advance(20);
      socket.emit('message', frame, true);
    }
    expect([taken.frames, socket.closed]).toEqual([150, null]);
  });

  it('counts pings as messages', () => {
    const { socket } = connected();
    for (let n = 0; n < 400; n += 1) socket.emit('ping');
    expect(socket.closed).toBe(1008);
  });
});
