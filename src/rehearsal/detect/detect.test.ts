import { readdirSync, readFileSync } from 'node:fs';
import { readLog } from '@callwright/turns';
import { beforeAll, describe, expect, it } from 'vitest';
import { shippedParts } from '../../../test/helpers/agents/rehearsed.ts';
import { INNOCENT } from '../../../test/rigs/rehearsal/faults.ts';
import { judgeInjected, precisionOf, recallOf } from '../../../test/rigs/rehearsal/injected.ts';
import { timingOf } from '../play/timing.ts';
import type { PlayedCall } from '../play/rehearsal.ts';
import { rehearse } from '../run.ts';
import { DETECTORS, type DetectorName } from './alarm.ts';
import { detect } from './detect.ts';
import { storyOf, type Story } from './story.ts';

const CALLS = 400;
const FAULTY = 30;
let played: PlayedCall[] = [];
let clean: Story[] = [];
beforeAll(async () => {
  const parts = shippedParts();
  const calls = Array.from({ length: CALLS }, (_, call) =>
    rehearse({ parts, seed: 3, timing: timingOf('usual') }, call),
  );
  played = (await Promise.all(calls)).map((each) => each.played);
  // Some rehearsed callers end up in a loop, are left without an answer, or are asked again: those calls are not clean.
  clean = played
    .map(({ settings, events }) => storyOf(settings, events))
    .filter((story) => detect(story).length === 0);
});

const found = (story: Story): DetectorName[] => detect(story).map(({ detector }) => detector);

describe('the story of a call', () => {
  it('has the sounds, tools and end that the rehearsal played', () => {
    for (const { settings, events, agent, tools, end } of played) {
      const story = storyOf(settings, events);
      expect(story.agent).toEqual(agent);
      expect(story.tools.map(({ name }) => name).filter((name) => name !== 'end_call')).toEqual(
        tools.map(({ name }) => name).filter((name) => name !== 'end_call'),
      );
      expect(story.end).toEqual(end);
    }
  });
});

describe('detectors', () => {
  it('raise no alarm in almost all calls of the shipped scenarios', () => {
    expect(clean.length).toBeGreaterThan(CALLS * 0.9);
  });

  it('find injected faults with precision and recall of 0.95', () => {
    const { calls, places, counts } = judgeInjected(clean, CALLS, FAULTY);
    expect(calls).toBe(CALLS);
    for (const fault of DETECTORS)
      expect({ fault, isEnough: places[fault] > FAULTY }).toEqual({ fault, isEnough: true });
    const poor = [...counts].filter(([, count]) => precisionOf(count) < 0.95 || recallOf(count) < 0.95);
    expect(poor).toEqual([]);
  });

  it('find an agent that hangs up in the middle of its own sentence', () => {
    const cut = clean.flatMap((story) => {
      const last = story.agent.at(-1);
      if (last === undefined || last.to - last.from < 500) return [];
      const at = last.from + 400;
      const agent = [...story.agent.slice(0, -1), { ...last, to: at, cut: true }];
      return [{ ...story, agent, end: { reason: 'AGENT_ENDED', at } } as const];
    });
    expect(cut.length).toBeGreaterThan(FAULTY);
    expect(cut.filter((story) => !found(story).includes('early_hang_up'))).toEqual([]);
  });

  it.each(Object.entries(INNOCENT))('raise no alarm when %s', (_, change) => {
    const changed = clean.flatMap((story, seed) => change(story, seed) ?? []);
    expect(changed.length).toBeGreaterThan(20);
    expect(
      changed.flatMap((story) => detect(story).map(({ detector, detail }) => `${detector}: ${detail}`)),
    ).toEqual([]);
  });

  it('raise no alarm in the recorded calls of the repository', () => {
    const folder = new URL('../../../test/fixtures/replays/', import.meta.url);
    const logs = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    expect(logs.length).toBeGreaterThan(3);
    const alarms = logs.flatMap((name) => {
      const { settings, entries } = readLog(readFileSync(new URL(name, folder), 'utf8'));
      return detect(
        storyOf(
          settings,
          entries.map(({ event }) => event),
        ),
      ).map(({ detector, detail }) => `${name} ${detector}: ${detail}`);
    });
    expect(alarms).toEqual([]);
  });
});
