import { describe, expect, it } from 'vitest';
import { createProviders, OFFLINE_PROVIDERS, type ProviderChoice } from './registry.ts';

const FAKES: ProviderChoice = {
  vad: 'light',
  stt: 'fake:finals=yes',
  tts: 'fake',
  llm: 'fake:llmMs=5',
  openai: null,
};

describe('providers by name', () => {
  it('builds fakes with their settings, and the script engine', async () => {
    const fakes = await createProviders(FAKES);
    expect([fakes.vad.name, fakes.stt.name, fakes.tts.name, fakes.llm.name]).toEqual([
      'light',
      'fake',
      'fake',
      'fake',
    ]);
    const { llm } = await createProviders({ ...FAKES, llm: 'offline' });
    expect(llm.name).toBe('offline');
  });

  it('runs offline when nothing else is chosen', async () => {
    const providers = await createProviders(OFFLINE_PROVIDERS);
    expect([providers.stt.name, providers.tts.name, providers.llm.name]).toEqual([
      'offline',
      'offline',
      'offline',
    ]);
    await Promise.all([providers.stt.close(), providers.tts.close(), providers.llm.close()]);
  });

  it('builds the adapter for a model server, and needs one', async () => {
    const server = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: null, model: 'm' };
    const { llm } = await createProviders({ ...FAKES, llm: 'openai-compatible', openai: server });
    expect(llm.name).toBe('openai-compatible');
    await expect(createProviders({ ...FAKES, llm: 'openai-compatible' })).rejects.toThrow('needs a server');
  });

  it.each(['vad', 'stt', 'tts', 'llm'] as const)('refuses an unknown %s', async (kind) => {
    await expect(createProviders({ ...FAKES, [kind]: 'nosuch' })).rejects.toThrow('Unknown');
  });
});
