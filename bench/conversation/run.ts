import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResampler, parseWav, resample } from '@callwright/audio';
import type { Wheel } from '@callwright/rtp';
import { Caller, type CallerOptions, type Timing } from './caller.ts';
import { measuredTurns, type MeasuredTurn } from './measured-turns.ts';
import { startPhones } from './phones.ts';
import { readSends, type SendTiming } from './sends.ts';
import { STREAM_NUMBER, STREAM_TRUNK, StreamLine } from './stream-line.ts';
import { WebLine } from './web-line.ts';

export interface ConversationOptions {
  calls: number;
  /** Browser calls beside the phone calls; absent: none. */
  webCalls?: number;
  /** Calls over the WebSocket of a carrier beside the phone calls, instead of browser calls; absent: none. */
  streamCalls?: number;
  seconds: number;
  /** The calls go on for so long before they are measured; absent: 0. */
  warmSeconds?: number;
  sttMs: number;
  llmMs: number;
  ttsMs: number;
  /** Delay of the model between words. */
  wordMs?: number;
  barge: boolean;
  /** The caller says "mm-hmm" over long answers; then the recogniser hears nothing else. */
  backchannels?: boolean;
  /** The recogniser has each word this long after it begins; absent: all words at the end of the speech. */
  partialMs?: number;
  /** edit_vad_settings.interruption_sensitivity. */
  sensitivity?: 'low' | 'default' | 'high';
  /** The flow of the agent; absent: its prompt leads. */
  flow?: object;
  /** Extra settings of the service. */
  env?: Record<string, string>;
  /** Providers of the service instead of the fakes in its process. */
  providers?: Record<string, unknown>;
  /** What the callers say, at 8 kHz. */
  question?: Int16Array;
  /** Folder for processor profiles of the service, one a thread. */
  profile?: string;
}
export interface ConversationFigures {
  calls: number;
  questions: number;
  reactions: number[];
  stops: number[];
  yields: number[];
  backchannels: number;
  falseStops: number;
  /** Between two packets of a call where they arrive, while all calls were up, ms. */
  intervals: number[];
  /** The same packets where the service sent them. */
  sends: SendTiming;
  /** The same of browser calls, or of calls over a carrier's WebSocket. */
  web: Pick<Timing, 'reactions' | 'intervals'>;
  /** CPU of the service's process while all calls were up, percent of one core. */
  cpuPercent: number;
  idleRssMb: number;
  peakRssMb: number;
  lost: number;
  /** Turns in the records of the calls, when they are asked for. */
  turns: MeasuredTurn[];
}

/** As the caller says it, and as the recogniser writes it. */
export const BACKCHANNEL = 'Mm-hmm.';

/** As the recogniser writes what else the caller says. */
const HEARD = 'What are your opening hours tomorrow morning?';
const KEY = 'cw_live_benchbenchbenchbenchbenchbench';
const SHORT = 'We are open from nine to five tomorrow. Would you like to book a visit?';
/** Of the fake voice. */
const MS_PER_CHARACTER = 60;
const LONG = `We are open from nine to five tomorrow. ${'There is a long list of services that we can talk about here. '.repeat(6)}`;

/** A spoken sentence at 8 kHz, cut to its first and last loud sample. */
export function speech(text: string): Int16Array {
  const wav = parseWav(execFileSync('espeak-ng', ['--stdout', text], { maxBuffer: 1e8 }));
  if (!wav.ok) throw new Error(wav.reason);
  const pcm = resample(createResampler(wav.sampleRate, 8000), wav.pcm, true);
  const isLoud = (sample: number): boolean => Math.abs(sample) >= 400;
  return pcm.slice(pcm.findIndex(isLoud), pcm.findLastIndex(isLoud) + 1);
}

const stat = (pid: number): { cpuMs: number; rssMb: number } => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
    rssMb: (Number(fields[21]) * 4096) / 1048576,
  };
};

const emptyTiming = (): Timing => ({
  reactions: [],
  stops: [],
  yields: [],
  backchannels: 0,
  falseStops: 0,
  questions: 0,
  framesIn: 0,
  intervals: [],
});

/** The agent takes the calls of the carrier's number; resolves with its webhook. */
async function takeStreamCalls(url: string, agentId: string): Promise<string> {
  const get = async (path: string): Promise<any> =>
    (await fetch(`${url}/api/v0${path}`, { headers: { 'x-api-key': KEY } })).json();
  const { workspace_numbers: numbers } = await get('/workspace/numbers');
  const number = numbers.find((one: any) => one.number === STREAM_NUMBER);
  const attached = await fetch(`${url}/api/v0/agent/v1`, {
    method: 'PATCH',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ operation: 'attach_inbound_number', agent_id: agentId, number_id: number.id }),
  });
  if (!attached.ok) throw new Error(`the number is not attached: ${await attached.text()}`);
  const { trunks } = await get('/workspace/trunks');
  const trunk = trunks.find((one: any) => one.name === STREAM_TRUNK.name);
  return `${url}/carriers/${trunk.trunk_id}/voice`;
}

