import { describe, expect, it } from 'vitest';
import { createProviders, OFFLINE_PROVIDERS, type ProviderChoice } from './installation.ts';

const FAKES: ProviderChoice = {
  vad: 'light',
  stt: 'fake:finals=yes',
  tts: 'fake',
  llm: 'fake:llmMs=5',
};

describe('providers by name', () => {
  it('creates fakes with their settings, and the script brain', async () => {
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

  it('defaults to the keyless providers', async () => {
    const providers = await createProviders(OFFLINE_PROVIDERS);
    expect([providers.stt.name, providers.tts.name, providers.llm.name]).toEqual([
      'offline',
      'offline',
      'offline',
    ]);
    await Promise.all([providers.stt.close(), providers.tts.close(), providers.llm.close()]);
  });

  it('creates the adapter of a language model', async () => {
    const account = {
      vendor: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9/v1',
      key: null,
      model: 'm',
    } as const;
    const { llm } = await createProviders({ ...FAKES, models: [account] });
    expect(llm.name).toBe('openai-compatible,fake');
  });

  it('puts the recognisers of vendors before the offline one', async () => {
    const settings = { apiKey: 'k', baseUrl: 'http://127.0.0.1:1', model: null };
    const recognisers = [{ name: 'deepgram', settings }] as const;
    const { stt } = await createProviders({ ...FAKES, recognisers });
    expect(stt.name).toBe('deepgram,fake');
    expect(stt.understands('ta-IN')).toBe(true);
    await stt.close();
  });

  it('puts the voices of vendors before the offline ones', async () => {
    const settings = { apiKey: 'k', baseUrl: 'http://127.0.0.1:1', model: null };
    const { tts } = await createProviders({ ...FAKES, voices: [{ name: 'cartesia', settings }] });
    expect(tts.name).toBe('cartesia,fake');
    await tts.close();
  });

  it.each(['vad', 'stt', 'tts', 'llm'] as const)('rejects an unknown %s', async (kind) => {
    await expect(createProviders({ ...FAKES, [kind]: 'nosuch' })).rejects.toThrow('Unknown');
  });
});
