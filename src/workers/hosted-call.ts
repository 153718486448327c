import type { Scheduler } from '../shared/clock.ts';
import type { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import type { Log } from '../shared/log.ts';
import type { Providers } from '../providers/choose/installation.ts';
import type { CallSession } from '../session/call-session.ts';
import type { FreeSpace } from '../session/free-space.ts';
import { Listeners } from '../session/listeners.ts';
import type { MediaLeg, NegotiatedMedia } from '@callwright/rtp';
import type { ListenerSocket } from '../telephony/web/listener-socket.ts';
import type { WebLeg, WebLegEvents } from '../telephony/web/web-leg.ts';
import type { Chosen, ChosenProviders } from '../providers/choose/open.ts';
import type { OwnModels } from './own-models.ts';
import type { FromWorker } from './protocol.ts';

/** A media leg that the host can bind to a negotiated stream. */
export interface HostedLeg extends MediaLeg {
  readonly port: number;
  update(media: NegotiatedMedia): void;
}
export type AnyLeg = HostedLeg | WebLeg;

export interface CallHostDeps {
  readonly providers: Providers;
  readonly models: OwnModels;
  readonly chosen: ChosenProviders;
  /** The thread's knowledge indexes, shared by its calls. */
  readonly indexes: KnowledgeIndexes;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly recordingsDir: string;
  readonly space: FreeSpace;
  /** Binds an RTP port pair. Rejects when none is free. */
  openLeg(): Promise<HostedLeg>;
  /** The leg of a browser call. */
  openWebLeg(events: WebLegEvents): WebLeg;
  /** RTP port pairs that no leg holds. */
  freePairs(): number;
  readonly send: (message: FromWorker) => void;
}

/** What the main thread wants of a conversation. */
export type Order = (session: CallSession) => void;

export interface HostedCall {
  readonly leg: AnyLeg;
  session: CallSession | null;
  /** Orders for the session of an answered call whose providers still load; null: it does not wait for any. */
  early: Order[] | null;
  readonly listeners: Listeners;
  readonly listening: Set<ListenerSocket>;
  /** Providers that agent or workspace chose; null: none yet, or those of the installation. */
  chosen: Chosen | null;
  finishing: boolean;
  /** The network's sounds while it rings are listened to. */
  hearsEarlyMedia: boolean;
  /** Request id of the transfer leg; null: none is wanted. */
  bridgeRequest: number | null;
  target: HostedLeg | null;
}

export const hostedCall = (leg: AnyLeg): HostedCall => ({
  leg,
  session: null,
  early: null,
  listeners: new Listeners(),
  listening: new Set(),
  chosen: null,
  finishing: false,
  hearsEarlyMedia: false,
  bridgeRequest: null,
  target: null,
});

/** Carries out an order now, or once the session of an answered call exists; before the answer it has no meaning. */
export function order({ session, early }: HostedCall, run: Order): void {
  if (session !== null) run(session);
  else early?.push(run);
}
