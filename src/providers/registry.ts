import { silentLog, type Log } from '../shared/log.ts';
import { fakeLlmFromName } from './fake/llm.ts';
import { fakeSttFromName } from './fake/stt.ts';
import { fakeTtsFromName } from './fake/tts.ts';
import type { LlmProvider, SttProvider, TtsProvider, VadProvider } from '../voice/ports.ts';

/** Which providers a call worker uses. Plain data: it is handed to the worker's thread. */
export interface ProviderChoice {
  /** `auto`, `silero` or `light`. */
  vad: string;
  /** `offline`, or `fake` with its settings (fake/stt.ts). */
  stt: string;
  /** `offline`, or `fake` with its settings (fake/tts.ts). */
  tts: string;
  /** `offline`, `openai-compatible` (needs `openai`), or `fake` with its settings (fake/llm.ts). */
  llm: string;
  openai: { baseUrl: string; apiKey: string | null; model: string } | null;
}

export interface Providers {
  vad: VadProvider;
  stt: SttProvider;
  tts: TtsProvider;
  llm: LlmProvider;
}

/** What runs without keys: everything on this machine. */
export const OFFLINE_PROVIDERS: ProviderChoice = {
  vad: 'auto',
  stt: 'offline',
  tts: 'offline',
  llm: 'offline',
  openai: null,
};

/** Builds the providers of one thread; only the chosen ones are loaded. Throws on a name it does not know. */
export async function createProviders(choice: ProviderChoice, log: Log = silentLog): Promise<Providers> {
  const [vad, stt, tts, llm] = await Promise.all([
    vadOf(choice.vad, log),
    sttOf(choice.stt, log),
    ttsOf(choice.tts, log),
    llmOf(choice),
  ]);
  return { vad, stt, tts, llm };
}

const unknown = (kind: string, name: string): Error =>
  new Error(`Unknown ${kind} provider: ${name.slice(0, 40)}`);
const isFake = (name: string): boolean => name === 'fake' || name.startsWith('fake:');

async function vadOf(name: string, log: Log): Promise<VadProvider> {
  if (name !== 'auto' && name !== 'silero' && name !== 'light') throw unknown('voice activity', name);
  const { createVadProvider } = await import('./vad/provider.ts');
  return createVadProvider({ engine: name, log });
}

async function sttOf(name: string, log: Log): Promise<SttProvider> {
  if (isFake(name)) return fakeSttFromName(name);
  if (name !== 'offline') throw unknown('speech recognition', name);
  const { createOfflineStt } = await import('./stt/offline.ts');
  return createOfflineStt({ log });
}

async function ttsOf(name: string, log: Log): Promise<TtsProvider> {
  if (isFake(name)) return fakeTtsFromName(name);
  if (name !== 'offline') throw unknown('voice', name);
  const { createOfflineTts } = await import('./tts/offline.ts');
  return createOfflineTts({ log }).start();
}

async function llmOf({ llm, openai }: ProviderChoice): Promise<LlmProvider> {
  if (isFake(llm)) return fakeLlmFromName(llm);
  if (llm === 'openai-compatible') {
    if (openai === null) throw new Error('The openai-compatible provider needs a server');
    const { createOpenAiCompatibleLlm } = await import('./llm/openai-compatible.ts');
    return createOpenAiCompatibleLlm(openai);
  }
  if (llm !== 'offline') throw unknown('language model', llm);
  const { createOfflineLlm } = await import('./llm/offline/brain.ts');
  return createOfflineLlm();
}
