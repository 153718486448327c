import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codedSpeech } from '../src/providers/fake/vendors/word-code.ts';
import type { SttVendorName } from '../src/shared/vendors.ts';
import { holdDialogues, type Dialogue } from '../test/rigs/vendors/dialogue.ts';
import { dialoguesOf, HAS_MARKS, repliesTo } from '../test/rigs/vendors/pairs.ts';
import { percentile, runConversation, type ConversationFigures } from './conversation/run.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';
import { startFakes } from './vendors/fakes.ts';
import { sessionCost } from './vendors/session-cost.ts';

/**
 * How fast the agent reacts with vendors of set delays, and what recognisers behind sockets cost beside calls without any
 * in the same run. The stand-ins of the vendors run in another process; callers speak in tones that they recognise.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '14' },
    /** Recognisers to measure; default: all. */
    vendors: { type: 'string' },
    /** Also holds calls on each recogniser: half a minute each. */
    each: { type: 'boolean', default: false },
    /** Calls of the run that checks the packets of many; 0: none. */
    many: { type: 'string', default: '100' },
    /** Also holds 20 turns on every recogniser and speaker, with baresip: another two minutes. */
    dialogues: { type: 'boolean', default: false },
    profile: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
const seconds = Number(args.seconds);
const [sttMs, llmMs, ttsMs] = [150, 300, 120];
const question = codedSpeech('When do you open?', 8000);
const REPLY = 'We are open from nine to five tomorrow. Would you like to book a visit?';
/** Chunks of audio make a stand-in hear the end of speech later than it could, by half a chunk on average. */
const END_MS = sttMs - 40;

const TURNS = 20;
const DIALOGUES = dialoguesOf(TURNS);

const fakes = await startFakes();
const chosen = args.vendors?.split(',');
const recognisers = DIALOGUES.filter(({ recogniser }) => chosen?.includes(recogniser) ?? true);

interface Vendors {
  readonly recogniser?: SttVendorName;
  readonly model?: string;
  /** Speaker and model are vendors, too. */
  readonly isWhole?: boolean;
}
interface Row {
  readonly name: string;
  readonly figures: ConversationFigures;
}
const accountOf = (name: string, model: string | null = null) => ({
  apiKey: 'any',
  baseUrl: fakes.baseUrls.get(name) ?? '',
  model,
});

async function run(name: string, atOnce: number, { recogniser, model, isWhole }: Vendors = {}): Promise<Row> {
  process.stderr.write(`${name}, ${atOnce} calls\n`);
  if (recogniser !== undefined) {
    await fakes.set(recogniser, { eagerMs: END_MS, endMs: END_MS, resultMs: 0, speechMs: 0 });
  }
  if (isWhole === true) {
    await fakes.set('elevenlabs', { speechMs: ttsMs });
    await fakes.set('anthropic', { firstByteMs: llmMs, wordMs: 0, replies: [{ text: REPLY }] });
  }
  const profile = args.profile === undefined ? undefined : join(args.profile, name.replaceAll(/\W+/g, '-'));
  if (profile !== undefined) mkdirSync(profile, { recursive: true });
  const figures = await runConversation({
    calls: atOnce,
    seconds,
    sttMs,
    llmMs,
    ttsMs,
    wordMs: 0,
    barge: false,
    question,
    providers: {
      ...(recogniser === undefined
        ? {}
        : { recognisers: [{ name: recogniser, settings: accountOf(recogniser, model) }] }),
      ...(isWhole === true
        ? {
            voices: [{ name: 'elevenlabs', settings: accountOf('elevenlabs') }],
            models: [
              {
                vendor: 'anthropic',
                key: 'any',
                baseUrl: fakes.baseUrls.get('anthropic') ?? '',
                model: 'any',
              },
            ],
          }
        : {}),
    },
    ...(profile === undefined ? {} : { profile }),
  });
  return { name, figures };
}

const FLUX = { recogniser: 'deepgram', model: 'flux-general-en', isWhole: true } as const;
const labelOf = ({ recogniser, model }: (typeof recognisers)[number]): string =>
  model === undefined ? recogniser : `${recogniser}, ${model}`;
process.stderr.write('sessions of each recogniser\n');
const frames = await sessionCost(null);
const costs: { readonly name: string; readonly percent: number }[] = [];
for (const line of recognisers) {
  const { recogniser: name, model = null } = line;
  await fakes.set(name, { eagerMs: END_MS, endMs: END_MS, resultMs: 0 });
  const cost = await sessionCost({ name, settings: accountOf(name, model) });
  costs.push({ name: labelOf(line), percent: cost - frames });
}
const alone = await run('no vendor', calls);
const rows: Row[] = [];
for (const line of args.each ? recognisers : []) {
  const { recogniser, model } = line;
  rows.push(await run(labelOf(line), calls, model === undefined ? { recogniser } : { recogniser, model }));
}
const whole = await run('Flux, Anthropic and ElevenLabs', calls, FLUX);
const many =
  Number(args.many) === 0 ? null : await run('Flux, Anthropic and ElevenLabs', Number(args.many), FLUX);
