import { keepCampaigns, type KeeperDeps } from '../domain/campaigns/keeper.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';

export interface KeeperOptions extends KeeperDeps {
  readonly log: Log;
  readonly pollMs?: number;
  /** Called after each poll: it may have queued events for delivery. */
  readonly onPolled: () => void;
}

/** Runs the campaign keeper once a second. Several instances may share one database. */
export class CampaignKeeper {
  readonly #poller: Poller;

  constructor(options: KeeperOptions) {
    this.#poller = new Poller({
      poll: async () => {
        const isMore = await keepCampaigns(options);
        options.onPolled();
        return isMore ? 0 : undefined;
      },
      pollMs: options.pollMs ?? 1000,
      onError: (error) => options.log.error({ err: error }, 'the campaign keeper failed'),
    });
  }

  start(): void {
    this.#poller.start();
  }

  /** Polls now. */
  kick(): void {
    this.#poller.kick();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
  }
}
