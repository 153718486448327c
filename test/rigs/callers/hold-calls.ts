import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Language } from '@callwright/language';
import { BARESIP_PORTS, startBaresip, type Baresip, type BaresipOptions } from '../../helpers/sip/baresip.ts';
import { readMono, writeTrack } from '../../helpers/audio/line-audio.ts';
import { freePort } from '../../helpers/sip/peer-process.ts';
import { edit } from '../../helpers/sip/phone-service.ts';
import { replayAll } from '../../helpers/sip/replays.ts';
import { createAgent, place } from '../../helpers/service/scenario.ts';
import { startService, TEST_KEY, type Service } from '../../helpers/service/service.ts';
import { startToolServer } from '../../helpers/agents/tool-server.ts';
import { INTRO, type Plan } from './plan.ts';
import type { PhoneCall } from './score.ts';
import { toolCallsOf, type Script } from './script.ts';
import { LOOPBACK_OPEN } from '../../helpers/service/open-addresses.ts';

export interface CallersOptions {
  /** Addresses of the stand-ins of the vendors. */
  readonly baseUrls: ReadonlyMap<string, string>;
  /** Calls at once. */
  readonly lines: number;
  /** With a database of its own; otherwise one of the test run. */
  readonly ownDatabase?: boolean;
  /** Runs when all calls have ended and the service still answers. */
  readonly onEnded?: (service: Service) => Promise<void>;
}

/** A call whose phone sent its own audio later than this is no measurement: it is held again. */
const LATE_MS = 60;
const MOST_TRIES = 3;

type Replays = Awaited<ReturnType<typeof replayAll>>;

export interface HeldCall extends PhoneCall {
  readonly callId: string;
  /** Most by which the phone's own audio was late. */
  readonly lateMs: number;
}

const THEIRS = '+14155550123';
const numberOf = (line: number): string => `+14155550${200 + line}`;

/** Holds every planned call between baresip and the whole program over SIP and RTP, some at once. */
export async function holdCalls(
  plans: readonly Plan[],
  options: CallersOptions,
  onCall: (plan: Plan, phone: HeldCall) => void,
): Promise<{ readonly duplicateRuns: number; readonly rejected: number; readonly replays: Replays }> {
  const directory = await mkdtemp(join(tmpdir(), 'callers-'));
  const answers = new Map(plans.map(({ script }) => [`/${script.id}`, script.tool]));
  const tools = await startToolServer(({ url }) => {
    const tool = answers.get(url);
    return { body: { note: tool?.answer ?? '' }, waitMs: tool?.ms ?? 0 };
  });
  const ports = await Promise.all(Array.from({ length: options.lines }, () => freePort(BARESIP_PORTS)));
  const service = await serviceOf(ports, options);
  try {
    const agents = new Map<Script, string>();
    for (const { script } of plans) {
      if (!agents.has(script)) agents.set(script, await agentOf(service, script, tools.origin));
    }
    const waiting = [...plans];
    let [toolCalls, rejected] = [0, 0];
    const work = async (port: number, line: number): Promise<void> => {
      for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
        const agentId = agents.get(plan.script) as string;
        let held: HeldCall;
        for (let n = 1; ; n++) {
          held = await holdCall(service, { port, number: numberOf(line) }, plan, agentId, directory);
          toolCalls += toolCallsOf(plan.script);
          if (held.lateMs <= LATE_MS || n === MOST_TRIES) break;
          rejected += 1;
        }
        onCall(plan, held);
      }
    };
    await Promise.all(ports.map((port, line) => work(port, line)));
    const duplicateRuns = Math.max(0, tools.seen.length - toolCalls);
    const replays = await replayAll(service);
    await options.onEnded?.(service);
    return { duplicateRuns, rejected, replays };
  } finally {
    await Promise.all([service.dispose(), tools.close()]);
    await rm(directory, { recursive: true, force: true });
  }
}

/** A service whose recogniser, model and speaker are vendors; every line has a trunk and a number. */
function serviceOf(
  ports: readonly number[],
  { baseUrls, ownDatabase = false }: CallersOptions,
): Promise<Service> {
  const account = (name: string) => ({ apiKey: 'any', baseUrl: baseUrls.get(name) ?? '', model: null });
  return startService({
    program: 'bench/conversation/service.ts',
    ownDatabase,
    env: {
      LOG_LEVEL: 'warn',
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
      BENCH_PROVIDERS: JSON.stringify({
        vad: 'auto',
        stt: 'offline',
        recognisers: [{ name: 'deepgram', settings: account('deepgram') }],
        llm: 'offline',
        models: [{ vendor: 'anthropic', key: 'any', baseUrl: baseUrls.get('anthropic') ?? '', model: 'any' }],
        tts: 'offline',
        voices: [{ name: 'elevenlabs', settings: account('elevenlabs') }],
      }),
    },
    provision: {
      trunks: ports.map((port, line) => ({
        name: numberOf(line),
        uri: `sip:127.0.0.1:${port}`,
        transport: 'udp',
      })),
      workspaces: [
        {
          name: 'Callers',
          api_key: TEST_KEY,
          credits: 'unlimited',
          call_limit: 100,
          numbers: ports.map((_, line) => ({ number: numberOf(line), trunk: numberOf(line) })),
        },
      ],
    },
  });
}