const dialogues = args.dialogues
  ? await holdDialogues(DIALOGUES, { baseUrls: await healthyFakes(), ownDatabase: true })
  : [];
await fakes.stop();

async function healthyFakes(): Promise<ReadonlyMap<string, string>> {
  for (const name of fakes.baseUrls.keys()) {
    const delays = { eagerMs: 150, endMs: 400, resultMs: 0, firstByteMs: 0, speechMs: 0, wordMs: 0 };
    await fakes.set(name, { ...delays, replies: repliesTo(TURNS) });
  }
  return fakes.baseUrls;
}

const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${Math.round(value)} ms`);
const pair = (values: readonly number[]): string =>
  `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.95))}`;
const cpuOf = ({ figures }: Row): number => figures.cpuPercent / figures.calls;
/** The reply's time beyond the silence until the turn ended, or beyond its request with the delays of model and speaker. */
const ownOf = ({ figures }: Row): number[] =>
  figures.turns.flatMap(({ total_ms, endpointing_ms, model_ms, voice_ms }) => {
    if (model_ms === null || voice_ms === null) return [];
    const requestedMs = total_ms - model_ms - voice_ms;
    return total_ms - Math.max(endpointing_ms, requestedMs + llmMs + ttsMs);
  });
const reactions = whole.figures.reactions;
const own = [...rows, whole].flatMap(ownOf);

const plain = (text: string): string => text.toLowerCase().replaceAll(/[.,]/g, '').trim();
const isUnderstood = ({ said, understood }: Dialogue): boolean =>
  plain(said.join(' ')) === plain(understood.join(' '));
const mostApart = ({ line }: Dialogue): number => (HAS_MARKS.has(line.speaker) ? 0 : 1);
const nameOf = ({ line }: Dialogue): string => `${line.model ?? line.recogniser} and ${line.speaker}`;

const bounds: Bound[] = [
  {
    text: `reaction phone to phone where the vendor ends turns: ${pair(reactions)}; bound 620 / 800 ms`,
    holds: percentile(reactions, 0.5) <= 620 && percentile(reactions, 0.95) <= 800,
  },
  {
    text: `our own share over vendors and chosen silence: p95 ${ms(percentile(own, 0.95))}; bound 40 ms`,
    holds: percentile(own, 0.95) <= 40,
  },
  ...costs.map(({ name, percent }): Bound => ({
    text: `${name} costs ${percent.toFixed(3)} % of a core per call; bound 0.1 %`,
    holds: percent <= 0.1,
  })),
  ...(many === null
    ? []
    : [
        {
          text: `${many.figures.calls} calls with sockets to vendors: packets p99 ${percentile(many.figures.intervals, 0.99).toFixed(1)} ms apart; bound 25 ms`,
          holds: percentile(many.figures.intervals, 0.99) <= 25,
        },
      ]),
  ...dialogues.map((one): Bound => ({
    text: `${nameOf(one)}: every word of 20 turns is at the model, and the phone heard what the record says (${one.apart} words apart, bound ${mostApart(one)})`,
    holds: isUnderstood(one) && one.apart <= mostApart(one),
  })),
];

const text = [
  heading('Vendors', `${calls} calls at once, ${seconds} s; vendors ${sttMs}/${llmMs}/${ttsMs} ms`),
  table(
    ['vendors', 'calls', 'turns', 'reaction p50 / p95', 'own share p50 / p95', 'CPU of a core per call'],
    [alone, ...rows, whole, ...(many === null ? [] : [many])].map((row) => [
      row.name,
      String(row.figures.calls),
      `${row.figures.reactions.length} of ${row.figures.questions}`,
      pair(row.figures.reactions),
      pair(ownOf(row)),
      `${cpuOf(row).toFixed(2)} %`,
    ]),
  ),
  ...(dialogues.length === 0
    ? []
    : [
        'Dialogues of 20 turns at once over SIP and RTP with baresip; words as tones, both ways:',
        table(
          [
            'recogniser and speaker',
            'words understood',
            'words in the phone, of the record',
            'reaction p50 / p95',
          ],
          dialogues.map((one) => [
            nameOf(one),
            `${plain(one.understood.join(' ')).split(' ').length} of ${plain(one.said.join(' ')).split(' ').length}`,
            `${one.heard.length} of ${one.recorded.join(' ').split(/\s+/).length}`,
            pair(one.reactionsMs.flatMap((wait) => wait ?? [])),
          ]),
        ),
      ]),
  boundsText(bounds),
  '',
  'Reaction: last sample of the caller’s speech sent → first packet of the reply received. Own share: the record’s total',
  'beyond the silence until the turn ended, or beyond the request of the reply with the delays of model and speaker. The',
  'callers and the stand-ins run on the same machine.',
  'The calls without a vendor have fakes in their own process. What a recogniser costs is the processor time of 40 sessions at',
  'the pace of calls, in a process of its own without the rest of a call.',
].join('\n');
console.log(text);
if (args.save) saveResult('vendors', text);
process.exit(0);
