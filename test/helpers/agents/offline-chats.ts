import { FREE, type UnitPrices } from '../../../src/domain/credits/price.ts';
import { Chats, type ChatsOptions } from '../../../src/app/chats.ts';
import { silentLog, type Log } from '../../../src/shared/log.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import type { ModelAccount } from '../../../src/vendors/catalogue.ts';
import { NO_OPERATOR_PROVIDERS } from '../../../src/vendors/accounts.ts';
import type { Db } from '../../../src/store/database.ts';
import { TEST_SEAL } from '../database/seal.ts';
import { WatchedChats } from './watched-chats.ts';

/** Chats whose agents use the offline model. `reachable`: addresses that their tools may call besides public ones. */
export const offlineChats = (options: {
  readonly db: Db;
  readonly clock: Clock;
  readonly reachable?: readonly string[];
  /** Runs the jobs of chats, such as test cases. */
  readonly hasJobs?: boolean;
  /** Language models of the installation, before the offline one. */
  readonly models?: readonly ModelAccount[];
  readonly log?: Log;
  /** Absent: turns are free. */
  readonly unitPrices?: UnitPrices;
  readonly onFallback?: (engine: string) => void;
}): Chats => {
  const chats = {
    db: options.db,
    clock: options.clock,
    log: options.log ?? silentLog,
    seal: TEST_SEAL,
    config: {
      safeFetchAllow: [...(options.reachable ?? [])],
      embeddings: null,
      providers: NO_OPERATOR_PROVIDERS,
      whatsapp: { baseUrl: 'http://127.0.0.1:9', confirmMs: 1000 },
      unitPrices: options.unitPrices ?? FREE,
    },
    brain: { llm: 'offline', models: options.models ?? [] },
    meaning: null,
    onEvents: () => undefined,
    onRefused: () => undefined,
    ...(options.onFallback === undefined ? {} : { onFallback: options.onFallback }),
  } satisfies Omit<ChatsOptions, 'queues'>;
  return options.hasJobs === true ? new WatchedChats(chats) : new Chats({ ...chats, queues: null });
};
