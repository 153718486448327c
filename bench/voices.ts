/**
 * The offline English voices on twelve sentences of a clinic, over G.711: wrong words by the recogniser of words of this
 * machine, time to the first sound, and processor time. Run: MODELS_DIR=… node bench/voices.ts
 */
import { installedModel } from '../src/offline/models/installed.ts';
import { hibariFiles } from '../src/offline/speech/hibari/files.ts';
import { createOfflineTts } from '../src/offline/speech/tts.ts';
import { EarThreads } from '../src/offline/words/ears.ts';
import { earModels } from '../src/offline/words/models.ts';
import { localWords } from '../src/offline/words/recogniser.ts';
import { createVadProvider } from '../src/providers/vad/provider.ts';
import { hearLine } from '../test/helpers/audio/hear-line.ts';
import { CLINIC_SENTENCES, LINE_RATE, overG711, speakLine } from '../test/helpers/audio/spoken-line.ts';
import { wordErrorRate } from '../test/helpers/audio/word-errors.ts';

const modelsDir = process.env['MODELS_DIR'] ?? '';
const find = (id: string) => installedModel(modelsDir, id);
const model = earModels(find)('en-US');
if (model === null || hibariFiles(find) === null) throw new Error('MODELS_DIR holds no English pack');
const keepAlive = setInterval(() => undefined, 1000);
const ears = new EarThreads();
const stt = localWords(
  (port) => ears.connect(port, model),
  () => model,
);
const rows = [];
for (const voiceKey of ['hibari:heart', 'flite:slt', 'espeak:f3']) {
  const tts = createOfflineTts({ modelsDir, cacheBytes: 1 });
  const before = process.memoryUsage().rss;
  await speakLine(tts, 'The first sentence starts the engine.', { voiceKey });
  const first: number[] = [];
  const lines: { said: string; pcm: Int16Array }[] = [];
  // Of this process: the engine processes of flite and espeak-ng are not counted.
  const cpu = process.cpuUsage();
  for (const said of CLINIC_SENTENCES) {
    const { pcm, firstMs } = await speakLine(tts, said, { voiceKey });
    first.push(firstMs);
    lines.push({ said, pcm });
  }
  const { user, system } = process.cpuUsage(cpu);
  // The natural voice returns memory to the system ten seconds after its load; the others are processes.
  if (voiceKey.startsWith('hibari')) await new Promise((resolve) => setTimeout(resolve, 12_000));
  const memory = process.memoryUsage().rss - before;
  const seconds = lines.reduce((sum, { pcm }) => sum + pcm.length, 0) / LINE_RATE;
  const pairs = [];
  for (const { said, pcm } of lines) {
    const line = { text: said, pcm: overG711(pcm) };
    pairs.push({ said, heard: (await hearLine(stt, createVadProvider(), line)).text });
  }
  first.sort((a, b) => a - b);
  rows.push({
    voice: voiceKey,
    'wrong words': `${(wordErrorRate(pairs) * 100).toFixed(1)} %`,
    'first sound p50 ms': first[Math.floor(first.length / 2)]?.toFixed(0),
    'first sound max ms': first.at(-1)?.toFixed(0),
    'of a core': `${((user + system) / 10_000 / seconds).toFixed(1)} %`,
    'memory MB': voiceKey.startsWith('hibari') ? (memory / 1e6).toFixed(0) : '-',
  });
  await tts.close();
}
console.table(rows);
await ears.close();
clearInterval(keepAlive);
