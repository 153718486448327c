import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run } from '../../../../test/helpers/turns.ts';
import { initialState, step } from '../turn/machine.ts';
import type { TurnEvent } from '../turn/types.ts';
import { readLog, writeLog, type EventLog } from './event-log.ts';
import { decisionOf } from './decision.ts';
import { maskWords } from './mask-words.ts';
import { firstDifference, replay } from './replay.ts';
import { TimeLine } from './time-line.ts';

const folder = new URL('../../../../test/fixtures/replays/', import.meta.url);
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/** The log of a simulated call. */
function logged(world: Parameters<typeof run>[0]): EventLog {
  const call = run(world);
  const { settings } = call.state;
  let state = initialState(settings);
  const entries = call.log.map((event) => {
    const next = step(state, event);
    state = next.state;
    return { event, decision: decisionOf(next.effects) };
  });
  return { settings, entries, cutMs: null };
}
const asked = {
  acts: [
    { at: 2_000, says: 'Can Priya Raman come at ten on 5 May?', forMs: 900 },
    { at: 4_500, says: 'No, wait.', forMs: 700 },
  ],
} as const;

describe('a recorded call', () => {
  // After an intended change of the turn rules: node test/fixtures/making/replays.ts
  it.each(fixtures)('decides the same: %s', (name) => {
    const log = readLog(readFileSync(new URL(name, folder), 'utf8'));
    expect(log.entries.length).toBeGreaterThan(10);
    expect(firstDifference(log)).toBe(null);
  });
});

describe('a written event log', () => {
  it('is read back with every time to the last bit', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2e12, noNaN: true }),
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        (from, later) => {
          const events: TurnEvent[] = [
            { type: 'answered', at: from },
            { type: 'speech_started', at: from + later, since: Math.max(0, from + later - 0.1) },
          ];
          const log: EventLog = {
            ...logged({}),
            entries: events.map((event) => ({ event, decision: '' })),
          };
          const { entries } = readLog(writeLog(log));
          expect(entries.map(({ event }) => event)).toEqual(events);
        },
      ),
    );
  });

  it('refuses a text that is no log, and a damaged entry', () => {
    expect(() => readLog('')).toThrow('no event log');
    expect(() => readLog('{"version":2}')).toThrow('no event log');
    expect(() => readLog(`${writeLog(logged({}))}[1,2]\n`)).toThrow('damaged');
  });
});

describe('a replay', () => {
  it('names the first decision that differs', () => {
    const log = logged(asked);
    const patient = {
      ...log,
      settings: { ...log.settings, endpointing: { ...log.settings.endpointing, completeMs: 5_000 } },
    };
    expect(firstDifference(log)).toBe(null);
    const difference = firstDifference(patient);
    expect(difference).toMatchObject({ call: ['release'], replay: [], event: 'wake' });
    expect(difference?.ms).toBeGreaterThan(2_900);
  });

  it('detects another content of the same effects', () => {
    const log = logged(asked);
    const entries = log.entries.map(({ event, decision }) => ({
      event: event.type === 'reply_text' ? { ...event, text: event.text.replace('All', 'No') } : event,
      decision,
    }));
    const difference = firstDifference({ ...log, entries });
    expect(difference?.call).toEqual(difference?.replay);
    expect(difference?.call).toContain('speak');
  });

  it('shows words, speech, decisions and waits on a time line', () => {
    const log = logged(asked);
    const startedAt = log.entries[0]?.event.at ?? 0;
    const timeLine = new TimeLine(startedAt);
    const lines = [...replay(log)].flatMap((replayed) => timeLine.linesOf(replayed));
    const texts = lines.map(({ source, text }) => `${source} ${text}`);
    for (const part of [
      'call the call is answered',
      'agent says: "Hello this is Maya."',
      'caller is understood: "Can Priya Raman come at ten on 5 May?"',
      'call takes the words as a turn after 0.35 s of quiet',
      'model prepares reply 1',
      'agent may say reply 1',
    ])
      expect(texts).toContain(part);
    expect(lines.map(({ ms }) => ms)).toEqual(lines.map(({ ms }) => ms).toSorted((a, b) => a - b));
  });
});

describe('a masked log', () => {
  it('has no personal words and digits, keeps those of the rules, and replays the same', () => {
    const masked = maskWords(logged(asked));
    const text = writeLog(masked);
    for (const word of ['Priya', 'Raman', 'Maya', ' 5 ']) expect(text).not.toContain(word);
    expect(text).toContain('xxx xxxxx xxxxx xxxx');
    expect(text).toContain('okay');
    expect(firstDifference(readLog(text))).toBe(null);
    expect(readLog(text).isMasked).toBe(true);
  });
});
