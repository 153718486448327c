import type { LlmSettings } from '../../store/json/tools.ts';
import type { ProviderSettings } from '../../store/json/provider-settings.ts';
import { describe, expect, it } from 'vitest';
import { operatorWith } from '../../../test/helpers/database/providers-of.ts';
import type { TtsVendorName } from '../../vendors/catalogue.ts';
import { resolveProviders, stepModelsOf } from './resolve-providers.ts';

const operator = {
  ...operatorWith(
    {
      deepgram: { apiKey: 'op-dg', baseUrl: 'https://api.deepgram.com', model: 'nova-3', ttsModel: 'aura-2' },
      sarvam: { apiKey: 'op-sa', baseUrl: 'https://api.sarvam.ai' },
      elevenlabs: { baseUrl: 'https://api.elevenlabs.io' },
      assemblyai: { baseUrl: 'https://streaming.assemblyai.com' },
      anthropic: { baseUrl: 'https://api.anthropic.com' },
    },
    { stt: ['deepgram', 'sarvam'] },
  ),
  models: {
    openai: { vendor: 'openai', key: 'op-oa', baseUrl: 'https://api.openai.com', model: 'gpt' },
  },
} as const;
const sealed = (key: string) => ({ sealed: `sealed:${key}`, shown: '' });
const open = ({ sealed: text }: { sealed: string }): string | null =>
  text.startsWith('sealed:') ? text.slice(7) : null;
const resolve = (settings: Partial<ProviderSettings>, agent: Parameters<typeof resolveProviders>[2] = {}) =>
  resolveProviders(operator, { vendors: {}, ...settings }, agent, open);
const order = (providers: ReturnType<typeof resolve>) =>
  providers.stt?.map(({ name, settings }) => `${name} ${settings.apiKey} ${settings.model}`);
const ofOperator = (name: 'deepgram' | 'sarvam') => {
  const { apiKey, baseUrl, model } = operator.accounts[name];
  return { apiKey, baseUrl, model };
};

