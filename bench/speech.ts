/**
 * Offline speech on this machine: synthesis, voice activity, recognition and the noise filter, with what each
 * costs. Run: node bench/speech.ts
 */
import { openNoiseFilter } from '../src/providers/noise/speex.ts';
import { createOfflineStt } from '../src/offline/recogniser/stt.ts';
import { createOfflineTts } from '../src/offline/speech/tts.ts';
import { createVadProvider } from '../src/providers/vad/provider.ts';
import { silentLog } from '../src/shared/log.ts';
import { replyTo } from '../src/offline/callee/answers.ts';
import { Recogniser } from '../src/offline/callee/recogniser.ts';
import type { Vad } from '../src/providers/ports/recogniser.ts';
import { AGENT_SENTENCES } from '../test/helpers/agents/agent-sentences.ts';
import { heardByCallee, spokenTurn } from '../test/helpers/audio/callee-speech.ts';
import {
  OTHER_SPEECH,
  overTheLine,
  PHRASE_SETS,
  recognise,
  sameAnswer,
  synthesise,
} from '../test/helpers/audio/speech.ts';

const keepAlive = setInterval(() => undefined, 1000);
const megabytes = (): number => process.memoryUsage().rss / 1e6;
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const tts = createOfflineTts({ cacheBytes: 1 });
const stt = createOfflineStt();

const SENTENCE = 'Hello, I am calling from the clinic about your appointment tomorrow at ten.';

async function synthesis(): Promise<void> {
  const rows = [];
  for (const voiceKey of ['espeak:f3', 'flite:slt', 'flite:rms', 'flite:awb']) {
    const first: number[] = [];
    const whole: number[] = [];
    let seconds = 0;
    for (let round = 0; round < 10; round++) {
      const start = performance.now();
      await new Promise<void>((resolve, reject) => {
        let heard = false;
        const session = tts.open({ voiceKey, language: 'en-US', speed: 1, sampleRate: 8000 });
        session.begin().say(`${SENTENCE} ${round}`, (event) => {
          if (event.type === 'failed') reject(new Error(event.message));
          else if (event.type === 'done') resolve();
          else if (event.type === 'audio') {
            if (!heard) first.push(performance.now() - start);
            heard = true;
            seconds += event.pcm.length / 8000;
          }
        });
      });
      whole.push(performance.now() - start);
    }
    rows.push({
      voice: voiceKey,
      'first audio p50 ms': percentile(first, 0.5).toFixed(0),
      'first audio p95 ms': percentile(first, 0.95).toFixed(0),
      'whole p50 ms': percentile(whole, 0.5).toFixed(0),
      'seconds of speech': (seconds / 10).toFixed(1),
    });
  }
  console.log('Synthesis, one at a time');
  console.table(rows);
}

async function voiceActivity(): Promise<void> {
  const speech = overTheLine(
    await synthesise(tts, { voiceKey: 'flite:rms', language: 'en-US', text: SENTENCE }),
  );
  const frames = Array.from({ length: Math.floor(speech.length / 160) }, (_, i) =>
    speech.slice(i * 160, i * 160 + 160),
  );
  const rows = [];
  for (const engine of ['silero', 'light'] as const) {
    const loadStart = performance.now();
    const provider = createVadProvider({ engine });
    const loadMs = performance.now() - loadStart;
    const before = megabytes();
    const streams: Vad[] = Array.from({ length: 1000 }, () => provider.open(8000));
    for (const stream of streams) for (const frame of frames.slice(0, 4)) stream.process(frame);
    const perStream = (megabytes() - before) / streams.length;
    const stream = provider.open(8000);
    const cpu = process.cpuUsage();
    const rounds = 40;
    for (let round = 0; round < rounds; round++) for (const frame of frames) stream.process(frame);
    const used = process.cpuUsage(cpu);
    const spoken = rounds * frames.length * 20_000;
    rows.push({
      engine,
      'load ms': loadMs.toFixed(0),
      'KB per stream': (perStream * 1000).toFixed(1),
      '% of a core per stream': (((used.user + used.system) / spoken) * 100).toFixed(3),
    });
  }
  console.log('Voice activity, 8 kHz, while someone speaks');
  console.table(rows);
}

