import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerLines, type CallerLine } from '../helpers/audio/caller-lines.ts';
import { startVoskServer, startWhisperServer, type ModelServer } from '../helpers/models/model-servers.ts';
import { spokenErrorRate, startSpokenCalls, type SpokenCalls } from '../helpers/models/spoken-call.ts';

/** Lines that end a call: the wish not to be called again, and a goodbye. */
const ENDING = ['please take me off your list', 'that is all thank you very much goodbye'];
const LINES = callerLines().filter(({ text }) => !ENDING.includes(text));
const CALLS = 4;
/** Each call has every fourth line. */
const SHARES = Array.from({ length: CALLS }, (_, call) => LINES.filter((_line, at) => at % CALLS === call));

interface Heard {
  readonly said: string[];
  readonly heard: string[];
  readonly faults: unknown[];
  /** The recognisers that the calls used. */
  readonly vendors: Set<string>;
}

/** Holds the calls, some at once, and returns what was said and what their records hold. */
async function heardIn(calls: SpokenCalls, atOnce: number): Promise<Heard> {
  const all: Heard = { said: [], heard: [], faults: [], vendors: new Set() };
  const waiting: (readonly CallerLine[])[] = [...SHARES];
  const work = async (): Promise<void> => {
    for (let lines = waiting.shift(); lines !== undefined; lines = waiting.shift()) {
      const { caller, details } = await calls.hold(lines);
      all.said.push(...lines.map(({ text }) => text));
      all.heard.push(...caller);
      all.faults.push(...details.vendor_faults);
      for (const { part, vendor } of details.usage.vendors) if (part === 'stt') all.vendors.add(vendor);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return all;
}

describe.each([
  {
    name: 'vosk-server with Vosk small',
    vendor: 'vosk',
    start: startVoskServer,
    atOnce: 2,
    env: (url: string) => ({ STT_PROVIDER: 'vosk', VOSK_BASE_URL: url }),
    most: 0.08,
  },
  {
    name: 'faster-whisper-server with Whisper tiny',
    vendor: 'openai-compatible',
    start: startWhisperServer,
    // One utterance takes it half a second on two cores.
    atOnce: 1,
    env: (url: string) => ({
      STT_PROVIDER: 'openai-compatible',
      OPENAI_COMPATIBLE_STT_BASE_URL: url,
      OPENAI_COMPATIBLE_BASE_URL: url,
      OPENAI_COMPATIBLE_MODEL: 'whisper-1',
    }),
    most: 0.08,
  },
])('calls over SIP at $name', ({ vendor, start, atOnce, env, most }) => {
  let server: ModelServer;
  let calls: SpokenCalls;
  beforeAll(async () => {
    server = await start();
    calls = await startSpokenCalls({ env: env(server.url), reply: 'Okay.' });
  });
  afterAll(async () => {
    await calls?.close();
    await server?.stop();
  });

  it('record the lines of callers by ten voices, and no fault of the server', async () => {
    const { said, heard, faults, vendors } = await heardIn(calls, atOnce);
    expect([faults, [...vendors]]).toEqual([[], [vendor]]);
    const rate = spokenErrorRate(said, heard);
    console.log(`wrong words: ${(rate * 100).toFixed(1)} %`);
    expect(rate).toBeLessThanOrEqual(most);
  });
});
