import type { ChainedModel } from '../llm/chained.ts';
import type { openModel } from './models.ts';
import type { ChainHealth } from '../wire/health.ts';
import type { VendorReach } from '../wire/reach.ts';
import type { LanguageModelAccount } from '../../vendors/accounts.ts';
import type { LlmProvider } from '../ports/model.ts';
import { accountId, AccountPool } from './pool.ts';

interface Adapters {
  readonly openModel: typeof openModel;
  readonly ChainedModel: typeof ChainedModel;
  readonly script: LlmProvider;
}

/** The health of these accounts by the names of their vendors; `own`: those of a workspace's key. */
type HealthOf = (ids: ReadonlyMap<string, string>, own: ReadonlySet<string>) => ChainHealth;

/** Language models that workspaces and agents chose; conversations of the same account share one. */
export class ChosenModels {
  readonly #reach: VendorReach;
  readonly #healthOf: HealthOf;
  readonly #pool: AccountPool<LlmProvider>;
  #adapters: Adapters | null = null;

  constructor(reach: VendorReach, healthOf: HealthOf, now: () => number = () => performance.now()) {
    this.#reach = reach;
    this.#healthOf = healthOf;
    this.#pool = new AccountPool(now);
  }

  get isLoaded(): boolean {
    return this.#adapters !== null;
  }

  /** Loads the adapters of vendors. */
  async load(): Promise<void> {
    const [{ openModel }, { ChainedModel }, { createScriptLlm }] = await Promise.all([
      import('./models.ts'),
      import('../llm/chained.ts'),
      import('../../offline/script/brain.ts'),
    ]);
    this.#adapters ??= { openModel, ChainedModel, script: createScriptLlm() };
  }

  /** The accounts in order, then the brain of this machine. Adds what releases them to `held`. Call `load` first. */
  of(accounts: readonly LanguageModelAccount[], held: (() => void)[]): LlmProvider {
    if (this.#adapters === null) throw new Error('the adapters of vendors are not loaded');
    const { openModel, ChainedModel, script } = this.#adapters;
    if (accounts.length === 0) return script;
    const ids = new Map<string, string>();
    const own = new Set<string>();
    const members = accounts.map(({ isGuarded, isOwn, ...account }) => {
      const { vendor, key, baseUrl, isWholeUrl = false, model } = account;
      const id = accountId(['llm', vendor, key, baseUrl, isWholeUrl, model, isGuarded]);
      held.push(() => this.#pool.release(id));
      const member = this.#pool.acquire(id, () =>
        openModel({ ...account, ...(isGuarded ? { fetch: this.#reach.fetch } : {}) }),
      );
      ids.set(member.name, id);
      if (isOwn === true) own.add(member.name);
      return member;
    });
    return new ChainedModel([...members, script], { health: this.#healthOf(ids, own) });
  }

  /** Closes what has been idle for a minute. */
  sweep(): void {
    this.#pool.sweep();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The health of accounts in `health`, where an account is known by its id and a fault names its vendor. */
export const healthByAccount = (health: ChainHealth, ids: ReadonlyMap<string, string>): ChainHealth => {
  const idOf = (vendor: string): string => ids.get(vendor) ?? vendor;
  return {
    broke: (vendor, fault) => health.broke(idOf(vendor), fault),
    failed: (fault) => health.failed(fault),
    worked: (vendor) => health.worked(idOf(vendor)),
    returned: (vendor) => health.returned(idOf(vendor)),
    fault: (vendor) => health.fault(idOf(vendor)),
    brokenBy: (vendor) => health.brokenBy(idOf(vendor)),
    mayAsk: (vendor) => health.mayAsk(idOf(vendor)),
    asksAgain: (vendor) => health.asksAgain(idOf(vendor)),
  };
};
