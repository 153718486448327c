import type { LanguageModel } from 'ai';
import { vendorOf, type ModelAccount } from '../../vendors/catalogue.ts';
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

/** Opens a model of an account; loads the vendor's SDK. */
export type OpenVendorModel = (account: OpenedAccount) => Promise<VendorModel>;

/** An account and how its address is reached. */
export type OpenedAccount = ModelAccount & { readonly fetch: typeof globalThis.fetch };

/** The address of the API; its version is added to a URL without a path. */
export function apiUrl({ vendor, baseUrl, isWholeUrl = false }: Omit<ModelAccount, 'key' | 'model'>): string {
  const isWhole = isWholeUrl || new URL(baseUrl).pathname !== '/';
  return `${trimEndOf(baseUrl, '/')}${isWhole ? '' : (vendorOf(vendor).llm?.version ?? '')}`;
}

/** A key is always given, because the SDK would look for one in the environment. */
export const access = ({ key, fetch, ...account }: OpenedAccount) => ({
  baseURL: apiUrl(account),
  apiKey: key ?? '',
  fetch,
});
