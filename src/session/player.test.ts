import { describe, expect, it } from 'vitest';
import { Player } from './player.ts';
import { asWritten } from './word-places.ts';
import { answerVirtualCall, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';
import { peak } from '@callwright/audio';

const LONG = 'I have a slot on Tuesday at ten and another one on Friday, so which of them suits you better?';
const hungUp = async (call: VirtualSession) => {
  call.session.remoteHangup(call.time.now());
  return call.result();
};

const WORDS = asWritten('one two three four');
const frame = (): Int16Array => new Int16Array(160).fill(-1);
const tone = (ms: number, value: number): Int16Array => new Int16Array(ms * 8).fill(value);

function setUp() {
  const log: string[] = [];
  const player = new Player(8000, {
    onStarted: (id) => log.push(`start ${id}`),
    onEnded: (id) => log.push(`end ${id}`),
  });
  return { player, log };
}

describe('the player', () => {
  it('lowers the voice by 20 dB in 20 ms and raises it in 80 ms, without a jump', () => {
    const { player } = setUp();
    player.add(1, 1, WORDS);
    player.release(1);
    player.push(1, tone(1_000, 10_000));
    const frames = (count: number): number[] => {
      const levels: number[] = [];
      for (let i = 0; i < count; i++) {
        const out = frame();
        player.fill(out, i * 20);
        const steps = out.slice(1).map((sample, at) => Math.abs(sample - (out[at] ?? 0)));
        expect(Math.max(...steps)).toBeLessThan(60);
        levels.push(out.at(-1) ?? 0);
      }
      return levels;
    };
    expect(frames(1)).toEqual([10_000]);
    player.lower(true);
    expect(frames(3)).toEqual([1_000, 1_000, 1_000]);
    player.lower(false);
    expect(frames(5)).toEqual([3_250, 5_500, 7_750, 10_000, 10_000]);
  });

  it('speaks at full voice after a stop', () => {
    const { player } = setUp();
    player.add(1, 1, WORDS);
    player.release(1);
    player.push(1, tone(100, 10_000));
    player.lower(true);
    player.fill(frame(), 0);
    player.stop();
    player.add(2, 2, WORDS);
    player.push(2, tone(100, 10_000));
    player.release(2);
    const out = frame();
    player.fill(out, 20);
    expect([out[0], out.at(-1)]).toEqual([10_000, 10_000]);
  });

  it('holds a prepared reply until it is released', () => {
    const { player, log } = setUp();
    player.add(1, 10, WORDS);
    player.push(10, tone(40, 5));
    player.complete(10);
    expect(player.fill(frame(), 0)).toBe(false);
    player.release(1);
    const out = frame();
    expect(player.fill(out, 20)).toBe(true);
    expect(out[0]).toBe(5);
    player.fill(frame(), 40);
    expect(log).toEqual(['start 10', 'end 10']);
    expect(player.fill(frame(), 60)).toBe(false);
  });

  it('joins sentences without a gap and pads the last frame with silence', () => {
    const { player, log } = setUp();
    player.add(1, 1, WORDS);
    player.add(1, 2, WORDS);
    player.push(1, tone(30, 1));
    player.push(2, tone(20, 2));
    player.complete(1);
    player.complete(2);
    player.release(1);
    const first = frame();
    const second = frame();
    const third = frame();
    player.fill(first, 0);
    player.fill(second, 20);
    player.fill(third, 40);
    expect(Array.from(second.slice(78, 82))).toEqual([1, 1, 2, 2]);
    expect(Array.from(third.slice(78, 82))).toEqual([2, 2, 0, 0]);
    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2']);
  });

  it('waits for slow synthesis within a sentence', () => {
    const { player, log } = setUp();
    player.add(1, 1, WORDS);
    player.release(1);
    player.push(1, tone(20, 1));
    expect(player.fill(frame(), 0)).toBe(true);
    expect(player.fill(frame(), 20)).toBe(false);
    player.push(1, tone(20, 1));
    player.complete(1);
    expect(player.fill(frame(), 40)).toBe(true);
    expect(log).toEqual(['start 1', 'end 1']);
  });

  it('stops at once and returns exactly what was sent', () => {
    const { player } = setUp();
    player.add(1, 1, WORDS);
    player.add(1, 2, WORDS);
    player.push(1, tone(100, 1));
    player.complete(1);
    player.push(2, tone(500, 2));
    player.release(1);
    player.add(2, 3, WORDS);
    player.push(3, tone(100, 3));
    for (let i = 0; i < 7; i++) player.fill(frame(), i * 20);
    expect(player.stop()).toMatchObject([{ utteranceId: 2, playedMs: 40, totalMs: 500, complete: false }]);
    expect(player.fill(frame(), 200)).toBe(false);
    // What was prepared for another reply survives.
    player.release(2);
    expect(player.fill(frame(), 220)).toBe(true);
  });

  it('drops a cancelled reply and ignores its late audio', () => {
    const { player } = setUp();
    player.add(1, 1, WORDS);
    player.cancel(1);
    player.push(1, tone(100, 1));
    player.release(1);
    expect(player.fill(frame(), 0)).toBe(false);
    expect(player.isBusy).toBe(false);
  });

  it('drops audio and marks after a cut, but nothing that was sent', () => {
    const { player } = setUp();
    player.add(1, 7, WORDS);
    player.push(7, tone(60, 1));
    player.push(7, tone(40, 2));
    player.mark(7, [
      { textEnd: 3, audioMs: 30 },
      { textEnd: 8, audioMs: 90 },
    ]);
    player.release(1);
    player.fill(frame(), 0);
    player.cut(7, 30);
    player.push(7, tone(30, 3));
    player.mark(7, [{ textEnd: 8, audioMs: 55 }]);
    const out = frame();
    player.fill(out, 20);
    expect([out[0], out[79], out[80], out[159]]).toEqual([1, 1, 3, 3]);
    player.cut(7, 10);
    player.mark(7, [{ textEnd: 7, audioMs: 20 }]);
    const [heard] = player.stop();
    expect(heard).toMatchObject({ utteranceId: 7, playedMs: 40, totalMs: 40, complete: false });
    // 30 ms that were sent are void.
    expect(heard?.marks).toContainEqual({ textEnd: 7, audioMs: 50 });
  });
});

describe('pieces of audio', () => {
  it('leaves no gap between the pieces of a voice or between its sentences', () => {
    const player = new Player(8000, { onStarted: () => undefined, onEnded: () => undefined });
    const piece = (ms: number): Int16Array => new Int16Array(ms * 8).fill(4_000);
    for (const id of [1, 2]) player.add(1, id, WORDS);
    player.release(1);
    // Pieces of odd lengths, as speakers send them.
    for (const ms of [33, 7, 110, 51]) player.push(1, piece(ms));
    player.complete(1);
    for (const ms of [90, 29, 121]) player.push(2, piece(ms));
    player.complete(2);
    const out = new Int16Array(160);
    const samples: number[] = [];
    for (let at = 0; player.fill(out.fill(0), at); at += 20) samples.push(...out);
    expect(samples.slice(0, 441 * 8).indexOf(0)).toBe(-1);
    expect(samples.length).toBeLessThanOrEqual(460 * 8);
  });
});

describe('background sound', () => {
  it('neither drowns the agent nor keeps it from hearing the caller', async () => {
    const call = answerVirtualCall({
      agent: { backgroundVolume: 1 },
      llm: { replies: [LONG, 'All right.'] },
      finals: ['hello', 'friday please'],
    });
    await call.hasSaid(/Maya/);
    call.talk(400);
    await call.time.advance(2_500);
    call.talk(600);
    await call.hasSaid(/All right/);
    const frames = call.person.frames();
    expect(call.live.filter(({ type }) => type === 'interrupted')).toHaveLength(1);
    // One frame every 20 ms, none of them silent.
    expect(Math.abs(frames.length - call.elapsed() / 20)).toBeLessThanOrEqual(2);
    expect(frames.slice(2).filter((frame) => peak(frame) === 0)).toEqual([]);
    await hungUp(call);
  });
});
