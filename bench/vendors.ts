import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codedSpeech } from '../src/providers/fake/vendors/word-code.ts';
import { STT_VENDOR_NAMES, type SttVendorName } from '../src/shared/vendors.ts';
import { percentile, runConversation, type ConversationFigures } from './conversation/run.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';
import { holdDialogue } from '../test/rigs/vendors/dialogue.ts';
import { startFakes } from './vendors/fakes.ts';

/**
 * What a recogniser behind a socket costs and how fast the agent reacts with it, beside the same calls without a socket
 * in the same run. The stand-ins of the vendors run in another process; callers speak in tones that they recognise.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '24' },
    vendors: { type: 'string', default: STT_VENDOR_NAMES.join(',') },
    /** Calls of the run that checks the packets of many; 0: none. */
    many: { type: 'string', default: '100' },
    /** Turns of the dialogue with baresip on each recogniser; 0: none. */
    turns: { type: 'string', default: '20' },
    profile: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
const seconds = Number(args.seconds);
const [sttMs, llmMs, ttsMs] = [150, 300, 120];
const question = codedSpeech('When do you open?', 8000);
/** Chunks make a stand-in hear the end of speech later than it could. */
const END_MS = sttMs - 40;

const fakes = await startFakes();
const chosen = args.vendors.split(',') as SttVendorName[];

interface Row {
  readonly name: string;
  readonly figures: ConversationFigures;
}
async function run(
  name: string,
  vendor: SttVendorName | null,
  atOnce: number,
  ends = { eagerMs: END_MS, endMs: END_MS },
): Promise<Row> {
  process.stderr.write(`${name}, ${atOnce} calls\n`);
  if (vendor !== null) await fakes.set(vendor, { ...ends, resultMs: 0 });
  const profile = args.profile === undefined ? undefined : join(args.profile, name.replaceAll(' ', '-'));
  if (profile !== undefined) mkdirSync(profile, { recursive: true });
  const recognisers =
    vendor === null
      ? []
      : [{ name: vendor, settings: { apiKey: 'any', baseUrl: fakes.baseUrls.get(vendor), model: null } }];
  const figures = await runConversation({
    calls: atOnce,
    seconds,
    sttMs,
    llmMs,
    ttsMs,
    barge: false,
    question,
    providers: { recognisers },
    ...(profile === undefined ? {} : { profile }),
  });
  return { name, figures };
}

const cpuOf = ({ figures }: Row): number => figures.cpuPercent / figures.calls;

interface Talk {
  readonly name: string;
  readonly words: string;
  readonly same: string;
  readonly waitsMs: readonly number[];
  readonly holds: boolean;
}
const plain = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[.,]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');

/** A dialogue over SIP and RTP with baresip: what was said, understood, recorded and heard. */
async function talk(vendor: SttVendorName, turns: number): Promise<Talk> {
  process.stderr.write(`${vendor}, a dialogue of ${turns} turns\n`);
  await fakes.set(vendor, { eagerMs: 150, endMs: 400, resultMs: 0 });
  const baseUrl = fakes.baseUrls.get(vendor) ?? '';
  const interrupts = vendor === 'sherpa' || vendor === 'vosk' ? [] : [turns >> 1];
  const everyMs = vendor === 'sherpa' ? 5_000 : 4_500;
  const found = await holdDialogue({ vendor, baseUrl, turns, everyMs, interrupts, ownDatabase: true });
  const [said, understood] = [plain(found.said.join(' ')), plain(found.understood.join(' '))];
  const [recorded, heard] = [plain(found.recorded.join(' ')), plain(found.heard)];
  const missed = said.filter((word, i) => understood[i] !== word).length;
  const apart = Math.abs(recorded.length - heard.length);
  const isSame = recorded.join(' ') === heard.join(' ');
  return {
    name: vendor,
    words: `${said.length - missed} of ${said.length}`,
    same: isSame ? `${heard.length} of ${recorded.length}` : `${heard.length} against ${recorded.length}`,
    waitsMs: found.waitsMs.flatMap((wait) => wait ?? []),
    holds: missed === 0 && said.length === understood.length && (isSame || apart <= 1),
  };
}

/** The longest wait of a caller whose recogniser fails, with another one behind it. */
async function fail(
  name: string,
  atStart: Record<string, unknown>,
  midway: Record<string, unknown>,
): Promise<{ name: string; replies: string; longestMs: number; holds: boolean }> {
  process.stderr.write(`deepgram ${name}\n`);
  const healthy = { eagerMs: 150, endMs: 400, resultMs: 0, firstByteMs: 0, refuse: 0, hang: false };
  await fakes.set('deepgram', { ...healthy, ...atStart });
  const { waitsMs } = await holdDialogue({
    vendor: 'deepgram',
    baseUrl: fakes.baseUrls.get('deepgram') ?? '',
    turns: 6,
    everyMs: 5_000,
    ownDatabase: true,
    last: 'fake:sttMs=100,endpoint=sample,repeat=1,finals=What%20next%3F',
    // In the words of the third turn.
    onAnswered: (track) => {
      setTimeout(() => void fakes.set('deepgram', midway), (track[2]?.atMs ?? 0) + 300);
    },
  });
  await fakes.set('deepgram', healthy);
  const answered = waitsMs.filter((wait) => wait !== null);
  const longestMs = Math.max(...answered);
  return {
    name,
    replies: `${answered.length} of ${waitsMs.length}`,
    longestMs,
    holds: answered.length === waitsMs.length && longestMs <= 2_500,
  };
}

