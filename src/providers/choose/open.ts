import type { LlmProvider } from '../ports/model.ts';
import type { SttProvider } from '../ports/recogniser.ts';
import type { TtsProvider } from '../ports/voice.ts';
import type { createRecogniser } from './recognisers.ts';
import type { Providers } from './installation.ts';
import type { s2sProviders } from '../s2s/providers.ts';
import type { S2sConversation } from '../s2s/dialect.ts';
import type { openS2sVendor } from './speech-to-speech.ts';
import { ChainedRecogniser } from '../stt/chained.ts';
import { ChainedVoice } from '../tts/chained.ts';
import { spokenClips } from '../tts/cached-voice.ts';
import type { createVoice } from './voices.ts';
import { VendorHealth, type ChainHealth } from '../wire/health.ts';
import type { Probes } from '../wire/probes.ts';
import { openReach, type VendorReach } from '../wire/reach.ts';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { CallProviders, RecogniserAccount, S2sAccount, SpeakerAccount } from '../../vendors/accounts.ts';
import { silentLog, type Log } from '../../shared/log.ts';
import { introducing } from './introduction.ts';
import { accountId, AccountPool } from './pool.ts';
import { ChosenModels, healthByAccount } from './open-models.ts';
import type { FaultyPart } from './faults.ts';

interface Adapters {
  readonly createRecogniser: typeof createRecogniser;
  readonly createVoice: typeof createVoice;
  readonly s2s: {
    readonly openS2sVendor: typeof openS2sVendor;
    readonly s2sProviders: typeof s2sProviders;
  };
}

/** A call's providers, until `release`. */
export interface Chosen {
  readonly providers: Providers;
  /** Connects to a speech-to-speech vendor while the call rings. */
  ring(conversation: S2sConversation): void;
  release(): void;
}

interface Options {
  readonly now?: () => number;
  readonly log?: Log;
  readonly reach?: VendorReach;
  /** Takes the faults of the operator's accounts. */
  readonly onFault?: (part: FaultyPart, fault: VendorFault) => void;
  /** Called with the id of an account that is passed over. */
  readonly onBroken?: (account: string, fault: VendorFault) => void;
  /** Shared with the other threads. */
  readonly probes?: Probes;
}

const withProbes = (probes: Probes | undefined) => (probes === undefined ? {} : { probes });

/**
 * Providers that workspaces and agents chose, on this thread. Calls of the same account share one object, and its
 * health: a bad key of one workspace does not make others pass over the vendor.
 */
export class ChosenProviders {
  readonly #base: Providers;
  readonly #reach: VendorReach;
  readonly #log: Log;
  readonly #health: VendorHealth;
  readonly #onFault: NonNullable<Options['onFault']>;
  readonly #recognisers: AccountPool<SttProvider>;
  readonly #models: ChosenModels;
  readonly #speakers: AccountPool<TtsProvider>;
  readonly #clips = spokenClips();
  #adapters: Adapters | null = null;

  /** `allow`: SAFE_FETCH_ALLOW. */
  constructor(base: Providers, allow: readonly string[], options: Options = {}) {
    const { now = () => performance.now(), reach = openReach({ allow }), onBroken } = options;
    this.#base = base;
    this.#reach = reach;
    this.#log = options.log ?? silentLog;
    const tellOthers = (fault: VendorFault, account: string | null): void => {
      if (account !== null) onBroken?.(account, fault);
    };
    this.#health = new VendorHealth(now, tellOthers, { part: 'account', ...withProbes(options.probes) });
    this.#onFault = options.onFault ?? (() => undefined);
    this.#recognisers = new AccountPool(now);
    this.#models = new ChosenModels(reach, (ids, own) => this.#healthOf('llm', ids, own), now);
    this.#speakers = new AccountPool(now);
  }

  get isLoaded(): boolean {
    return this.#adapters !== null;
  }

  /** Loads the adapters of vendors. */
  async load(): Promise<void> {
    const [{ createRecogniser }, { createVoice }, { openS2sVendor }, { s2sProviders }] = await Promise.all([
      import('./recognisers.ts'),
      import('./voices.ts'),
      import('./speech-to-speech.ts'),
      import('../s2s/providers.ts'),
      this.#models.load(),
    ]);
    this.#adapters ??= { createRecogniser, createVoice, s2s: { openS2sVendor, s2sProviders } };
  }

