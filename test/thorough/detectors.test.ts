import { beforeAll, describe, expect, it } from 'vitest';
import { DETECTORS } from '../../src/rehearsal/detect/alarm.ts';
import { detect } from '../../src/rehearsal/detect/detect.ts';
import { ENGINES, holdSuite, type VirtualCall } from '../rigs/callers/virtual/suite.ts';
import { FAULTS } from '../rigs/rehearsal/faults.ts';

/** Each kind of recogniser with one of the two speech gates. */
const HELD = ENGINES.filter(({ ears, vad }) => (ears === 'words') === (vad === 'light'));
const calls: VirtualCall[] = [];
beforeAll(async () => {
  for (const [at, engines] of HELD.entries()) calls.push(...(await holdSuite(engines, at + 1)));
});

describe('the detectors, on whole calls of the caller suite in virtual time', () => {
  it('raise no alarm in 180 clean calls of four languages', () => {
    expect(calls).toHaveLength(180);
    expect(new Set(calls.map(({ language }) => language)).size).toBe(4);
    expect(
      calls.flatMap(({ id, engines, alarms }) => alarms.map((alarm) => ({ id, engines, ...alarm }))),
    ).toEqual([]);
  });

  it('have read conversations: every sentence of a caller got its reply', () => {
    for (const { id, score, story } of calls) {
      expect({ id, unanswered: score.responses.filter((ms) => ms === null).length }).toEqual({
        id,
        unanswered: 0,
      });
      expect(story.caller.filter(({ text }) => text !== '').length).toBeGreaterThan(0);
      expect(story.agent.length).toBeGreaterThan(1);
    }
  });

  it.each(DETECTORS.map((name, index) => [name, index] as const))(
    'find %s where it is put into the English calls',
    (name, index) => {
      const faulty = calls
        .filter(({ language }) => language === 'en-US')
        .flatMap(({ story }, at) => FAULTS[name](story, at * DETECTORS.length + index) ?? []);
      expect(faulty.length).toBeGreaterThanOrEqual(30);
      const found = faulty.filter((story) => detect(story).some(({ detector }) => detector === name));
      expect(found.length / faulty.length).toBeGreaterThan(0.9);
    },
  );
});
