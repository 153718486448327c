import { describe, expect, it } from 'vitest';
import { FrameRelay } from './bridge.ts';
import { answerVirtualCall, type VirtualSession, voice } from '../../test/rigs/calls/virtual-session.ts';

const hungUp = async (call: VirtualSession) => {
  call.session.remoteHangup(call.time.now());
  return call.result();
};

const LOUD = 100;
const frame = (value: number): Int16Array => new Int16Array(160).fill(value * LOUD);
const drain = (relay: FrameRelay): number[] => {
  const out = new Int16Array(160);
  const values: number[] = [];
  while (relay.take(out)) values.push((out[0] ?? 0) / LOUD);
  return values;
};

describe('FrameRelay', () => {
  it('starts with two buffered frames, keeps the order and refills after a gap', () => {
    const relay = new FrameRelay(8000);
    relay.push(frame(1));
    expect(drain(relay)).toEqual([]);
    relay.push(frame(2));
    relay.push(frame(3));
    expect(drain(relay)).toEqual([1, 2, 3]);
    relay.push(frame(4));
    expect(drain(relay)).toEqual([]);
    relay.push(frame(5));
    expect(drain(relay)).toEqual([4, 5]);
  });

  it('copies the frame: the sender may reuse its array', () => {
    const relay = new FrameRelay(8000);
    const reused = frame(1);
    relay.push(reused);
    relay.push(reused.fill(2 * LOUD));
    reused.fill(9);
    expect(drain(relay)).toEqual([1, 2]);
  });

  it('buffers at most 240 ms: a burst loses its oldest frames', () => {
    const relay = new FrameRelay(8000);
    for (let i = 1; i <= 13; i++) relay.push(frame(i));
    expect(drain(relay)).toEqual([11, 12, 13]);
    for (let i = 1; i <= 300; i++) relay.push(frame(i));
    const left = drain(relay);
    expect(left.length).toBeLessThanOrEqual(12);
    expect(left.at(-1)).toBe(300);
  });

  it('shrinks a full buffer during silence without losing sound', () => {
    const relay = new FrameRelay(8000);
    const out = new Int16Array(160);
    const heard: number[] = [];
    for (let i = 1; i <= 10; i++) relay.push(frame(i));
    for (let i = 0; i < 20; i++) {
      relay.push(frame(0));
      if (relay.take(out)) heard.push((out[0] ?? 0) / LOUD);
    }
    expect(heard.filter((value) => value > 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    relay.push(frame(11));
    expect(drain(relay).length).toBeLessThanOrEqual(4);
  });
});

describe('a caller who waits for a warm transfer', () => {
  it('hears music while the agent is silent, and none once the target is connected', async () => {
    const call = answerVirtualCall({ llm: { replies: ['I connect you.'] }, finals: ['hello'] });
    await call.hasSaid(/Maya/);
    await call.time.advance(1_500);
    const silent = call.person.soundMs();
    await call.time.advance(1_000);
    expect(call.person.soundMs()).toBe(silent);
    call.openTransfer('A caller for you.');
    await call.time.advance(1_400);
    expect(call.person.soundMs()).toBe(silent);
    await call.time.advance(2_500);
    expect(call.person.soundMs() - silent).toBeGreaterThan(1_500);
    call.session.bridgeAnswered(call.time.now());
    await call.time.until('the connection', () => call.bridge.some(({ type }) => type === 'connected'));
    // The last frame of music is on its way.
    await call.time.advance(200);
    const connected = call.person.soundMs();
    await call.time.advance(2_000);
    expect(call.person.soundMs()).toBe(connected);
    expect((await hungUp(call)).reason).toBe('USER_LEFT');
  });
});

describe('an agent after a warm transfer', () => {
  it('does not hear caller and target, and continues with the caller when the target is lost', async () => {
    const call = answerVirtualCall({
      llm: { replies: ['I connect you.'] },
      finals: ['hello', 'is that maya', 'hello'],
    });
    await call.hasSaid(/Maya/);
    const target = call.openTransfer('A caller for you.');
    call.session.bridgeAnswered(call.time.now());
    await call.time.until('the connection', () => call.bridge.some(({ type }) => type === 'connected'));
    const before = call.live.length;
    call.talk(1_000);
    target.say(voice(3_000));
    await call.time.advance(4_000);
    // Neither words nor music of the two become turns.
    expect(call.live.slice(before).filter(({ type }) => type === 'line')).toEqual([]);
    expect(target.soundMs()).toBeGreaterThan(500);
    call.session.closeBridge();
    call.talk(500);
    await call.hasSaid(/connect you/);
    expect((await hungUp(call)).reason).toBe('USER_LEFT');
  });
});
