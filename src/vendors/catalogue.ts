import { VENDORS } from './list.ts';
import type { Vendor } from './vendor.ts';

type Listed = (typeof VENDORS)[number];
type Part = 'stt' | 'llm' | 'tts' | 's2s';
/** Vendors whose accounts an operator or a workspace can set. */
export type VendorName = Listed['name'];
/** The vendors that have a part. */
type NameWith<P extends Part> = Extract<VendorName, Extract<Listed, { readonly [K in P]: object }>['name']>;
export type SttVendorName = NameWith<'stt'>;
export type LlmVendorName = NameWith<'llm'>;
export type TtsVendorName = NameWith<'tts'>;
/** Vendors that hear and speak by one model. */
export type S2sVendorName = NameWith<'s2s'>;

const BY_NAME: ReadonlyMap<string, Vendor> = new Map(VENDORS.map((vendor) => [vendor.name, vendor]));

/** The description of a vendor. */
export function vendorOf(name: VendorName): Vendor {
  const vendor = BY_NAME.get(name);
  if (vendor === undefined) throw new Error(`Unknown vendor: ${name}`);
  return vendor;
}

export const VENDOR_NAMES: readonly VendorName[] = VENDORS.map(({ name }) => name);
const namesWith = <P extends Part>(part: P): readonly NameWith<P>[] =>
  VENDOR_NAMES.filter((name): name is NameWith<P> => vendorOf(name)[part] !== undefined);
export const STT_VENDOR_NAMES = namesWith('stt');
export const LLM_VENDOR_NAMES = namesWith('llm');
const rankOf = (name: VendorName): number => vendorOf(name).tts?.rank ?? VENDORS.length;
export const TTS_VENDOR_NAMES = namesWith('tts').toSorted((a, b) => rankOf(a) - rankOf(b));
export const S2S_VENDOR_NAMES = namesWith('s2s');

/** The vendors of each kind of provider, without the offline engine that every chain ends with. */
export const VENDORS_OF = { stt: STT_VENDOR_NAMES, llm: LLM_VENDOR_NAMES, tts: TTS_VENDOR_NAMES } as const;
export type ProviderKind = keyof typeof VENDORS_OF;
export const PROVIDER_KINDS = Object.keys(VENDORS_OF) as ProviderKind[];
/** The vendors that a chain of a kind may name. */
export type VendorOf<K extends ProviderKind> = (typeof VENDORS_OF)[K][number];

export const isVendorOf = <K extends ProviderKind>(kind: K, name: string): name is VendorOf<K> =>
  (VENDORS_OF[kind] as readonly string[]).includes(name);
export const isS2sVendor = (name: string): name is S2sVendorName =>
  (S2S_VENDOR_NAMES as readonly string[]).includes(name);

export const needsKey = (name: VendorName): boolean => vendorOf(name).needsKey;

/** The model that a vendor's part uses unless an account names another; null: it depends on the language. */
export const defaultModel = (name: VendorName, part: Part): string | null =>
  vendorOf(name)[part]?.model?.default ?? null;

/** A language model of an account, as plain data. */
export interface ModelAccount {
  readonly vendor: LlmVendorName;
  readonly key: string | null;
  /** An origin, or a URL up to and including the version, such as `https://api.groq.com/openai/v1`. */
  readonly baseUrl: string;
  /** No version is added to `baseUrl`, not even to one without a path. */
  readonly isWholeUrl?: boolean;
  readonly model: string;
}

/** The account of a vendor. The base URL is an origin: HTTP and WebSocket addresses derive from it. */
export interface VendorSettings {
  readonly apiKey: string | null;
  readonly baseUrl: string;
  /** Null: chosen by language. */
  readonly model: string | null;
  /** The voice of agents that name none of this vendor; absent or null: its usual one. */
  readonly voice?: string | null;
  /** Languages of a server that serves only some, such as `en` or `hi-IN`; absent or empty: the usual ones of its kind. */
  readonly languages?: readonly string[];
  /** A folder with a model that this process decodes; `baseUrl` is empty. */
  readonly modelDir?: string;
}