/** Begins a browser call as a page of the service does. */
async function openWebLine(url: string, agentId: string, caller: Caller, wheel: Wheel): Promise<WebLine> {
  const record = await fetch(`${url}/api/v0/agent/${agentId}`, { headers: { 'x-api-key': KEY } });
  const { agents } = (await record.json()) as any;
  const opened = await fetch(`${url}/api/v0/calling/webcall`, {
    method: 'POST',
    headers: { 'x-api-key': agents.webcall_public_key, 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ agent_id: agentId }),
  });
  const { ws_url: wsUrl, token } = (await opened.json()) as any;
  return WebLine.open(wsUrl, token, url, caller, wheel);
}

/** Runs the whole program in its own process against the bench's carrier, and measures what the callers hear. */
export async function runConversation(options: ConversationOptions): Promise<ConversationFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'callwright-bench-'));
  const question = options.question ?? speech('What time do you open on Saturday?');
  const { backchannels = false, partialMs = 0 } = options;
  const isLong = options.barge || backchannels;
  const backchannel = backchannels ? speech(BACKCHANNEL) : null;
  const interruption = options.barge ? speech('Could you tell me which papers I should bring along?') : null;
  const timing = emptyTiming();
  let answered = 0;
  const { warmSeconds = 0 } = options;
  /** The caller of the nth call asks first 1.5 s after the answer, and last 6 s before the end. */
  const callerOf = (
    n: number,
    own: Timing,
    said: Pick<CallerOptions, 'interruption' | 'backchannel'>,
  ): Caller => {
    const now = performance.now();
    return new Caller({
      question,
      ...said,
      replyMs: LONG.length * MS_PER_CHARACTER,
      timing: own,
      firstAt: now + 1500 + (n % 50) * 60,
      stopAt: now + (warmSeconds + options.seconds - 6) * 1000,
    });
  };
  const phones = await startPhones(() => callerOf(answered++, timing, { interruption, backchannel }));

  writeFileSync(
    join(dir, 'provision.json'),
    JSON.stringify({
      trunks: [{ name: 'bench', uri: `sip:127.0.0.1:${phones.port}` }, STREAM_TRUNK],
      workspaces: [
        {
          name: 'Bench',
          api_key: KEY,
          credits: 'unlimited',
          call_limit: 10_000,
          numbers: [
            { number: '+14155550100', trunk: 'bench' },
            { number: STREAM_NUMBER, trunk: STREAM_TRUNK.name },
          ],
        },
      ],
    }),
  );
  const text = encodeURIComponent(isLong ? LONG : SHORT);
  const heard = backchannels ? BACKCHANNEL : HEARD;
  // The words are spread evenly over the question's sound.
  const wordMs = Math.round(question.length / 8 / heard.split(' ').length);
  const { profile } = options;
  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const noted = mkdtempSync(join(tmpdir(), 'callwright-sends-'));
  const program = [
    process.execPath,
    ...profiled,
    '--import',
    join(import.meta.dirname, 'note-sends.ts'),
    join(import.meta.dirname, 'service.ts'),
  ];
  // The service has the usual priority, not that of the phones.
  const child = spawn('nice', ['-n', String(-getPriority()), ...program], {
    env: {
      ...process.env,
      PORT: '0',
      SIP_PORT: '0',
      DATA_DIR: dir,
      BENCH_SENDS: noted,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_WEBCALL_ADDRESS: '0',
      RATE_LIMIT_WEBCALL_KEY: '0',
      PROVISION_FILE: join(dir, 'provision.json'),
      BENCH_PROVIDERS: JSON.stringify({
        vad: 'auto',
        stt: `fake:sttMs=${options.sttMs},endpoint=sample,repeat=1,partialMs=${partialMs},wordMs=${wordMs},finals=${encodeURIComponent(heard)}`,
        llm: `fake:llmMs=${options.llmMs},perWordMs=${options.wordMs ?? 4},replies=${text}`,
        // A steady tone: its level shows when the voice is lowered.
        tts: `fake:ttsMs=${options.ttsMs},msPerCharacter=${MS_PER_CHARACTER}${isLong ? ',sound=tone' : ''}`,
        ...options.providers,
      }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const match = /ready (\S+)/.exec(chunk.toString());
      if (match !== null) resolve(match[1]!);
    });
  });
  const pid = child.pid!;
  const api = async (path: string, body: unknown, method: 'POST' | 'PATCH' = 'POST'): Promise<any> => {
    const answer = await fetch(`${url}/api/v0${path}`, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json: any = await answer.json();
    if (!answer.ok) throw new Error(json.message);
    return json;
  };
  const voices: any = await (
    await fetch(`${url}/api/v0/agent/voices?language=en-US`, { headers: { 'x-api-key': KEY } })
  ).json();
  const agent = await api('/public/agent', {
    agent_name: 'Bench',
    agent_type: 'outbound_inbound',
    introduction_and_objective: 'You help callers.',
    response_guidelines: 'Be brief.',
    task: 'Answer questions.',
    primary_language: 'en-US',
    voice_id: voices.voices[0].id,
    intro_message: 'Hello.',
    call_config: {
      call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' },
      max_call_length: 3600,
      idle_timeout_warning: 0,
      idle_timeout_end: 600,
    },
  });
  if (options.sensitivity !== undefined) {
    await api(
      '/agent/v1',
      {
        operation: 'edit_vad_settings',
        agent_id: agent.data.id,
        vad_settings: { interruption_sensitivity: options.sensitivity },
      },
      'PATCH',
    );
  }
  if (options.flow !== undefined) {
    const edit = { operation: 'edit_flow', agent_id: agent.data.id, flow: options.flow };
    await api('/agent/v1', edit, 'PATCH');
  }
  // Modules loaded by the first call belong to the service, not to a call.
  const first = await api('/calling/outbound/individual', {
    name: 'Caller',
    mobile_number: '+14155559999',
    agent_id: agent.data.id,
    from_number: '+14155550100',
  });
  const warmBy = Date.now() + 15_000;
  while (timing.reactions.length + timing.stops.length < 2 && Date.now() < warmBy)
    await new Promise((r) => setTimeout(r, 100));
  await fetch(`${url}/api/v0/calling/${first.data.call_id}/hangup`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: '{}',
  });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  Object.assign(timing, emptyTiming());
  answered = 0;
  const idle = stat(pid);
  const callIds: string[] = [];
  for (let i = 0; i < options.calls; i++) {
    const placed = await api('/calling/outbound/individual', {
      name: 'Caller',
      mobile_number: `+1415555${String(1000 + (i % 8999)).padStart(4, '0')}`,
      agent_id: agent.data.id,
      from_number: '+14155550100',
    });
    callIds.push(placed.data.call_id);
  }
  const upBy = Date.now() + 30_000;
  while (answered < options.calls && Date.now() < upBy) await new Promise((r) => setTimeout(r, 50));
  if (answered < options.calls) throw new Error(`only ${answered} of ${options.calls} calls came up`);
  const web = emptyTiming();
  const webLines: (WebLine | StreamLine)[] = [];
  const { streamCalls = 0 } = options;
  const webhook = streamCalls === 0 ? '' : await takeStreamCalls(url, agent.data.id);
  for (let i = 0; i < streamCalls; i++)
    webLines.push(await StreamLine.open(webhook, i, callerOf(i, web, { interruption: null }), phones.wheel));
  for (let i = 0; i < (options.webCalls ?? 0); i++) {
    const caller = callerOf(i, web, { interruption: null });
    webLines.push(await openWebLine(url, agent.data.id, caller, phones.wheel));
  }
  await new Promise((resolve) => setTimeout(resolve, warmSeconds * 1000));
  for (const one of [timing, web]) one.intervals.length = 0;
  const begin = stat(pid);
  const beginAt = performance.now();
  let peakRssMb = begin.rssMb;
  while (performance.now() - beginAt < options.seconds * 1000) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    peakRssMb = Math.max(peakRssMb, stat(pid).rssMb);
  }
  const end = stat(pid);
  const endAt = performance.now();
  const intervals = timing.intervals.slice();
  for (const line of webLines) line.close();
  const turns = await measuredTurns(url, KEY, callIds);
  const lost = [...phones.legs].reduce((sum, leg) => sum + leg.stats().packetsLost, 0);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  process.off('exit', kill);
  const { timeOrigin } = performance;
  const sends = readSends(noted, timeOrigin + beginAt, timeOrigin + endAt);
  await phones.close();
  for (const folder of [dir, noted]) rmSync(folder, { recursive: true, force: true });
  return {
    calls: options.calls,
    questions: timing.questions,
    reactions: timing.reactions,
    stops: timing.stops,
    yields: timing.yields,
    backchannels: timing.backchannels,
    falseStops: timing.falseStops,
    intervals,
    sends,
    web,
    cpuPercent: ((end.cpuMs - begin.cpuMs) / (endAt - beginAt)) * 100,
    idleRssMb: idle.rssMb,
    peakRssMb,
    lost,
    turns,
  };
}

export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0
    ? Number.NaN
    : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0);
};
