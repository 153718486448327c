import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codedSpeech, wordsIn } from '@callwright/stand-ins';
import {
  type LlmVendorName,
  type SttVendorName,
  type TtsVendorName,
} from '../../../src/vendors/catalogue.ts';
import { settingPrefix } from '../../../src/vendors/vendor.ts';
import { BARESIP_PORTS, startBaresip, type Baresip } from '../../helpers/sip/baresip.ts';
import { readMono, writeTrack } from '../../helpers/audio/line-audio.ts';
import { freePort } from '../../helpers/sip/peer-process.ts';
import { edit } from '../../helpers/sip/phone-service.ts';
import {
  createAgent,
  details,
  place,
  transcriptOf,
  whenCall,
  whenOver,
  type ApiClient,
} from '../../helpers/service/scenario.ts';
import { startService, type Service } from '../../helpers/service/service.ts';
import { reactions, waits, wordsApart } from './phone-audio.ts';

/** One line: a phone that talks to an agent with a recogniser and a speaker of its own. */
export interface LineOptions {
  readonly recogniser: SttVendorName;
  /** Absent: the recogniser's usual model. */
  readonly model?: string;
  readonly speaker: TtsVendorName;
  /** Takes over from the recogniser. */
  readonly nextRecogniser?: SttVendorName;
  /** Language models in order; absent: Anthropic. */
  readonly models?: readonly LlmVendorName[];
  /** Turns of the caller, in order; true: it is spoken into the agent's reply. */
  readonly turns: readonly boolean[];
}

/** What a line's caller said, and what became of it. */
export interface Dialogue {
  readonly line: LineOptions;
  /** What the caller said, turn by turn, and what each turn of the record says. */
  readonly said: readonly string[];
  readonly understood: readonly string[];
  /** The agent's lines in the record as they were heard, and the words that the phone's recording holds. */
  readonly recorded: readonly string[];
  readonly heard: readonly string[];
  /** Most words of a line that the record has and the phone has not, or the other way round. */
  readonly apart: number;
  /** From the end of each turn's sound in the phone to the agent's first sound in it, ms; null: no reply. */
  readonly reactionsMs: readonly (number | null)[];
  /** As `waits`. */
  readonly waitsMs: readonly number[];
  readonly call: any;
}

export interface DialogueVendors {
  /** Addresses of the stand-ins, by vendor. */
  readonly baseUrls: ReadonlyMap<string, string>;
  /** Called when every line is up, with the times of the turns after the answer. */
  readonly onAnswered?: (turns: readonly { readonly atMs: number; readonly endMs: number }[]) => unknown;
  /** With a database of its own; otherwise one of the test run. */
  readonly ownDatabase?: boolean;
}

/** Not the agent's: with one voice for both, a caller who repeats its words would be its echo. */
const CALLER_PITCH_HZ = 200;
const THEIRS = '+14155550123';
const FIRST_MS = 2_500;
/** From a turn of the caller to the next one, and to one that interrupts the reply to it. */
const EVERY_MS = 4_000;
const INTERRUPTS_AFTER_MS = 2_600;
/** After the last turn, for the reply to it. */
const LAST_MS = 5_000;

/** Words that no other turn of any line has. */
const sentence = (line: number, turn: number, interrupts: boolean): string =>
  `${interrupts ? 'no wait' : 'book table'} ${'abcdefghijklmnop'[line]}${turn}`;

interface Turn {
  readonly text: string;
  readonly atMs: number;
  readonly endMs: number;
  readonly pcm: Int16Array;
}

interface Line extends LineOptions {
  readonly track: readonly Turn[];
  readonly port: number;
  readonly phone: Baresip;
  /** The number that it is called from. */
  readonly number: string;
}

function turnsOf(line: number, { turns }: LineOptions): Turn[] {
  let atMs = FIRST_MS;
  return turns.map((interrupts, turn) => {
    const text = sentence(line, turn, interrupts);
    const pcm = codedSpeech(text, 8000, 1, CALLER_PITCH_HZ);
    if (turn > 0) atMs += interrupts ? INTERRUPTS_AFTER_MS : EVERY_MS;
    return { text, atMs, endMs: atMs + pcm.length / 8, pcm };
  });
}

