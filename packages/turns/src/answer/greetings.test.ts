import { describe, expect, it } from 'vitest';
import { DEVELOPING } from '../../../../test/fixtures/greetings/developing.ts';
import { EVALUATING } from '../../../../test/fixtures/greetings/evaluating.ts';
import { partsOf, type Greeting } from '../../../../test/fixtures/greetings/greeting.ts';
import { ANSWERED_KINDS, type AnsweredBy } from './answered-by.ts';
import { initialAnswer, stepAnswer, type AnswerEvent, type AnswerState } from './answer.ts';

/** The far side is silent this long before its greeting, and a recogniser needs this long for a partial and a final. */
const PICK_UP_MS = 400;
const PARTIAL_MS = 200;
const FINAL_MS = 250;
/** Space of time between two partials. */
const PARTIALS_MS = 300;
/** Silence after the greeting: the far side waits. */
const AFTER_MS = 2_500;

interface Judged {
  readonly first: AnsweredBy | null;
  readonly last: AnsweredBy | null;
}

/** The events of a greeting as speech gate, recogniser and tone detector report them, in order of time. */
function eventsOf(greeting: Greeting): AnswerEvent[] {
  const events: AnswerEvent[] = [];
  let at = PICK_UP_MS;
  for (const part of partsOf(greeting)) {
    if ('quiet' in part) at += part.quiet;
    else if ('music' in part) {
      events.push({ type: 'music', at: at + 3_000 });
      at += part.music;
    } else if ('tones' in part) {
      for (const [hz, ms] of part.tones) {
        if (ms > 1_000) events.push({ type: 'tone', hz, ms: 1_000, goesOn: true, at: at + 1_000 });
        at += ms;
        events.push({ type: 'tone', hz, ms, at });
      }
    } else {
      for (const sentence of part.words.split(/(?<=[.?!。？！।؟])\s*/u).filter((text) => text !== '')) {
        const ms = Math.max(300, (part.ms * sentence.length) / part.words.length);
        events.push({ type: 'speech_started', since: at, at: at + 60 });
        for (let heard = PARTIALS_MS; heard < ms; heard += PARTIALS_MS) {
          const text = sentence.slice(0, Math.floor((sentence.length * heard) / ms));
          events.push({ type: 'words', text, isFinal: false, at: at + heard + PARTIAL_MS });
        }
        at += ms;
        events.push({ type: 'speech_stopped', since: at, at: at + 80 });
        events.push({ type: 'words', text: sentence, isFinal: true, at: at + FINAL_MS });
        at += 250;
      }
    }
  }
  for (let tick = 0; tick <= at + AFTER_MS; tick += 20) events.push({ type: 'tick', at: tick });
  return events.toSorted((one, other) => one.at - other.at);
}

function judge(greeting: Greeting): Judged {
  let state: AnswerState = initialAnswer({ message: 'Call us.', introduction: 'This is Maya.' }, 0);
  let first: AnsweredBy | null = null;
  for (const event of eventsOf(greeting)) {
    ({ state } = stepAnswer(state, event));
    first ??= state.answered;
  }
  return { first, last: state.answered };
}

const isMachine = (kind: string): boolean => kind !== 'human' && kind !== 'unsure';

/** Rows: what answered; columns: what it was taken for. */
function matrixOf(cases: readonly { readonly is: string; readonly taken: string }[]): string {
  const count = (is: string, taken: string): number =>
    cases.filter((one) => one.is === is && one.taken === taken).length;
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell) => String(cell).padStart(10)).join('');
  const rows = ANSWERED_KINDS.filter((is) => cases.some((one) => one.is === is));
  return [
    line(['', ...ANSWERED_KINDS]),
    ...rows.map((is) => line([is, ...ANSWERED_KINDS.map((kind) => count(is, kind))])),
  ].join('\n');
}

function report(name: string, set: readonly Greeting[]) {
  const cases = set.map((greeting) => {
    const { first, last } = judge(greeting);
    return { is: greeting[1], text: greeting[2], first, last, taken: last?.kind ?? 'unsure' };
  });
  const decided = cases.map(({ first }) => first?.decidedMs ?? Infinity);
  const known = cases.map(({ last }) => last?.revisedMs ?? last?.decidedMs ?? Infinity);
  const meanKnown = known.reduce((sum, ms) => sum + ms, 0) / known.length;
  const mean = decided.reduce((sum, ms) => sum + ms, 0) / decided.length;
  const humans = cases.filter(({ is }) => is === 'human');
  const machines = cases.filter(({ is }) => is !== 'human');
  const accused = humans.filter(({ taken }) => isMachine(taken));
  const missed = machines.filter(({ taken }) => taken === 'human');
  const unsure = machines.filter(({ taken }) => taken === 'unsure');
  process.stdout.write(
    `${name}: ${set.length} greetings; rows: what answered, columns: taken for\n${matrixOf(cases)}\n` +
      `decided after ${(mean / 1000).toFixed(2)} s in the mean, ${(Math.max(...decided) / 1000).toFixed(2)} s at most; the last change after ${(meanKnown / 1000).toFixed(2)} s in the mean\n`,
  );
  return { cases, humans, machines, accused, missed, unsure, mean, latest: Math.max(...decided) };
}

describe('greetings', () => {
  it('have an evaluating set of 120 in six languages, 30 of them from people, none from the developing set', () => {
    expect(EVALUATING.length).toBeGreaterThanOrEqual(120);
    expect(new Set(EVALUATING.map(([language]) => language)).size).toBeGreaterThanOrEqual(6);
    expect(EVALUATING.filter(([, kind]) => kind === 'human').length).toBeGreaterThanOrEqual(30);
    const developing = new Set(DEVELOPING.map(([, , text]) => text));
    expect(EVALUATING.filter(([, , text]) => developing.has(text) && !text.includes('{fax}'))).toEqual([]);
  });

  it('are all classified in the developing set', () => {
    const { cases } = report('developing', DEVELOPING);
    const wrong = cases.filter(({ is, taken }) => is !== taken && !(is === 'human' && taken === 'unsure'));
    expect(wrong.map(({ is, taken, text }) => [is, taken, text])).toEqual([]);
  });

  it('in the evaluating set name no person a machine, and at most 3 % of machines a person', () => {
    const { accused, missed, machines, mean, latest } = report('evaluating', EVALUATING);
    expect(accused.map(({ text, taken }) => [taken, text])).toEqual([]);
    expect(missed.length / machines.length).toBeLessThanOrEqual(0.03);
    expect(mean).toBeLessThanOrEqual(2_000);
    expect(latest).toBeLessThanOrEqual(4_000);
  });
});
