/**
 * The recogniser of words of this machine on forty lines of callers by ten voices: word error rate clean and with noise,
 * beside the same decoder on whole recordings, and what it costs. Run: MODELS_DIR=… node bench/ears.ts
 */
import { installedModel } from '../src/offline/models/installed.ts';
import type { EarModel } from '../src/offline/words/ear-api.ts';
import { EarThreads } from '../src/offline/words/ears.ts';
import { earModels } from '../src/offline/words/models.ts';
import { localWords } from '../src/offline/words/recogniser.ts';
import { createVadProvider } from '../src/providers/vad/provider.ts';
import { callerLines, withNoise, type CallerLine } from '../test/helpers/audio/caller-lines.ts';
import { wholeDecoder } from '../test/helpers/audio/decode-whole.ts';
import { hearLine } from '../test/helpers/audio/hear-line.ts';
import { wordErrorRate } from '../test/helpers/audio/word-errors.ts';

const folder = process.env['MODELS_DIR'] ?? '';
const found = earModels((id) => installedModel(folder, id))('en-US');
if (found === null) throw new Error('MODELS_DIR holds no English recogniser');
const model: EarModel = found;
const megabytes = (): number => process.memoryUsage().rss / 1e6;
const keepAlive = setInterval(() => undefined, 1000);

function whole(lines: readonly CallerLine[]): { said: string; heard: string }[] {
  const decode = wholeDecoder(model);
  return lines.map(({ text, pcm }) => ({ said: text, heard: decode(pcm).text }));
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const empty = megabytes();
const ears = new EarThreads();
const { share } = await ears.load(model);
const loaded = megabytes();
const stt = localWords(
  (port) => ears.connect(port, model),
  () => model,
);
const vad = createVadProvider();
const lines = callerLines();
const rows = [];
for (const [name, heardLines] of [
  ['clean', lines],
  ['noise at 20 dB', lines.map((line) => withNoise(line, 20))],
  ['noise at 15 dB', lines.map((line) => withNoise(line, 15))],
  ['noise at 10 dB', lines.map((line) => withNoise(line, 10))],
] as const) {
  const pairs = [];
  for (const line of heardLines) {
    const { text } = await hearLine(stt, vad, line);
    pairs.push({ said: line.text, heard: text });
  }
  const reference = whole(heardLines);
  if (process.argv.includes('--words')) {
    for (const [i, { said, heard }] of pairs.entries()) {
      if (said !== heard)
        console.log(`${name}: ${said}\n    call  ${heard}\n    whole ${reference[i]?.heard ?? ''}`);
    }
  }
  rows.push({
    audio: name,
    'WER of calls': percent(wordErrorRate(pairs)),
    'WER of whole recordings': percent(wordErrorRate(reference)),
  });
}
console.table(rows);
console.log(
  `model: ${(loaded - empty).toFixed(0)} MB, ${percent(share)} of a core while a caller speaks; calls: ${ears.calls ?? 0}`,
);
await ears.close();
clearInterval(keepAlive);