  /** `own`: the agent's own language model. Call `load` first. */
  of({ stt, llm, tts, s2s }: CallProviders, own: LlmProvider | null = null): Chosen {
    const adapters = this.#adapters;
    if (adapters === null) throw new Error('the adapters of vendors are not loaded');
    const held: (() => void)[] = [];
    const pipeline = {
      ...this.#base,
      ...(stt === undefined ? {} : { stt: this.#chain(adapters, stt, held) }),
      ...(llm === undefined || own !== null ? {} : { llm: this.#models.of(llm, held) }),
      ...(own === null ? {} : { llm: own }),
      ...(tts === undefined ? {} : { tts: this.#speaker(adapters, tts, held) }),
    };
    const talker = s2s === undefined ? null : this.#talker(adapters, s2s, pipeline);
    if (talker !== null) held.push(() => talker.release());
    return {
      providers:
        talker === null
          ? pipeline
          : { ...pipeline, stt: talker.stt, llm: introducing(talker.llm), tts: talker.tts },
      ring: (conversation) => talker?.ring(conversation),
      release: () => {
        for (const release of held.splice(0)) release();
      },
    };
  }

  /** Another worker found the vendor of this account broken. */
  passOver(account: string, fault: VendorFault): void {
    this.#health.passOver(account, fault);
  }

  /** Closes what has been idle for a minute. */
  sweep(): void {
    this.#recognisers.sweep();
    this.#models.sweep();
    this.#speakers.sweep();
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#recognisers.close(),
      this.#models.close(),
      this.#speakers.close(),
      this.#reach.close(),
    ]);
  }

  #chain({ createRecogniser }: Adapters, accounts: readonly RecogniserAccount[], held: (() => void)[]) {
    const { stt } = this.#base;
    const last = (stt instanceof ChainedRecogniser ? stt.last : null) ?? stt;
    if (accounts.length === 0) return last;
    const ids = new Map<string, string>();
    const own = new Set<string>();
    const members = accounts.map(({ name, settings, isGuarded, isOwn }) => {
      const { apiKey, baseUrl, model, languages = [] } = settings;
      const id = accountId(['stt', name, apiKey, baseUrl, model, languages, isGuarded]);
      held.push(() => this.#recognisers.release(id));
      const member = this.#recognisers.acquire(id, () =>
        createRecogniser({ name, settings }, isGuarded ? { reach: this.#reach } : {}, this.#log),
      );
      ids.set(member.name, id);
      if (isOwn === true) own.add(member.name);
      return member;
    });
    return new ChainedRecogniser([...members, last], { health: this.#healthOf('stt', ids, own) });
  }

  #speaker({ createVoice }: Adapters, accounts: readonly SpeakerAccount[], held: (() => void)[]) {
    const { tts } = this.#base;
    const last = (tts instanceof ChainedVoice ? tts.last : null) ?? tts;
    if (accounts.length === 0) return last;
    const ids = new Map<string, string>();
    const own = new Set<string>();
    const members = accounts.map(({ name, settings, isGuarded, isOwn }) => {
      const { apiKey, baseUrl, model, voice = null, languages = [] } = settings;
      const id = accountId(['tts', name, apiKey, baseUrl, model, voice, languages, isGuarded]);
      held.push(() => this.#speakers.release(id));
      const member = this.#speakers.acquire(id, () =>
        createVoice({ name, settings }, { clips: this.#clips, ...(isGuarded ? { reach: this.#reach } : {}) }),
      );
      ids.set(member.name, id);
      if (isOwn === true) own.add(member.name);
      return member;
    });
    return new ChainedVoice([...members, last], { health: this.#healthOf('tts', ids, own) });
  }

  /** A call's own connection, with the other providers to take over. */
  #talker({ s2s }: Adapters, { name, settings, isGuarded, isOwn }: S2sAccount, pipeline: Providers) {
    const { apiKey, baseUrl, model } = settings;
    const vendor = s2s.openS2sVendor({ name, settings });
    const id = accountId(['s2s', vendor.name, apiKey, baseUrl, model, isGuarded]);
    const own = new Set(isOwn === true ? [vendor.name] : []);
    const health = this.#healthOf('s2s', new Map([[vendor.name, id]]), own);
    const limits = isGuarded ? { reach: this.#reach } : {};
    return s2s.s2sProviders(vendor, settings, pipeline, health, { limits });
  }

  /** The health of these accounts, under the names of their vendors; `own`: those of a workspace's key. */
  #healthOf(part: FaultyPart, ids: ReadonlyMap<string, string>, own: ReadonlySet<string>): ChainHealth {
    const health = healthByAccount(this.#health, ids);
    const tell = (fault: VendorFault): void => {
      if (!own.has(fault.vendor)) this.#onFault(part, fault);
    };
    return {
      ...health,
      broke(vendor, fault) {
        health.broke(vendor, fault);
        tell(fault);
      },
      failed(fault) {
        health.failed(fault);
        tell(fault);
      },
    };
  }
}
