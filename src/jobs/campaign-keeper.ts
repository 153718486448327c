import { keepCampaigns, type KeeperDeps } from '../domain/campaigns/keeper.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';

export interface KeeperOptions extends KeeperDeps {
  readonly log: Log;
  readonly pollMs?: number;
  /** Events may wait to be delivered. */
  readonly onLooked: () => void;
}

/** Looks after campaigns once a second. Several may run on one database. */
export class CampaignKeeper {
  readonly #loop: LookingLoop;

  constructor(options: KeeperOptions) {
    this.#loop = new LookingLoop({
      look: async () => {
        const isMore = await keepCampaigns(options);
        options.onLooked();
        return isMore ? 0 : undefined;
      },
      pollMs: options.pollMs ?? 1000,
      onError: (error) => options.log.error({ err: error }, 'campaigns could not be looked after'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Look now. */
  kick(): void {
    this.#loop.kick();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }
}
