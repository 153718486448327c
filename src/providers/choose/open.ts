import { silentLog, type Log } from '../../shared/log.ts';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { CallProviders, S2sAccount } from '../../vendors/accounts.ts';
import type { ProviderKind } from '../../vendors/catalogue.ts';
import type { s2sProviders } from '../s2s/providers.ts';
import type { S2sConversation } from '../s2s/dialect.ts';
import { spokenClips } from '../tts/cached-voice.ts';
import { VendorHealth, type ChainHealth } from '../wire/health.ts';
import type { Probes } from '../wire/probes.ts';
import { openReach, type VendorReach } from '../wire/reach.ts';
import { introducing } from './introduction.ts';
import type { FaultyPart } from './faults.ts';
import type { Providers } from './installation.ts';
import { loadPart, type AccountOf, type Part, type PartProviders, type ProviderOf } from './parts.ts';
import { accountId, AccountPool } from './pool.ts';
import type { openS2sVendor } from './speech-to-speech.ts';

interface S2sAdapters {
  readonly openS2sVendor: typeof openS2sVendor;
  readonly s2sProviders: typeof s2sProviders;
}

/** The providers of one conversation, until `release`. */
export interface Chosen<B extends Partial<Providers> = Providers> {
  readonly providers: B;
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

const KINDS = ['stt', 'llm', 'tts'] as const satisfies readonly ProviderKind[];
/** Parts without speech to speech. */
const partsOf = (chosen: CallProviders): ProviderKind[] =>
  KINDS.filter(
    (kind) =>
      chosen[kind] !== undefined || (kind === 'llm' && Object.keys(chosen.stepModels ?? {}).length > 0),
  );

type Parts = { [K in ProviderKind]?: Part<K> };

/** Whose key a vendor's account has, and its id, by the vendor's name. */
interface Known {
  readonly id: string;
  readonly isOwn: boolean;
}

/**
 * Opens the accounts that agents and workspaces chose, on this thread. Conversations of the same account share one
 * object, and its health: a bad key of one workspace does not make others pass over the vendor.
 */
export class ChosenProviders<B extends Partial<Providers> = Providers> {
  readonly #base: B;
  readonly #reach: VendorReach;
  readonly #log: Log;
  readonly #health: VendorHealth;
  readonly #onFault: NonNullable<Options['onFault']>;
  readonly #pools: { readonly [K in ProviderKind]: AccountPool<ProviderOf<K>> };
  readonly #clips = spokenClips();
  readonly #parts: Parts = {};
  #s2s: S2sAdapters | null = null;