/** Holds a dialogue on every line at once, between baresip and the whole program over SIP and RTP. */
export async function holdDialogues(
  options: readonly LineOptions[],
  vendors: DialogueVendors,
): Promise<Dialogue[]> {
  const directory = await mkdtemp(join(tmpdir(), 'dialogues-'));
  const lines: Line[] = [];
  for (const [i, line] of options.entries()) {
    const [track, port] = [turnsOf(i, line), await freePort(BARESIP_PORTS)];
    const saysWav = join(directory, `says-${i}.wav`);
    await writeTrack(saysWav, track, (track.at(-1)?.endMs ?? 0) + 60_000);
    const phone = await startBaresip({ user: THEIRS, port, saysWav });
    lines.push({ ...line, track, port, phone, number: `+14155550${String(200 + i)}` });
  }
  const service = await serviceOf(lines, vendors);
  try {
    for (const speaker of speakersOf(lines)) await speakWith(service, speaker);
    const calls: { readonly line: Line; readonly workspace: ApiClient; readonly callId: string }[] = [];
    for (const line of lines) {
      const workspace = service.as(keyOf(line.speaker));
      calls.push({ line, workspace, callId: await placed(workspace, line) });
    }
    const isUp = (call: any): boolean => call.answered_at !== null;
    await Promise.all(calls.map(({ workspace, callId }) => whenCall(workspace, callId, 'answered', isUp)));
    await vendors.onAnswered?.(lines[0]?.track ?? []);
    const lengthMs = Math.max(...lines.map(({ track }) => track.at(-1)?.endMs ?? 0)) + LAST_MS;
    await new Promise((resolve) => setTimeout(resolve, lengthMs));
    for (const { phone } of lines) phone.command('hangup');
    return await Promise.all(
      calls.map(async ({ line, workspace, callId }) => {
        await whenOver(workspace, callId);
        return dialogueOf(line, await details(workspace, callId));
      }),
    );
  } finally {
    await Promise.all([...lines.map(({ phone }) => phone.stop()), service.dispose()]);
    await rm(directory, { recursive: true, force: true });
  }
}

const keyOf = (speaker: TtsVendorName): string => `cw_live_${speaker}`.padEnd(40, 'x');
const speakersOf = (lines: readonly LineOptions[]): TtsVendorName[] => [
  ...new Set(lines.map(({ speaker }) => speaker)),
];

/** A service with a workspace for every speaker. */
function serviceOf(
  lines: readonly Line[],
  { baseUrls, ownDatabase = false }: DialogueVendors,
): Promise<Service> {
  const accounts = [...baseUrls].flatMap(([name, url]) => [
    [`${settingPrefix(name)}_BASE_URL`, url],
    [`${settingPrefix(name)}_API_KEY`, 'any'],
  ]);
  return startService({
    ownDatabase,
    env: { ...(Object.fromEntries(accounts) as Record<string, string>), LLM_PROVIDER: 'anthropic' },
    provision: {
      trunks: lines.map(({ number, port }) => ({
        name: number,
        uri: `sip:127.0.0.1:${port}`,
        transport: 'udp',
      })),
      workspaces: speakersOf(lines).map((speaker) => ({
        name: speaker,
        api_key: keyOf(speaker),
        credits: 10_000,
        call_limit: 20,
        numbers: lines.flatMap((line) =>
          line.speaker === speaker ? [{ number: line.number, trunk: line.number }] : [],
        ),
      })),
    },
  });
}

/** The workspace's agents speak with this vendor. */
async function speakWith(service: Service, speaker: TtsVendorName): Promise<void> {
  const { status, body } = await service
    .as(keyOf(speaker))
    .request('PUT', '/api/v0/workspace/providers', { tts: [speaker] });
  if (status !== 200) throw new Error(`${speaker}: ${JSON.stringify(body)}`);
}

async function placed(service: ApiClient, line: Line): Promise<string> {
  const { recogniser, nextRecogniser, model, models, number } = line;
  const agentId = await createAgent(service, {
    intro_message: 'Hello.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await edit(service, agentId, 'edit_stt', {
    stt: {
      providers: [recogniser, ...(nextRecogniser === undefined ? [] : [nextRecogniser])],
      ...(model === undefined ? {} : { model }),
    },
  });
  if (models !== undefined) {
    await edit(service, agentId, 'edit_llm', { llm: { provider: 'default', providers: [...models] } });
  }
  return place(service, agentId, THEIRS, {
    from_number: number,
    call_config: { call_retry_config: { retry_count: 0 } },
  });
}

async function dialogueOf(line: Line, call: any): Promise<Dialogue> {
  const { track, phone } = line;
  const transcript = transcriptOf(call);
  const recorded = transcript.flatMap((entry) => entry.bot ?? []);
  const [received, sent] = [
    await readMono(phone.recordings('dec')[0] ?? ''),
    await readMono(phone.recordings('enc')[0] ?? ''),
  ];
  const heard = wordsIn(received, 8000).map(({ text }) => text);
  return {
    line,
    said: track.map(({ text }) => text),
    understood: transcript.flatMap((entry) => entry.user ?? []),
    recorded,
    heard,
    apart: wordsApart(recorded, heard),
    reactionsMs: reactions(sent, received, track.length),
    waitsMs: waits(sent, received, track.length),
    call,
  };
}
