import { afterAll, beforeAll, expect, it } from 'vitest';
import { callerLines } from '../helpers/audio/caller-lines.ts';
import { startLanguageServer, startVoskServer, type ModelServer } from '../helpers/models/model-servers.ts';
import { startSpokenCalls, type SpokenCalls } from '../helpers/models/spoken-call.ts';

const LINES = callerLines().filter(({ text }) => /what time do you open|credit cards/.test(text));

/** The first run builds the library from its sources. */
const BUILD_MS = 1_800_000;

let vosk: ModelServer;
let language: ModelServer;
let calls: SpokenCalls;
beforeAll(async () => {
  [vosk, language] = await Promise.all([startVoskServer(), startLanguageServer()]);
  calls = await startSpokenCalls({
    env: {
      STT_PROVIDER: 'vosk',
      VOSK_BASE_URL: vosk.url,
      LLM_BASE_URL: `${language.url}/v1`,
      LLM_MODEL: 'smollm2',
    },
  });
  // The server keeps the prompt that it has read: its first reply takes longer than a call waits.
  await calls.hold(LINES.slice(0, 1));
}, BUILD_MS);
afterAll(async () => {
  await calls?.close();
  await Promise.all([vosk?.stop(), language?.stop()]);
});

it('a call over SIP is answered by a language model behind the server of llama.cpp', async () => {
  const { agent, details } = await calls.hold(LINES);
  expect(details.vendor_faults).toEqual([]);
  const replies = details.transcript.filter(({ role }: { role: string }) => role === 'agent').slice(1);
  expect(replies.length).toBeGreaterThanOrEqual(LINES.length);
  for (const reply of replies) {
    expect(reply).toMatchObject({ vendor: 'openai-compatible', model: 'smollm2', is_fallback: false });
  }
  console.log(agent.join(' / '));
});
