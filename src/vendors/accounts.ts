import {
  S2S_VENDOR_NAMES,
  VENDOR_NAMES,
  type LlmVendorName,
  type ModelAccount,
  type ProviderKind,
  type S2sVendorName,
  type SttVendorName,
  type TtsVendorName,
  type VendorName,
  type VendorOf,
  type VendorSettings,
} from './catalogue.ts';
import { recordOf } from '../shared/record-of.ts';

/** Who hears, thinks and speaks: one vendor of speech to speech, or the vendors of the three kinds. */
export type S2sEntry = S2sVendorName | 'pipeline';
export const S2S_ENTRIES: readonly S2sEntry[] = [...S2S_VENDOR_NAMES, 'pipeline'];

/** Settings of one vendor in the environment: `<VENDOR>_API_KEY`, `_BASE_URL`, `_MODEL` and so on. */
export interface OperatorAccount {
  readonly apiKey: string | null;
  /** The vendor's public address unless the operator set another; null: a self-hosted server without address. */
  readonly baseUrl: string | null;
  /** Addresses of the recogniser and of the voices; absent: `baseUrl`. */
  readonly sttBaseUrl?: string;
  readonly ttsBaseUrl?: string;
  /** The recogniser. */
  readonly model: string | null;
  /** The model that hears and speaks. */
  readonly s2sModel?: string | null;
  /** The model of its voices, and the voice of agents that name none of this vendor. */
  readonly ttsModel?: string | null;
  readonly voice?: string | null;
  readonly languages?: readonly string[];
}
export type OperatorAccounts = Readonly<Record<VendorName, OperatorAccount>>;

/** What the environment says about vendors. Holds keys. */
export interface OperatorProviders {
  readonly accounts: OperatorAccounts;
  /** The language models that can be reached. */
  readonly models: Readonly<Partial<Record<LlmVendorName, ModelAccount>>>;
  /** The chains of STT_PROVIDER, LLM_PROVIDER and TTS_PROVIDER. */
  readonly chains: { readonly [K in ProviderKind]: readonly VendorOf<K>[] };
  /** S2S_PROVIDER. */
  readonly s2s: S2sEntry;
}

/** An installation without vendors. */
export const NO_OPERATOR_PROVIDERS: OperatorProviders = {
  accounts: recordOf(VENDOR_NAMES, () => ({ apiKey: null, baseUrl: null, model: null })),
  models: {},
  chains: { stt: [], llm: [], tts: [] },
  s2s: 'pipeline',
};

/** Whose address and key a connection uses. */
export interface Reach {
  /** The address is a workspace's: connections pass the address rules. */
  readonly isGuarded: boolean;
  /** The key is a workspace's: its faults are not the operator's. */
  readonly isOwn?: true;
}
/** A recogniser's account for calls. `settings.apiKey` is plaintext: never log it or pass it on. */
export interface RecogniserAccount extends Reach {
  readonly name: SttVendorName;
  readonly settings: VendorSettings;
}
/** A speaker's account for calls; `settings.model` is that of its voices. `settings.apiKey` is plaintext. */
export interface SpeakerAccount extends Reach {
  readonly name: TtsVendorName;
  readonly settings: VendorSettings;
}
/** A language model's account for calls. `key` is plaintext: never log it or pass it on. */
export type LanguageModelAccount = ModelAccount &
  Reach & {
    /** The agent's own server: its address may be unencrypted. */
    readonly isAgents?: true;
  };

/** A speech-to-speech account for calls. `settings.apiKey` is plaintext: never log it or pass it on. */
export interface S2sAccount extends Reach {
  readonly name: S2sVendorName;
  readonly settings: VendorSettings;
}

/** The voices of a call whose agent has a vendor's voice. */
export interface CallVoices {
  readonly voiceKey: string;
  /** The voice of the secondary language; absent: the same voice. */
  readonly secondaryVoiceKey?: string;
  /** Voices of steps of its flow, by their ids. Absent: none is a vendor's. */
  readonly stepVoices?: Readonly<Record<string, string>>;
  /** The agent's voice that another one replaces, and why. */
  readonly replaced?: { readonly vendor: string; readonly message: string };
}

/** Providers that a workspace or an agent chose for a call; an absent part is the installation's. Holds keys. */
export interface CallProviders {
  /** In order of preference; after them the offline recogniser. */
  readonly stt?: readonly RecogniserAccount[];
  /** In order of preference; after them the offline script engine. */
  readonly llm?: readonly LanguageModelAccount[];
  /** In order of preference; after them the offline voices. The vendor of the agent's voice comes first. */
  readonly tts?: readonly SpeakerAccount[];
  /** The models of steps of the agent's flow by their names, each in order of preference. Absent: no step has its own. */
  readonly stepModels?: Readonly<Record<string, readonly LanguageModelAccount[]>>;
  /** Hears and speaks before the others, which take over when it fails. Absent: they do. */
  readonly s2s?: S2sAccount;
  /** Absent: the agent has voices of this machine only. */
  readonly voices?: CallVoices;
}
