import { silentLog, type Log } from '../../shared/log.ts';
import type {
  LanguageModelAccount,
  Reach,
  RecogniserAccount,
  SpeakerAccount,
} from '../../vendors/accounts.ts';
import type { ProviderKind } from '../../vendors/catalogue.ts';
import type { ChainDeps } from '../chain.ts';
import type { LlmProvider } from '../ports/model.ts';
import type { SttProvider } from '../ports/recogniser.ts';
import type { TtsProvider } from '../ports/voice.ts';
import type { SpokenClips } from '../tts/cached-voice.ts';
import type { VendorReach } from '../wire/reach.ts';

interface Accounts {
  readonly stt: RecogniserAccount;
  readonly llm: LanguageModelAccount;
  readonly tts: SpeakerAccount;
}
export type AccountOf<K extends ProviderKind> = Accounts[K];

export interface PartProviders {
  readonly stt: SttProvider;
  readonly llm: LlmProvider;
  readonly tts: TtsProvider;
}
export type ProviderOf<K extends ProviderKind> = PartProviders[K];

export interface OpenOptions {
  /** The address rules, for accounts whose address is a workspace's or an agent's. */
  readonly reach?: VendorReach;
  readonly log?: Log;
  /** Limit of a recogniser to its answer. */
  readonly answerMs?: number;
  /** Where fixed sentences are kept; absent: nowhere. */
  readonly clips?: SpokenClips;
}

/** One part of a conversation: opens an account as a member, and members as a chain whose last one always works. */
export interface Part<K extends ProviderKind> {
  open(account: AccountOf<K>, options?: OpenOptions): ProviderOf<K>;
  chain(members: readonly ProviderOf<K>[], deps?: ChainDeps): ProviderOf<K>;
}

const reachOf = ({ isGuarded }: Reach, reach: VendorReach | undefined): { reach?: VendorReach } =>
  isGuarded && reach !== undefined ? { reach } : {};

/** A language model's account with the `fetch` of its address. */
export function modelWithFetch(account: LanguageModelAccount, reach: VendorReach | undefined) {
  const { isGuarded, isAgents, isOwn: _, ...model } = account;
  if (!isGuarded || reach === undefined) return model;
  return { ...model, fetch: isAgents === true ? reach.agentFetch : reach.fetch };
}

const LOAD: { readonly [K in ProviderKind]: () => Promise<Part<K>> } = {
  async stt() {
    const [{ createRecogniser }, { ChainedRecogniser }] = await Promise.all([
      import('./recognisers.ts'),
      import('../stt/chained.ts'),
    ]);
    return {
      open: ({ name, settings, ...account }, { reach, log = silentLog, answerMs } = {}) =>
        createRecogniser(
          { name, settings },
          { ...reachOf(account, reach), ...(answerMs === undefined ? {} : { answerMs }) },
          log,
        ),
      chain: (members, deps) => new ChainedRecogniser(members, deps),
    };
  },
  async llm() {
    const [{ openModel }, { ChainedModel }] = await Promise.all([
      import('./models.ts'),
      import('../llm/chained.ts'),
    ]);
    return {
      open: (account, { reach } = {}) => openModel(modelWithFetch(account, reach)),
      chain: (members, deps) => new ChainedModel(members, deps),
    };
  },
  async tts() {
    const [{ createVoice }, { ChainedVoice }] = await Promise.all([
      import('./voices.ts'),
      import('../tts/chained.ts'),
    ]);
    return {
      open: ({ name, settings, ...account }, { reach, clips } = {}) =>
        createVoice(
          { name, settings },
          { ...reachOf(account, reach), ...(clips === undefined ? {} : { clips }) },
        ),
      chain: (members, deps) => new ChainedVoice(members, deps),
    };
  },
};

/** Loads the adapters of a part's vendors. */
export const loadPart = <K extends ProviderKind>(kind: K): Promise<Part<K>> => LOAD[kind]();