const turns = Number(args.turns);
const failures: Awaited<ReturnType<typeof fail>>[] = [];
if (turns > 0) {
  failures.push(await fail('refuses connections', { refuse: 503 }, {}));
  failures.push(await fail('hangs in the middle of words', {}, { hang: true }));
  failures.push(await fail('sends its first byte after 3 s', { firstByteMs: 3_000 }, {}));
}
const talks: Talk[] = [];
if (turns > 0) for (const vendor of chosen) talks.push(await talk(vendor, turns));
/** Each recogniser lies between two runs without one, whose mean it is compared with: other work on the machine changes. */
const without = [await run('without a socket', null, calls)];
const rows: (Row & { more: number })[] = [];
for (const vendor of chosen) {
  const row = await run(vendor, vendor, calls);
  const before = without.at(-1);
  const after = await run('without a socket', null, calls);
  without.push(after);
  rows.push({ ...row, more: cpuOf(row) - (cpuOf(before ?? after) + cpuOf(after)) / 2 });
}
/** The same long silence, with and without a word from the vendor that the turn may be over. */
const LONG_MS = 600;
const plainEnds = await run('deepgram, end alone', 'deepgram', 5, { eagerMs: LONG_MS, endMs: LONG_MS });
const eagerEnds = await run('deepgram, eager', 'deepgram', 5, { eagerMs: 100, endMs: LONG_MS });
const hiddenMs = percentile(plainEnds.figures.reactions, 0.5) - percentile(eagerEnds.figures.reactions, 0.5);
const many = Number(args.many) === 0 ? null : await run('deepgram', 'deepgram', Number(args.many));
await fakes.stop();

const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${Math.round(value)} ms`);
const pair = (values: readonly number[]): string =>
  `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.95))}`;
/** The reply's time that neither the silence, the model nor the speaker took. */
const ownOf = ({ figures }: Row): number[] =>
  figures.turns.map((turn) => turn.total_ms - turn.endpointing_ms - (turn.prepared ? 0 : llmMs + ttsMs));

const text = [
  heading('Vendors', `${calls} calls at once, ${seconds} s; vendors ${sttMs}/${llmMs}/${ttsMs} ms`),
  table(
    ['recogniser', 'turns', 'reaction p50 / p95', 'own share p50 / p95', 'CPU of a core per call', 'more'],
    [...without.map((row) => ({ ...row, more: null })), ...rows].map((row) => [
      row.name,
      `${row.figures.reactions.length} of ${row.figures.questions}`,
      pair(row.figures.reactions),
      pair(ownOf(row)),
      `${cpuOf(row).toFixed(2)} %`,
      row.more === null ? '' : `${row.more.toFixed(2)} %`,
    ]),
  ),
  ...(talks.length === 0
    ? []
    : [
        `Dialogues of ${turns} turns over SIP and RTP with baresip; words as tones, both ways:`,
        table(
          ['recogniser', 'words at the model', 'words in the phone, of the record', 'wait p50 / most'],
          talks.map((one) => [
            one.name,
            one.words,
            one.same,
            `${ms(percentile(one.waitsMs, 0.5))} / ${ms(Math.max(...one.waitsMs))}`,
          ]),
        ),
      ]),
  ...(failures.length === 0
    ? []
    : [
        'Deepgram fails in a dialogue, with another recogniser behind it:',
        table(
          ['it', 'turns answered', 'longest wait, phone to phone'],
          failures.map((one) => [one.name, one.replies, ms(one.longestMs)]),
        ),
      ]),
  boundsText([
    ...failures.map((one): Bound => ({
      text: `it ${one.name}: the caller waits 2.5 s at most`,
      holds: one.holds,
    })),
    ...talks.map((one): Bound => ({
      text: `${one.name}: every word is at the model, and the phone holds what the record says was heard`,
      holds: one.holds,
    })),
    ...rows.map((row): Bound => ({
      text: `${row.name} costs ${row.more.toFixed(2)} % of a core per call more than no socket; bound 0.10 %`,
      holds: row.more <= 0.1,
    })),
    ...rows
      .filter(({ name }) => name === 'deepgram')
      .map((row): Bound => ({
        text: `Deepgram Flux ends turns: reaction phone to phone ${pair(row.figures.reactions)}; bound 620 / 800 ms`,
        holds:
          percentile(row.figures.reactions, 0.5) <= 620 && percentile(row.figures.reactions, 0.95) <= 800,
      })),
    {
      text: `an eager end hides ${Math.round((100 * hiddenMs) / (llmMs + ttsMs))} % of the ${llmMs + ttsMs} ms of model and speaker; bound 80 %`,
      holds: hiddenMs >= 0.8 * (llmMs + ttsMs),
    },
    ...(many === null
      ? []
      : [
          {
            text: `${many.figures.calls} calls with sockets: packets p99 ${percentile(many.figures.intervals, 0.99).toFixed(1)} ms apart; bound 25 ms`,
            holds: percentile(many.figures.intervals, 0.99) <= 25,
          },
        ]),
  ]),
  '',
  'Reaction: last sample of the caller’s speech sent → first packet of the reply received. Own share: the record’s total',
  'without the chosen silence and the delays of model and speaker. The callers and the stand-ins run on the same machine.',
].join('\n');
console.log(text);
if (args.save) saveResult('vendors', text);
process.exit(0);
