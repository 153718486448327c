import type { Config } from '../config.ts';
import type { ServiceClock } from '../shared/service-clock.ts';
import type { FreeSpace } from '../shared/free-space.ts';
import type { Log } from '../shared/log.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import type { ProviderChoice } from '../providers/choose/installation.ts';
import type { ConnectSpeech } from '../offline/speech/speech-api.ts';
import type { EarThreads } from '../offline/words/ears.ts';

/** What the process gives to what carries calls. */
export interface CallPlaneOptions {
  readonly config: Config;
  readonly dataDir: string;
  readonly clock: ServiceClock;
  /** Of the disk of DATA_DIR. */
  readonly space: FreeSpace;
  readonly log: Log;
  readonly notices: CapNotices;
  readonly nodeName: string;
  /** A random name of this process. */
  readonly processId: string;
  readonly providers: ProviderChoice | undefined;
  readonly testCarrierRingMs: number | undefined;
  /** The public address of the API. */
  readonly publicUrl: () => string;
  /** Where other processes reach the API of this one; null: it has none, or none yet. */
  readonly innerAddress: () => string | null;
  /** Hands a port to the speech thread of the process. */
  readonly connectSpeech: ConnectSpeech;
  /** The recogniser threads of the process. */
  readonly ears: EarThreads;
  /** An attempt was settled: its events are due for delivery. */
  onSettled(): void;
  /** Other nodes fenced this one and settled its calls. */
  onFenced(): void;
}
