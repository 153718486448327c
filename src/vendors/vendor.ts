import type { Language } from '@callwright/language';
import type { Price } from '../shared/prices.ts';

/** The code to send for each language; null: the vendor does not have it. */
export type LanguageCodes = Readonly<Record<Language, string | null>>;

/** What a recogniser has with any of its models, then what a model alone has, by the beginning of its name. */
export interface RecogniserLanguages {
  readonly any: LanguageCodes;
  readonly models?: readonly (readonly [RegExp, LanguageCodes])[];
}

/** A setting of the environment: its description and its default. */
export interface SettingFacts {
  readonly about: string;
  readonly default?: string;
}

/**
 * One company, as data: the settings, API fields, prices, languages and checks of the service derive from it. `protocol`
 * loads the code that connects; the rest may be imported by every layer.
 */
export interface Vendor {
  /** As in chains, the API and the settings, whose prefix it is. */
  readonly name: string;
  readonly needsKey: boolean;
  /** `<NAME>_API_KEY`; absent: the vendor takes none. */
  readonly apiKey?: SettingFacts;
  /** `<NAME>_BASE_URL`: an origin, from which HTTP and WebSocket addresses derive. Without a default it must be set. */
  readonly baseUrl: SettingFacts;
  /** `<NAME>_MODEL_DIR`: a folder with a model that this process runs instead of a server. */
  readonly modelDir?: SettingFacts;
  /** `<NAME>_LANGUAGES` of an operator's own server; it replaces the languages below. */
  readonly served?: SettingFacts;
  /** `<NAME>_VOICE`: the voice of agents that name none of this vendor. */
  readonly voice?: SettingFacts;
  /** Recogniser; `model` is `<NAME>_MODEL`, `baseUrl` is `<NAME>_STT_BASE_URL`: a server of its own for this part. */
  readonly stt?: {
    readonly model?: SettingFacts;
    readonly baseUrl?: SettingFacts;
    readonly languages: RecogniserLanguages;
  };
  /** Language model; `model` is `<NAME>_LLM_MODEL`, or `<NAME>_MODEL` without a recogniser. */
  readonly llm?: {
    readonly model: SettingFacts;
    /** Path of the API's version, added to a URL without a path. */
    readonly version: string;
    /** It is a server with OpenAI's chat protocol, which is used directly for answers of a schema. */
    readonly isOpenaiChat?: true;
  };
  /** Voices, as `stt`: `<NAME>_TTS_MODEL`, `<NAME>_TTS_BASE_URL`. `rank`: listed before vendors without one, lower ranks first. */
  readonly tts?: {
    readonly model?: SettingFacts;
    readonly baseUrl?: SettingFacts;
    readonly languages: LanguageCodes;
    readonly rank?: number;
  };
  /** Speech to speech; `model` is `<NAME>_S2S_MODEL`, `minutes` the longest connection. */
  readonly s2s?: {
    readonly product: string;
    readonly minutes: number;
    readonly model: SettingFacts & { readonly default: string };
    readonly voice: string;
  };
  /** List prices in US dollars. */
  readonly prices?: readonly Price[];
  /** Loads `./protocol.ts`, whose `protocol` is a `VendorProtocol`; this file does not depend on its type. */
  readonly protocol: () => Promise<{ readonly protocol: object }>;
}

/** The prefix of a vendor's settings. */
export const settingPrefix = (name: string): string => name.toUpperCase().replaceAll('-', '_');
