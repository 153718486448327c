import { signingSecrets, type SigningDeps, type SigningSecret } from '../domain/webhooks/signing-secrets.ts';
import type { Log } from '../shared/log.ts';
import type { TakenAttempt } from '../store/deliveries.ts';
import { holdDeliveries, releaseDeliveries } from '../store/held-deliveries.ts';

/** How often it is looked for held deliveries that can be sent here. */
const RELEASE_MS = 60_000;
const NOTE =
  'held back: what signs them or is sent with them was sealed with another key; start with the SECRET_KEY that sealed it';

/**
 * Deliveries whose secrets this process cannot open. That is the operator's to mend and not the receiver's fault: they
 * keep their attempts and wait for a process that can, or for a secret that replaces the one that signs them.
 */
export class HeldDeliveries {
  readonly #deps: SigningDeps & { readonly log: Log };
  /** Workspaces whose signing secret cannot be opened, and those with a receiver whose headers cannot. */
  readonly #unsigned = new Set<string>();
  readonly #unaddressed = new Set<string>();
  #isTold = false;
  #releasedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: SigningDeps & { readonly log: Log }) {
    this.#deps = deps;
  }

  /** For the operator; null while nothing is held for want of the key of this process. */
  get note(): string | null {
    return this.#unsigned.size + this.#unaddressed.size === 0 ? null : NOTE;
  }

  async hold(unsigned: readonly TakenAttempt[], unaddressed: readonly TakenAttempt[]): Promise<void> {
    if (unsigned.length + unaddressed.length === 0) return;
    for (const { workspaceId } of unsigned) this.#unsigned.add(workspaceId);
    for (const { workspaceId } of unaddressed) this.#unaddressed.add(workspaceId);
    if (!this.#isTold) {
      this.#deps.log.error('webhooks are held back: another SECRET_KEY sealed what they are sent with');
    }
    this.#isTold = true;
    await holdDeliveries(this.#deps.db, [...unsigned, ...unaddressed]);
  }

  /** Now and then, makes those due again that may be sent here: another process held them, or a secret was replaced. */
  async release(): Promise<void> {
    const { db, clock } = this.#deps;
    const at = clock.monotonic();
    if (at - this.#releasedAt < RELEASE_MS) return;
    for (const [workspaceId, secrets] of await signingSecrets(this.#deps, [...this.#unsigned])) {
      if (canSign(secrets)) this.#unsigned.delete(workspaceId);
    }
    await releaseDeliveries(db, [...this.#unsigned, ...this.#unaddressed], new Date(clock.now()));
    this.#releasedAt = at;
  }
}

/** The current secret is among them: a receiver may know no other. */
export const canSign = (secrets: readonly SigningSecret[]): boolean =>
  secrets.some(({ retiresAt }) => retiresAt === null);
