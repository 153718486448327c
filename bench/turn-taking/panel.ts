import { ENGINES, holdSuite, type VirtualCall } from '../../test/rigs/callers/virtual/suite.ts';
import { table } from '../report.ts';

const SEED = 1;
const EARS = { turns: 'ends turns', words: 'words every 300 ms', utterances: 'whole utterances' } as const;
/** A hole in the agent's speech that a listener does not notice. */
const HOLE_MS = 60;
/** Sounds of a caller's throat, and speech that is not for the agent. */
const TICS = ['cough', 'hum'];
const SIDE_TALK = ['television'];

const mean = (values: readonly number[]): string =>
  values.length === 0
    ? '–'
    : `${Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)} ms`;
const share = (part: number, of: number): string => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);

/** The figures of tau2-bench's voice panel, from what the phones of these calls sent and heard. */
function rowOf(name: string, calls: readonly VirtualCall[]): string[] {
  const scores = calls.map(({ score }) => score);
  const responses = scores.flatMap((score) => score.responses);
  const answered = responses.filter((ms) => ms !== null);
  const stops = scores.flatMap((score) => score.stops);
  const yielded = stops.filter((ms) => ms !== null);
  const holes = scores.flatMap((score) => score.holes);
  const cutIns = scores.reduce((sum, score) => sum + score.cutIns, 0);
  const spokeOn = (over: typeof holes): string =>
    share(over.filter(({ ms }) => ms <= HOLE_MS).length, over.length);
  return [
    name,
    share(answered.length, responses.length),
    mean(answered),
    share(yielded.length, stops.length),
    mean(yielded),
    share(cutIns, responses.length),
    spokeOn(holes.filter(({ kind }) => kind === 'murmur')),
    spokeOn(holes.filter(({ text }) => TICS.includes(text))),
    spokeOn(holes.filter(({ text }) => SIDE_TALK.includes(text))),
  ];
}

/** Holds the caller suite in virtual time, and reports how both sides took turns. */
export async function panelText(): Promise<string> {
  const rows: string[][] = [];
  let calls = 0;
  for (const engines of ENGINES.filter(({ vad }) => vad === 'silero')) {
    const held = await holdSuite(engines, SEED);
    calls += held.length;
    rows.push(rowOf(EARS[engines.ears], held));
  }
  return [
    `## tau2-bench's voice panel over ${calls} calls of our caller suite, whole sessions in virtual time`,
    table(
      [
        'recogniser',
        'response rate',
        'response',
        'yield rate',
        'yield',
        'agent interrupts, a turn',
        'speaks on over backchannels',
        'over vocal tics',
        'over side talk',
      ],
      rows,
    ),
    'Words of these callers are tones that a stand-in of a recogniser reads, the model takes 300 ms and the voice 120 ms. The panel of spoken',
    'rehearsals is in rehearsal-sound.md.',
    '',
  ].join('\n');
}
