/** Speech recognisers of vendors and self-hosted servers. The settings of one are `<NAME>_API_KEY`, `_BASE_URL` and `_MODEL`. */
export const STT_VENDORS = {
  deepgram: { needsKey: true },
  sarvam: { needsKey: true },
  openai: { needsKey: true },
  assemblyai: { needsKey: true },
  elevenlabs: { needsKey: true },
  'openai-compatible': { needsKey: false },
  vosk: { needsKey: false },
  sherpa: { needsKey: false },
} as const;
export type SttVendorName = keyof typeof STT_VENDORS;

export const STT_VENDOR_NAMES = Object.keys(STT_VENDORS) as SttVendorName[];

/** Voices of vendors. The settings of one are `<NAME>_API_KEY`, `_BASE_URL`, `_TTS_MODEL` and `_VOICE`. */
export const TTS_VENDORS = {
  elevenlabs: { needsKey: true },
  cartesia: { needsKey: true },
  deepgram: { needsKey: true },
  sarvam: { needsKey: true },
  openai: { needsKey: true },
  'openai-compatible': { needsKey: false },
} as const;
export type TtsVendorName = keyof typeof TTS_VENDORS;

export const TTS_VENDOR_NAMES = Object.keys(TTS_VENDORS) as TtsVendorName[];

/** Language models. A vendor's recogniser has `<NAME>_MODEL`; where it has both, its language model has `<NAME>_LLM_MODEL`. `model`: the default. */
export const LLM_VENDORS = {
  openai: { needsKey: true, modelSetting: 'OPENAI_LLM_MODEL', model: 'gpt-5.4-mini' },
  anthropic: { needsKey: true, modelSetting: 'ANTHROPIC_MODEL', model: 'claude-haiku-5-5' },
  google: { needsKey: true, modelSetting: 'GOOGLE_MODEL', model: 'gemini-3.5-flash-lite' },
  'openai-compatible': { needsKey: false, modelSetting: 'OPENAI_COMPATIBLE_LLM_MODEL', model: null },
} as const;
export type LlmVendorName = keyof typeof LLM_VENDORS;

export const LLM_VENDOR_NAMES = Object.keys(LLM_VENDORS) as LlmVendorName[];

/** Vendors that hear and speak by one model. `model` and `voice`: the defaults of `<NAME>_S2S_MODEL` and `_S2S_VOICE`. */
export const S2S_VENDORS = {
  openai: { model: 'gpt-realtime-2.1', voice: 'marin' },
  google: { model: 'gemini-3.8-live', voice: 'Puck' },
} as const;
export type S2sVendorName = keyof typeof S2S_VENDORS;

export const S2S_VENDOR_NAMES = Object.keys(S2S_VENDORS) as S2sVendorName[];

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
  /** sherpa: a folder with a model that this process decodes; `baseUrl` is empty. */
  readonly modelDir?: string;
}

/** The prefix of a vendor's settings. */
export const settingPrefix = (name: string): string => name.toUpperCase().replaceAll('-', '_');