async function voiceOf(service: Service, language: Language): Promise<string> {
  const { body } = await service.request('GET', `/api/v0/agent/voices?language=${language}`);
  return body.voices[0].id as string;
}

async function agentOf(service: Service, script: Script, tools: string): Promise<string> {
  const agentId = await createAgent(service, {
    agent_name: script.id,
    primary_language: script.language,
    voice_id: await voiceOf(service, script.language),
    intro_message: script.intro ?? INTRO,
    call_config: { idle_timeout_warning: 5, idle_timeout_end: 15, ...script.config },
  });
  const { tool } = script;
  if (tool === undefined) return agentId;
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [
      {
        type: 'API_TOOL',
        name: tool.name,
        description: 'Looks it up.',
        method: 'GET',
        url: `${tools}/${script.id}`,
      },
    ],
  });
  return agentId;
}

interface Line {
  readonly port: number;
  readonly number: string;
}

async function holdCall(
  service: Service,
  { port, number }: Line,
  plan: Plan,
  agentId: string,
  directory: string,
): Promise<HeldCall> {
  const saysWav = join(directory, `${plan.script.id}-${plan.seed}.wav`);
  await writeTrack(saysWav, plan.track, plan.lengthMs + 60_000);
  const codec = plan.script.line?.codec;
  const phone = await startPhone({
    user: THEIRS,
    port,
    saysWav,
    isUnbuffered: true,
    ...(codec === undefined ? {} : { codecs: `${codec}/8000/1` }),
  });
  try {
    const callId = await place(service, agentId, THEIRS, {
      from_number: number,
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await phone.waitFor('CALL_ESTABLISHED');
    const times = await listen(phone, plan);
    phone.command('hangup');
    await phone.waitFor('CALL_CLOSED');
    await pause(200);
    return {
      callId,
      sent: await readMono(phone.recordings('enc')[0] ?? ''),
      received: await readMono(phone.recordings('dec')[0] ?? ''),
      ...times,
    };
  } finally {
    await phone.stop();
    await rm(saysWav, { force: true });
  }
}

const PORT_TRIES = 10;
const PORT_WAIT_MS = 2_000;

/** A phone needs more free ports than its own, which another phone may hold until its call is over. */
async function startPhone(options: BaresipOptions): Promise<Baresip> {
  for (let n = 1; ; n++) {
    try {
      return await startBaresip(options);
    } catch (error) {
      if (n === PORT_TRIES) throw error;
      await pause(PORT_WAIT_MS);
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const METER_MS = 200;
const BYTES_PER_MS = 16;

/**
 * Presses the keys and waits for the end of the call. Both recordings grow in real time: returns by how much the one of the
 * received audio began later, and how late the phone was.
 */
async function listen(phone: Baresip, plan: Plan): Promise<Pick<HeldCall, 'receivedLaterMs' | 'lateMs'>> {
  const keys = [...plan.keys];
  const begin = performance.now();
  const apart: number[] = [];
  const behind: number[] = [];
  const sizeOf = async (kind: 'enc' | 'dec'): Promise<number> =>
    (await stat(phone.recordings(kind)[0] ?? '')).size;
  for (;;) {
    const now = performance.now() - begin;
    const isOver = now > plan.lengthMs || phone.events.some(({ type }) => type === 'CALL_CLOSED');
    if (isOver) break;
    for (let key = keys[0]; key !== undefined && key.atMs <= now; key = keys[0]) {
      keys.shift();
      phone.command('sndcode', key.key);
    }
    if (now > 1_000) {
      const [sent, received] = [await sizeOf('enc'), await sizeOf('dec')];
      apart.push((sent - received) / BYTES_PER_MS);
      behind.push(performance.now() - sent / BYTES_PER_MS);
    }
    await pause(Math.min(METER_MS, Math.max(1, (keys[0]?.atMs ?? Infinity) - now)));
  }
  return { receivedLaterMs: meanOfMiddle(apart), lateMs: Math.max(...behind) - Math.min(...behind) };
}

/** The mean without the tenths at both ends. */
function meanOfMiddle(values: readonly number[]): number {
  const cut = Math.floor(values.length / 10);
  const kept = values.toSorted((a, b) => a - b).slice(cut, values.length - cut);
  return kept.reduce((sum, value) => sum + value, 0) / Math.max(1, kept.length);
}
