/**
 * Judges who answers by greetings that the authors of the rules did not tune on: Kokoro speaks them, this machine's recogniser
 * hears them over a phone line, and the rules judge its words. It needs the English pack, and the voices: bin/callwright models get kokoro-v1.
 * Run: node bench/answered.ts [--set first|second|third] [--voices 1] [--words] [--save]
 */
import { parseArgs } from 'node:util';
import { defaultModelsDir } from '../src/config/models-dir.ts';
import { withNoise } from '../test/helpers/audio/caller-lines.ts';
import { greetingJudge } from '../test/helpers/audio/judge-greeting.ts';
import { FIRST_SET, SECOND_SET, THIRD_SET, type Greeting } from './answered/greetings.ts';
import { boundsOf, confusionOf, isMistaken, type Verdict } from './answered/figures.ts';
import { CALLER_VOICES } from './local-calls/script.ts';
import { kokoroFolder, onTheLine, synthesise } from './local-calls/voices.ts';
import { boundsText, heading, saveResult } from './report.ts';

const { values: args } = parseArgs({
  options: {
    set: { type: 'string' },
    voices: { type: 'string', default: '1' },
    words: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
});
const NOISE_DB = 15;
const voices = Number(args.voices);
const sets = [
  { name: 'first', greetings: FIRST_SET },
  { name: 'second', greetings: SECOND_SET },
  { name: 'third', greetings: THIRD_SET },
].filter(({ name }) => args.set === undefined || args.set === name);
const modelsDir = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
kokoroFolder(modelsDir);

/** Each greeting by as many voices, other ones than its neighbour's. */
const spoken = (greetings: readonly Greeting[]): { greeting: Greeting; voice: string }[] =>
  greetings.flatMap((greeting, n) =>
    Array.from({ length: voices }, (_, v) => ({
      greeting,
      voice: CALLER_VOICES[(n + v * 3) % CALLER_VOICES.length]!,
    })),
  );
synthesise(
  sets.flatMap(({ greetings }) =>
    spoken(greetings).map(({ greeting: { text }, voice }) => ({ text, voice })),
  ),
  modelsDir,
);

const judge = await greetingJudge(modelsDir);
const parts: string[] = [];
for (const { name, greetings } of sets) {
  for (const isNoisy of [false, true]) {
    const verdicts: Verdict[] = [];
    for (const { greeting, voice } of spoken(greetings)) {
      const { text } = greeting;
      const clean = onTheLine({ text, voice });
      const pcm = isNoisy ? withNoise({ text, pcm: clean }, NOISE_DB).pcm : clean;
      const verdict = { greeting, voice, ...(await judge(pcm)) };
      verdicts.push(verdict);
      if (args.words && isMistaken(verdict)) {
        console.log(
          `${isNoisy ? 'noisy' : 'clean'} ${voice} ${greeting.by} -> ${verdict.kind}: ${text}\n  heard: ${verdict.heard}`,
        );
      }
    }
    parts.push(
      `\n## The ${name} set, ${isNoisy ? `with white noise at ${NOISE_DB} dB` : 'clean'}\n`,
      confusionOf(verdicts),
      boundsText(boundsOf(verdicts)),
    );
  }
}
const text = [
  heading(
    'Who answered',
    `Greetings in English by ${voices} of ${CALLER_VOICES.length} voices of Kokoro each, over G.711, heard by this machine’s recogniser; the rules were mended once by what the first set showed`,
  ),
  ...parts,
].join('\n');
console.log(text);
if (args.save) saveResult(args.set === undefined ? 'answered' : `answered-${args.set}`, text);