async function recognition(): Promise<void> {
  const rows = [];
  const latency: number[] = [];
  const before = megabytes();
  const coldStart = performance.now();
  const yes = overTheLine(await synthesise(tts, { voiceKey: 'flite:rms', language: 'en-US', text: 'yes' }));
  await recognise(stt, PHRASE_SETS[0]!.expected, yes);
  const coldMs = performance.now() - coldStart;
  for (const voiceKey of ['flite:rms', 'flite:awb', 'flite:kal16', 'flite:slt', 'espeak:m3', 'espeak:f2']) {
    const row: Record<string, string> = { caller: voiceKey };
    for (const { name, expected, phrases } of PHRASE_SETS) {
      let [right, wrong] = [0, 0];
      for (const text of phrases) {
        const pcm = overTheLine(await synthesise(tts, { voiceKey, language: 'en-US', text }));
        const start = performance.now();
        const event = await recognise(stt, expected, pcm);
        latency.push(performance.now() - start);
        if (event.type === 'final' && sameAnswer(text, event.text)) right++;
        else if (event.type === 'final') wrong++;
      }
      row[name] = `${right}/${phrases.length}${wrong > 0 ? ` (${wrong} wrong)` : ''}`;
    }
    let taken = 0;
    for (const text of OTHER_SPEECH) {
      const pcm = overTheLine(await synthesise(tts, { voiceKey, language: 'en-US', text }));
      if ((await recognise(stt, PHRASE_SETS[0]!.expected, pcm)).type === 'final') taken++;
    }
    row['other speech taken'] = `${taken}/${OTHER_SPEECH.length}`;
    rows.push(row);
  }
  console.log('Recognition through mu-law: right / spoken; the rest was rejected');
  console.table(rows);
  console.log(
    `end of speech to words: p50 ${percentile(latency, 0.5).toFixed(0)} ms, ` +
      `p95 ${percentile(latency, 0.95).toFixed(0)} ms; first use ${coldMs.toFixed(0)} ms; ` +
      `two decoder threads ${(megabytes() - before).toFixed(0)} MB`,
  );
}

/** How many questions of agents the callees of test calls answer correctly, by the agent's voice. */
async function callees(): Promise<void> {
  const recogniser = new Recogniser({ log: silentLog });
  const rows = [];
  for (const voiceKey of ['flite:slt', 'flite:rms', 'espeak:m3']) {
    let right = 0;
    for (const [said, answer] of AGENT_SENTENCES) {
      const words = await heardByCallee(recogniser, await spokenTurn(tts, voiceKey, said));
      if (answer.test(replyTo(words).say)) right++;
    }
    rows.push({ agent: voiceKey, 'answered correctly': `${right}/${AGENT_SENTENCES.length}` });
  }
  await recogniser.close();
  console.log('Callees of test calls');
  console.table(rows);
}

function noiseFilter(): void {
  const filter = openNoiseFilter(8000, 80);
  if (filter === null) {
    console.log('libspeexdsp is not installed');
    return;
  }
  const frame = new Int16Array(160);
  const cpu = process.cpuUsage();
  const frames = 20_000;
  for (let n = 0; n < frames; n++) {
    for (let i = 0; i < frame.length; i++) frame[i] = ((i * 7919 + n * 104_729) % 2001) - 1000;
    filter.process(frame);
  }
  const used = process.cpuUsage(cpu);
  filter.close();
  const share = ((used.user + used.system) / (frames * 20_000)) * 100;
  console.log(`Noise filter: ${share.toFixed(3)} % of a core per stream`);
}

await synthesis();
await voiceActivity();
noiseFilter();
await recognition();
await callees();
await Promise.all([tts.close(), stt.close()]);
clearInterval(keepAlive);
