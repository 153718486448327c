import { describe, expect, it } from 'vitest';
import { createTalkLevel, isBackground, isFar, type TalkLevel } from './caller-filter.ts';

/** Feeds talk of one level; returns the share of its frames that are background. */
function feed(talk: TalkLevel, levelDbfs: number, ms: number, agentSounds = false): number {
  let muted = 0;
  for (let at = 0; at < ms; at += 20) {
    const isLoud = (at / 20) % 10 < 8;
    const frame = { probability: isLoud ? 0.9 : 0.1, levelDbfs: isLoud ? levelDbfs : -60, agentSounds };
    if (isBackground(talk, frame)) muted += 20;
  }
  return muted / ms;
}

describe('the level of talk', () => {
  it('makes a background of softer talk that goes on while the agent speaks', () => {
    const talk = createTalkLevel();
    expect(feed(talk, -20, 600)).toBe(0);
    feed(talk, -31, 3_000, true);
    expect(feed(talk, -31, 2_000)).toBeGreaterThan(0.95);
    // The caller is heard over it, and it is background again after them.
    expect(feed(talk, -20, 2_000)).toBeLessThan(0.05);
    expect(feed(talk, -31, 2_000)).toBeGreaterThan(0.85);
  });

  it('mutes no soft talk on a line without a background', () => {
    const talk = createTalkLevel();
    feed(talk, -18, 600);
    expect(feed(talk, -36, 4_000)).toBe(0);
    // An interruption of half a second makes no background either.
    expect(feed(talk, -36, 500, true)).toBe(0);
    expect(feed(talk, -36, 4_000)).toBe(0);
  });

  it('forgets a background that has ended', () => {
    const talk = createTalkLevel();
    feed(talk, -20, 600);
    feed(talk, -31, 3_000, true);
    for (let at = 0; at < 1_500; at += 20)
      isBackground(talk, { probability: 0, levelDbfs: -70, agentSounds: true });
    expect(feed(talk, -31, 1_000)).toBe(0);
  });
});

describe('a far talker', () => {
  it('is softer than the caller, after 100 ms of sound', () => {
    const talk = createTalkLevel();
    feed(talk, -20, 1_000);
    feed(talk, -70, 200);
    feed(talk, -32, 60, true);
    expect(isFar(talk)).toBeNull();
    feed(talk, -32, 100, true);
    expect(isFar(talk)).toBe(true);
    // The caller is heard over the television within three frames.
    feed(talk, -22, 60, true);
    expect(isFar(talk)).toBe(false);
  });

  it('is not the caller whose first word begins softly', () => {
    const talk = createTalkLevel();
    feed(talk, -16, 1_000);
    feed(talk, -70, 200, true);
    const judged = [-30, -33, -27, -17, -17, -26, -35, -37].map((level) => {
      feed(talk, level, 20, true);
      return isFar(talk);
    });
    expect(judged).not.toContain(true);
    // One loud frame is a peak of the background.
    feed(talk, -70, 200, true);
    for (const level of [-30, -33, -17, -27, -27]) feed(talk, level, 20, true);
    expect(isFar(talk)).toBe(true);
  });

  it('is unknown while the caller’s level is', () => {
    const talk = createTalkLevel();
    feed(talk, -20, 300);
    feed(talk, -40, 400, true);
    expect(isFar(talk)).toBeNull();
  });

  it('is not the caller who has moved away from the phone', () => {
    const talk = createTalkLevel();
    feed(talk, -20, 1_000);
    feed(talk, -32, 3_000);
    feed(talk, -32, 300, true);
    expect(isFar(talk)).toBe(false);
  });
});
