import { describe, expect, it } from 'vitest';
import { operatorWith } from '../../../test/helpers/operator.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { resolveProviders } from './resolve-providers.ts';

const operator = {
  ...operatorWith(
    {
      deepgram: { apiKey: 'op-dg', baseUrl: 'https://api.deepgram.com', model: 'nova-3' },
      sarvam: { apiKey: 'op-sa', baseUrl: 'https://api.sarvam.ai' },
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
const ofOperator = (name: 'deepgram' | 'sarvam') => ({ ...operator.accounts[name] });

describe('who chooses the vendors of a call', () => {
  it('leaves it to the environment when nobody else chooses', () => {
    expect(resolve({})).toEqual({});
    expect(resolve({ vendors: { assemblyai: { api_key: sealed('ws-aa') } } })).toEqual({});
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

  it("uses the workspace's account in the environment's order", () => {
    expect(order(resolve({ vendors: { deepgram: { api_key: sealed('ws-dg') } } }))).toEqual([
      'deepgram ws-dg nova-3',
      'sarvam op-sa null',
    ]);
    expect(order(resolve({ vendors: { deepgram: { model: 'nova-2' } } }))).toEqual([
      'deepgram op-dg nova-2',
      'sarvam op-sa null',
    ]);
  });

  it("never sends the environment's key to an address of the workspace", () => {
    const moved = { base_url: 'https://collector.example.com' };
    expect(order(resolve({ stt: ['deepgram', 'sarvam'], vendors: { deepgram: moved } }))).toEqual([
      'sarvam op-sa null',
    ]);
    const own = resolve({ stt: ['deepgram'], vendors: { deepgram: { ...moved, api_key: sealed('ws') } } });
    expect(own.stt).toEqual([
      {
        name: 'deepgram',
        settings: { apiKey: 'ws', baseUrl: moved.base_url, model: null },
        isGuarded: true,
      },
    ]);
    expect(JSON.stringify(resolve({ llm: ['openai'], vendors: { openai: moved } }))).not.toContain('op-oa');
  });

  it('leaves out vendors without an account, and keys that another SECRET_KEY sealed', () => {
    const agent = { stt: { providers: ['assemblyai', 'sarvam'] as const, model: 'universal' } };
    expect(order(resolve({}, agent))).toEqual(['sarvam op-sa null']);
    const lost = { assemblyai: { api_key: { sealed: 'of another', shown: '' } } };
    expect(order(resolve({ vendors: lost }, agent))).toEqual(['sarvam op-sa null']);
  });

  it('checks the address of a workspace only: the one of the environment may be an inner one', () => {
    const { stt = [] } = resolve({ stt: ['deepgram'] });
    expect(stt).toEqual([{ name: 'deepgram', settings: ofOperator('deepgram'), isGuarded: false }]);
  });

  it('chooses language models the same way', () => {
    const anthropic = { api_key: sealed('ws-an') };
    expect(resolve({ llm: ['anthropic', 'openai'], vendors: { anthropic } }).llm).toMatchObject([
      { vendor: 'anthropic', key: 'ws-an', baseUrl: 'https://api.anthropic.com', isGuarded: false },
      { vendor: 'openai', key: 'op-oa', model: 'gpt' },
    ]);
    const llm = {
      provider: 'default',
      providers: ['openai'],
      model: 'gpt-large',
      base_url: null,
      api_key: null,
      temperature: null,
      max_tokens: null,
    } as const;
    expect(resolve({}, { llm }).llm).toMatchObject([{ key: 'op-oa', model: 'gpt-large' }]);
  });
});
