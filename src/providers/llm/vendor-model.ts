import { createHash } from 'node:crypto';
import type { LanguageModel } from 'ai';
import type { LlmVendorName, ModelAccount } from '../../vendors/catalogue.ts';
import { trimEndOf } from '../../shared/trim.ts';

/** A model of the SDK, below its functions for whole conversations, which take most of a reply's processor time. */
export type SdkModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
export type SdkRequest = Parameters<SdkModel['doStream']>[0];
export type SdkMessage = SdkRequest['prompt'][number];
export type SdkPart =
  Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
export type ProviderOptions = NonNullable<SdkRequest['providerOptions']>;

/** A vendor's model with what it needs in a phone call. */
export interface VendorModel {
  readonly model: SdkModel;
  /** Thinking off, or the lowest that the model has; absent: the server's own setting. */
  readonly reasoning?: 'none';
  /** Options of every request of a call with these instructions. */
  readonly options?: (instructions: string) => ProviderOptions;
  /** Options of the instructions, which stay the same through a call. */
  readonly stable?: ProviderOptions;
}

type Account = ModelAccount & { readonly fetch: typeof globalThis.fetch };

/** Path of the API's version, added to a URL without a path. */
const VERSIONS: Readonly<Record<LlmVendorName, string>> = {
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
  'openai-compatible': '/v1',
};

export function apiUrl({ vendor, baseUrl, isWholeUrl = false }: Omit<ModelAccount, 'key' | 'model'>): string {
  const isWhole = isWholeUrl || new URL(baseUrl).pathname !== '/';
  return `${trimEndOf(baseUrl, '/')}${isWhole ? '' : VERSIONS[vendor]}`;
}

/** A key is always given, because the SDK would look for one in the environment. */
const access = ({ key, fetch, ...account }: Account) => ({
  baseURL: apiUrl(account),
  apiKey: key ?? '',
  fetch,
});

/** The part of the instructions that all calls of an agent share: it ends where the first value of a variable begins. */
function cacheKey(instructions: string): string {
  const [shared = ''] = instructions.split('«', 1);
  return createHash('sha256').update(shared).digest('hex').slice(0, 32);
}

/** Each vendor's SDK is loaded with its first model. */
const VENDORS: Readonly<Record<LlmVendorName, (account: Account) => Promise<VendorModel>>> = {
  openai: async (account) => ({
    model: (await import('@ai-sdk/openai')).createOpenAI(access(account))(account.model),
    reasoning: 'none',
    options: (instructions) => ({
      openai: {
        store: false,
        reasoningSummary: null,
        promptCacheKey: cacheKey(instructions),
      },
    }),
  }),
  anthropic: async (account) => ({
    model: (await import('@ai-sdk/anthropic')).createAnthropic(access(account))(account.model),
    reasoning: 'none',
    stable: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  }),
  google: async (account) => ({
    model: (await import('@ai-sdk/google')).createGoogle(access(account))(account.model),
    reasoning: 'none',
  }),
  'openai-compatible': async (account) => ({
    model: (await import('@ai-sdk/openai-compatible'))
      .createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: apiUrl(account),
        ...(account.key === null ? {} : { apiKey: account.key }),
        fetch: account.fetch,
        includeUsage: true,
      })
      .chatModel(account.model),
  }),
};

export const openVendorModel = (account: Account): Promise<VendorModel> => VENDORS[account.vendor](account);
