import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codedSpeech, WordListener } from '../../../src/providers/fake/vendors/word-code.ts';
import type { SttVendorName } from '../../../src/shared/vendors.ts';
import { startBaresip } from '../../helpers/baresip.ts';
import { readMono, writeTrack } from '../../helpers/line-audio.ts';
import { freePort } from '../../helpers/peer-process.ts';
import { createAgent, details, place, transcriptOf, whenCall, whenOver } from '../../helpers/scenario.ts';
import { startService, TEST_KEY, type Service } from '../../helpers/service.ts';

const OURS = '+14155550100';
const THEIRS = '+14155550123';

/** Agent and phone speak in tones that both sides turn into words; the brain repeats what it understood. */
export interface Dialogue {
  /** What the caller said, turn by turn, and what each turn of the record says. */
  readonly said: readonly string[];
  readonly understood: readonly string[];
  /** The agent's lines in the record as they were heard, and the words that the phone's recording holds. */
  readonly recorded: readonly string[];
  readonly heard: string;
  /** From the end of a turn's sound in the phone to the agent's first sound in it, ms; null: no reply. */
  readonly waitsMs: readonly (number | null)[];
  readonly call: any;
}

export interface DialogueOptions {
  readonly vendor: SttVendorName;
  readonly baseUrl: string;
  readonly turns: number;
  /** From one turn of the caller to the next. */
  readonly everyMs?: number;
  /** The recogniser behind the vendor's, by the name of its provider; default: the offline one. */
  readonly last?: string;
  /** With a database of its own; otherwise one of the test run. */
  readonly ownDatabase?: boolean;
  /** The caller speaks into the reply to these turns. */
  readonly interrupts?: readonly number[];
  /** Called when the call is up, with the times of the turns after the answer. */
  readonly onAnswered?: (turns: readonly { readonly atMs: number; readonly endMs: number }[]) => unknown;
}

/** Not the agent's: with one voice for both, a caller who repeats its words would be its echo. */
const CALLER_PITCH_HZ = 200;
const FIRST_MS = 2_500;
/** Into the reply, which begins about a second after the caller has begun. */
const INTERRUPTS_AFTER_MS = 2_400;

/** Words that no other turn has. */
const sentence = (turn: number): string => `book table ${turn}${'abcdefghij'[turn % 10]}`;

/** Holds a dialogue between baresip and the whole program over SIP and RTP. */
export async function holdDialogue(options: DialogueOptions): Promise<Dialogue> {
  const { vendor, baseUrl, turns, everyMs = 4_000, interrupts = [] } = options;
  const directory = await mkdtemp(join(tmpdir(), 'dialogue-'));
  const trunkPort = await freePort();
  const said: string[] = [];
  const track: { atMs: number; endMs: number; pcm: Int16Array }[] = [];
  const say = (text: string, atMs: number): void => {
    const pcm = codedSpeech(text, 8000, 1, CALLER_PITCH_HZ);
    said.push(text);
    track.push({ atMs, endMs: atMs + pcm.length / 8, pcm });
  };
  for (let turn = 0; turn < turns; turn++) {
    say(sentence(turn), FIRST_MS + turn * everyMs);
    if (interrupts.includes(turn)) {
      say(`no wait ${turn}x`, FIRST_MS + turn * everyMs + INTERRUPTS_AFTER_MS);
    }
  }
  const lengthMs = FIRST_MS + turns * everyMs + 1_000;
  const saysWav = join(directory, 'says.wav');
  await writeTrack(saysWav, track, lengthMs + 60_000);
  const service = await startService({
    program: 'bench/conversation/service.ts',
    ownDatabase: options.ownDatabase ?? false,
    env: {
      BENCH_PROVIDERS: JSON.stringify({
        vad: 'auto',
        stt: options.last ?? 'offline',
        recognisers: [{ name: vendor, settings: { apiKey: 'any', baseUrl, model: null } }],
        llm: 'fake:llmMs=60',
        tts: 'fake:ttsMs=40,sound=words',
      }),
    },
    provision: {
      trunks: [{ name: 'phone', uri: `sip:127.0.0.1:${trunkPort}`, transport: 'udp' }],
      workspaces: [
        {
          name: 'Test',
          api_key: TEST_KEY,
          credits: 10_000,
          call_limit: 20,
          numbers: [{ number: OURS, trunk: 'phone' }],
        },
      ],
    },
  });
  const baresip = await startBaresip({ user: THEIRS, port: trunkPort, saysWav });
  try {
    const callId = await placed(service);
    const answeredAt = await whenCall(service, callId, 'answered', (call) => call.answered_at !== null);
    await options.onAnswered?.(track);
    const since = Date.now() - Date.parse(String(answeredAt.answered_at));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, lengthMs - since)));
    baresip.command('hangup');
    await whenOver(service, callId);
    const call = await details(service, callId);
    const lines = transcriptOf(call);
    const [dec = '', enc = ''] = [baresip.recordings('dec')[0], baresip.recordings('enc')[0]];
    const [heard, sent] = [await readMono(dec), await readMono(enc)];
    return {
      said,
      understood: lines.flatMap((line) => line['user'] ?? []),
      recorded: lines.flatMap((line) => line['bot'] ?? []),
      heard: wordsIn(heard).join(' '),
      waitsMs: waits(sent, heard, said.length),
      call,
    };
  } finally {
    await baresip.stop();
    await service.dispose();
    await rm(directory, { recursive: true, force: true });
  }
}

async function placed(service: Service): Promise<string> {
  const agentId = await createAgent(service, {
    intro_message: 'Hello.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  return place(service, agentId, THEIRS, { call_config: { call_retry_config: { retry_count: 0 } } });
}

/** The coded words of a recording. */
function wordsIn(pcm: Int16Array): string[] {
  const words: string[] = [];
  const listener = new WordListener(8000);
  for (let from = 0; from < pcm.length; from += 80) {
    listener.push(pcm.subarray(from, from + 80), ({ text }) => words.push(text));
  }
  listener.push(new Int16Array(400), ({ text }) => words.push(text));
  return words;
}

/** Stretches of sound; pauses below `PAUSE_MS` are part of one. */
const PAUSE_MS = 300;
function sounds(pcm: Int16Array): { fromMs: number; toMs: number }[] {
  const found: { fromMs: number; toMs: number }[] = [];
  for (let i = 0; i < pcm.length; i++) {
    if (Math.abs(pcm[i] as number) < 1_000) continue;
    const atMs = i / 8;
    const last = found.at(-1);
    if (last === undefined || atMs - last.toMs > PAUSE_MS) found.push({ fromMs: atMs, toMs: atMs });
    else last.toMs = atMs;
  }
  return found;
}

function waits(sent: Int16Array, heard: Int16Array, turns: number): (number | null)[] {
  const replies = sounds(heard);
  return sounds(sent)
    .slice(0, turns)
    .map(({ toMs }) => {
      const reply = replies.find(({ fromMs }) => fromMs > toMs);
      return reply === undefined ? null : Math.round(reply.fromMs - toMs);
    });
}