describe('who chooses the vendors of a call', () => {
  it('leaves it to the environment when nobody else chooses', () => {
    expect(resolve({})).toEqual({});
    expect(resolve({ vendors: { assemblyai: { apiKey: sealed('ws-aa') } } })).toEqual({});
  });

  it('the agent comes before the workspace, and that before the environment', () => {
    expect(order(resolve({ stt: ['sarvam', 'offline'] }))).toEqual(['sarvam op-sa null']);
    const agent = { stt: { providers: ['deepgram', 'sarvam'] as const, model: 'nova-2' } };
    expect(order(resolve({ stt: ['sarvam'] }, agent))).toEqual([
      'deepgram op-dg nova-2',
      'sarvam op-sa null',
    ]);
    expect(resolve({ stt: ['offline'] })).toEqual({ stt: [] });
  });

  it('gives the steps of a flow a model of the first vendor, and none where no vendor answers', () => {
    const models = (agent: LlmSettings | null, settings: Partial<ProviderSettings> = {}, own = operator) =>
      Object.entries(stepModelsOf(own, { vendors: {}, ...settings }, agent, ['large'], open)).map(
        ([name, accounts]) => [
          name,
          ...accounts.map(({ vendor, model, key }) => `${vendor} ${model} ${key}`),
        ],
      );
    const chain = { ...operator, chains: { ...operator.chains, llm: ['openai' as const] } };
    expect(models(null, {}, chain)).toEqual([['large', 'openai large op-oa']]);
    expect(models(null, { llm: ['openai', 'offline'] })).toEqual([['large', 'openai large op-oa']]);
    expect(models(null)).toEqual([]);
  });

  it("takes an agent's own model as the only entry of its chain", () => {
    const llm = {
      provider: 'openai_compatible',
      baseUrl: 'http://models.example/v1',
      model: 'own',
      apiKey: sealed('agent-key'),
      temperature: null,
      maxTokens: null,
    } as const;
    const own = {
      vendor: 'openai-compatible',
      key: 'agent-key',
      baseUrl: 'http://models.example/v1',
      isWholeUrl: true,
      model: 'own',
      isGuarded: true,
      isAgents: true,
      isOwn: true,
    };
    expect(resolve({ llm: ['openai'] }, { llm }).llm).toEqual([own]);
    // Without its key the server is asked without one.
    const lost = { ...llm, apiKey: { sealed: 'of another', shown: '' } };
    expect(resolve({}, { llm: lost }).llm).toEqual([{ ...own, key: null }]);
  });

  it("uses the workspace's account in the environment's order", () => {
    expect(order(resolve({ vendors: { deepgram: { apiKey: sealed('ws-dg') } } }))).toEqual([
      'deepgram ws-dg nova-3',
      'sarvam op-sa null',
    ]);
    expect(order(resolve({ vendors: { deepgram: { model: 'nova-2' } } }))).toEqual([
      'deepgram op-dg nova-2',
      'sarvam op-sa null',
    ]);
  });

  it("never sends the environment's key to an address of the workspace", () => {
    const moved = { baseUrl: 'https://collector.example.com' };
    expect(order(resolve({ stt: ['deepgram', 'sarvam'], vendors: { deepgram: moved } }))).toEqual([
      'sarvam op-sa null',
    ]);
    const own = resolve({ stt: ['deepgram'], vendors: { deepgram: { ...moved, apiKey: sealed('ws') } } });
    expect(own.stt).toEqual([
      {
        name: 'deepgram',
        settings: { apiKey: 'ws', baseUrl: moved.baseUrl, model: null },
        isGuarded: true,
        isOwn: true,
      },
    ]);
    expect(JSON.stringify(resolve({ llm: ['openai'], vendors: { openai: moved } }))).not.toContain('op-oa');
  });

  it('takes recogniser and voices of one vendor at different addresses, each with the key of its owner', () => {
    const servers = operatorWith(
      {
        'openai-compatible': {
          apiKey: 'op-key',
          baseUrl: 'http://models.inner',
          sttBaseUrl: 'http://ears.inner',
          model: 'whisper',
        },
      },
      { stt: ['openai-compatible'], tts: ['openai-compatible'] },
    );
    const addresses = (vendor: NonNullable<ProviderSettings['vendors']['openai-compatible']>) => {
      const settings = {
        stt: ['openai-compatible'],
        tts: ['openai-compatible'],
        vendors: { 'openai-compatible': vendor },
      } as const;
      const { stt = [], tts = [] } = resolveProviders(servers, settings, {}, open);
      return [...stt, ...tts].map((one) => `${one.settings.baseUrl} ${one.settings.apiKey} ${one.isGuarded}`);
    };
    expect(addresses({ model: 'own' })).toEqual([
      'http://ears.inner op-key false',
      'http://models.inner op-key false',
    ]);
    expect(addresses({ ttsBaseUrl: 'https://voice.example' })).toEqual([
      'http://ears.inner op-key false',
      'https://voice.example null true',
    ]);
    expect(addresses({ baseUrl: 'https://all.example', sttBaseUrl: 'https://ears.example' })).toEqual([
      'https://ears.example null true',
      'https://all.example null true',
    ]);
  });

  it('leaves out vendors without an account, and keys that another SECRET_KEY sealed', () => {
    const agent = { stt: { providers: ['assemblyai', 'sarvam'] as const, model: 'universal' } };
    expect(order(resolve({}, agent))).toEqual(['sarvam op-sa null']);
    const lost = { assemblyai: { apiKey: { sealed: 'of another', shown: '' } } };
    expect(order(resolve({ vendors: lost }, agent))).toEqual(['sarvam op-sa null']);
  });

  it('checks the address of a workspace only: the one of the environment may be an inner one', () => {
    const { stt = [] } = resolve({ stt: ['deepgram'] });
    expect(stt).toEqual([{ name: 'deepgram', settings: ofOperator('deepgram'), isGuarded: false }]);
  });

  it("speaks with the agent's voice first, then in the order of the workspace or the environment", () => {
    const speakers = (settings: Partial<ProviderSettings>, names: readonly TtsVendorName[] = []) =>
      resolve(settings, { speakers: names }).tts?.map(
        (one) => `${one.name} ${one.settings.apiKey} ${one.settings.model} ${one.settings.voice}`,
      );
    const elevenlabs = { apiKey: sealed('ws-el'), ttsModel: 'eleven_v3', voice: 'Monika' };
    expect(speakers({})).toBeUndefined();
    expect(speakers({}, ['sarvam'])).toEqual(['sarvam op-sa null null']);
    expect(speakers({ vendors: { elevenlabs } }, ['elevenlabs'])).toEqual([
      'elevenlabs ws-el eleven_v3 Monika',
    ]);
    expect(speakers({ tts: ['deepgram', 'offline'], vendors: { elevenlabs } }, ['elevenlabs'])).toEqual([
      'elevenlabs ws-el eleven_v3 Monika',
      'deepgram op-dg aura-2 null',
    ]);
    expect(speakers({ tts: ['offline'] })).toEqual([]);
    expect(speakers({ tts: ['deepgram'] }, ['cartesia'])).toEqual(['deepgram op-dg aura-2 null']);
  });

  it("never sends the environment's key, model or voice to a speaker of the workspace's address", () => {
    const moved = { baseUrl: 'https://collector.example.com' };
    expect(resolve({ tts: ['deepgram'], vendors: { deepgram: moved } }).tts).toEqual([]);
    const own = { ...moved, apiKey: sealed('ws') };
    expect(resolve({ tts: ['deepgram'], vendors: { deepgram: own } }).tts).toEqual([
      {
        name: 'deepgram',
        settings: { apiKey: 'ws', baseUrl: moved.baseUrl, model: null, voice: null },
        isGuarded: true,
        isOwn: true,
      },
    ]);
  });

  it('chooses language models the same way', () => {
    const anthropic = { apiKey: sealed('ws-an') };
    expect(resolve({ llm: ['anthropic', 'openai'], vendors: { anthropic } }).llm).toMatchObject([
      { vendor: 'anthropic', key: 'ws-an', baseUrl: 'https://api.anthropic.com', isGuarded: false },
      { vendor: 'openai', key: 'op-oa', model: 'gpt' },
    ]);
    const llm = {
      provider: 'default',
      providers: ['openai'],
      model: 'gpt-large',
      baseUrl: null,
      apiKey: null,
      temperature: null,
      maxTokens: null,
    } as const;
    expect(resolve({}, { llm }).llm).toMatchObject([{ key: 'op-oa', model: 'gpt-large' }]);
  });

  it('chooses speech to speech by agent, workspace and environment, with the account of the workspace', () => {
    const withKey = {
      ...operator,
      s2s: 'google',
      accounts: {
        ...operator.accounts,
        google: {
          apiKey: 'op-go',
          baseUrl: 'https://google.example',
          model: null,
          s2sModel: 'live',
          voice: 'Puck',
        },
      },
    } as const;
    const talker = (
      settings: Partial<ProviderSettings>,
      agent: Parameters<typeof resolveProviders>[2] = {},
    ) => {
      const { s2s } = resolveProviders(withKey, { vendors: {}, ...settings }, agent, open);
      if (s2s === undefined) return null;
      return `${s2s.name} ${s2s.settings.apiKey} ${s2s.settings.model} ${s2s.settings.voice} ${s2s.isGuarded}`;
    };
    expect(talker({})).toBe('google op-go live Puck false');
    expect(talker({ s2s: 'pipeline' })).toBeNull();
    const agent = { s2s: { provider: 'google', model: 'newer', voice: null } } as const;
    expect(talker({ s2s: 'pipeline' }, agent)).toBe('google op-go newer Puck false');
    const moved = { baseUrl: 'https://gateway.example', apiKey: sealed('ws-go') };
    expect(talker({ vendors: { google: moved } })).toBe('google ws-go null null true');
    expect(talker({ vendors: { google: { baseUrl: 'https://gateway.example' } } })).toBeNull();
    expect(talker({ s2s: 'openai' })).toBeNull();
  });
});