  /** `base`: the installation's. `allow`: SAFE_FETCH_ALLOW. */
  constructor(base: B, allow: readonly string[], options: Options = {}) {
    const { now = () => performance.now(), reach = openReach({ allow }), onBroken, probes } = options;
    this.#base = base;
    this.#reach = reach;
    this.#log = options.log ?? silentLog;
    const tellOthers = (fault: VendorFault, account: string | null): void => {
      if (account !== null) onBroken?.(account, fault);
    };
    this.#health = new VendorHealth(now, tellOthers, {
      part: 'account',
      ...(probes === undefined ? {} : { probes }),
    });
    this.#onFault = options.onFault ?? (() => undefined);
    this.#pools = { stt: new AccountPool(now), llm: new AccountPool(now), tts: new AccountPool(now) };
  }

  /** Whether `of` needs `load` first. */
  lacks(chosen: CallProviders): boolean {
    const isMissing = (kind: ProviderKind): boolean => this.#parts[kind] === undefined;
    return partsOf(chosen).some(isMissing) || (chosen.s2s !== undefined && this.#s2s === null);
  }

  /** Loads the adapters of the chosen vendors. */
  async load(chosen: CallProviders): Promise<void> {
    await Promise.all([
      ...partsOf(chosen).map((kind) => this.#loadPart(kind)),
      ...(chosen.s2s === undefined ? [] : [this.#loadS2s()]),
    ]);
  }

  /** Call `load` first. */
  of(chosen: CallProviders): Chosen<B> {
    const held: (() => void)[] = [];
    const { stt, llm, tts, s2s, stepModels = {} } = chosen;
    const ofSteps = Object.entries(stepModels).map(
      ([name, accounts]) => [name, this.#chain('llm', accounts, held)] as const,
    );
    const pipeline = {
      ...this.#base,
      ...(stt === undefined ? {} : { stt: this.#chain('stt', stt, held) }),
      ...(llm === undefined ? {} : { llm: this.#chain('llm', llm, held) }),
      ...(tts === undefined ? {} : { tts: this.#chain('tts', tts, held) }),
      ...(ofSteps.length === 0 ? {} : { stepModels: new Map(ofSteps) }),
    };
    const talker = s2s === undefined || !isWhole(pipeline) ? null : this.#talker(s2s, pipeline);
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
    for (const kind of KINDS) this.#pools[kind].sweep();
  }

  async close(): Promise<void> {
    await Promise.all([...KINDS.map((kind) => this.#pools[kind].close()), this.#reach.close()]);
  }

  async #loadPart(kind: ProviderKind): Promise<void> {
    Object.assign(this.#parts, { [kind]: await loadPart(kind) });
  }

  async #loadS2s(): Promise<void> {
    const [{ openS2sVendor }, { s2sProviders }] = await Promise.all([
      import('./speech-to-speech.ts'),
      import('../s2s/providers.ts'),
    ]);
    this.#s2s ??= { openS2sVendor, s2sProviders };
  }

  /** The accounts in order, then the engine of this machine. Adds what releases them to `held`. */
  #chain<K extends ProviderKind>(
    kind: K,
    accounts: readonly AccountOf<K>[],
    held: (() => void)[],
  ): ProviderOf<K> {
    const part = this.#parts[kind];
    const base = this.#base[kind];
    if (part === undefined || base === undefined) throw new Error(`the vendors of ${kind} are not loaded`);
    const last = lastOf(base as ProviderOf<K> & { readonly last?: ProviderOf<K> });
    if (accounts.length === 0) return last;
    const pool: AccountPool<ProviderOf<K>> = this.#pools[kind];
    const known = new Map<string, Known>();
    const members = accounts.map((account) => {
      const id = accountId([kind, account]);
      held.push(() => pool.release(id));
      const options = { reach: this.#reach, log: this.#log, clips: this.#clips };
      const member = pool.acquire(id, () => part.open(account, options));
      known.set(member.name, { id, isOwn: account.isOwn === true });
      return member;
    });
    return part.chain([...members, last], { health: this.#healthOf(kind, known) });
  }

  /** A call's own connection, with the other providers to take over. */
  #talker(account: S2sAccount, pipeline: PartProviders) {
    if (this.#s2s === null) throw new Error('the vendors of speech to speech are not loaded');
    const { name, settings, isGuarded, isOwn } = account;
    const vendor = this.#s2s.openS2sVendor({ name, settings });
    const { apiKey, baseUrl, model } = settings;
    // Agents choose their voices: one account has many.
    const id = accountId(['s2s', vendor.name, apiKey, baseUrl, model, isGuarded]);
    const health = this.#healthOf('s2s', new Map([[vendor.name, { id, isOwn: isOwn === true }]]));
    const limits = isGuarded ? { reach: this.#reach } : {};
    return this.#s2s.s2sProviders(vendor, settings, pipeline, health, { limits });
  }

  /** The health of accounts, under the names of their vendors: members of a chain know no accounts. */
  #healthOf(part: FaultyPart, known: ReadonlyMap<string, Known>): ChainHealth {
    const health = this.#health;
    const idOf = (vendor: string): string => known.get(vendor)?.id ?? vendor;
    const tell = (fault: VendorFault): void => {
      if (known.get(fault.vendor)?.isOwn !== true) this.#onFault(part, fault);
    };
    return {
      broke(vendor, fault) {
        health.broke(idOf(vendor), fault);
        tell(fault);
      },
      failed(fault) {
        health.failed(fault);
        tell(fault);
      },
      worked: (vendor) => health.worked(idOf(vendor)),
      returned: (vendor) => health.returned(idOf(vendor)),
      fault: (vendor) => health.fault(idOf(vendor)),
      brokenBy: (vendor) => health.brokenBy(idOf(vendor)),
      mayAsk: (vendor) => health.mayAsk(idOf(vendor)),
      asksAgain: (vendor) => health.asksAgain(idOf(vendor)),
    };
  }
}

const isWhole = (providers: Partial<Providers>): providers is Providers =>
  KINDS.every((kind) => providers[kind] !== undefined);

/** The engine of this machine, which every chain ends with. */
const lastOf = <T extends object>(provider: T & { readonly last?: T }): T => provider.last ?? provider;
