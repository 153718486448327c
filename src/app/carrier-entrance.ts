import type { IncomingMessage } from 'node:http';
import { announcedUpgradeFault } from '../domain/trunks/carrier-requests.ts';
import type { StreamTickets, StreamTicketDeps } from '../domain/trunks/stream-tickets.ts';
import type { WebRefusal } from '../domain/calls/web-refusal.ts';
import type { CarrierCalls } from '../telephony/carriers/carrier-calls.ts';
import type { StreamUpgrade } from '../shared/carrier-status.ts';
import { placingNode } from '../shared/stream-token.ts';
import { audioSocketProcess, nodeAddress, streamProcess, type StreamProcess } from '../store/nodes.ts';
import { releaseSocket } from '../telephony/web/handover.ts';
import type { WebCallLink } from './call-link.ts';
import { isRelayed, relayUpgrade } from './stream-relay.ts';
import { UNKNOWN_TOKEN, type Entrance } from './web-sockets.ts';

/** The lease of a process: one that was not heard of for longer gets no streams. */
const LEASE_MS = 15_000;

/** The process that takes the stream of an announced call for one without calls; null: none runs. */
export const otherProcess = ({
  db,
  clock,
}: Pick<StreamTicketDeps, 'db' | 'clock'>): Promise<StreamProcess | null> =>
  streamProcess(db, new Date(clock.now() - LEASE_MS));

/**
 * Under which public address a carrier opens the stream of a call that it announces here; null: no process carries calls. A
 * process without calls names the MEDIA_URL of one that has them. Without a MEDIA_URL the stream comes in here, and goes on.
 */
export async function streamBase(
  deps: Pick<StreamTicketDeps, 'db' | 'clock'> & { readonly carriesCalls: boolean },
  { mediaUrl, publicUrl }: { readonly mediaUrl: string | null; readonly publicUrl: string },
): Promise<string | null> {
  if (deps.carriesCalls) return mediaUrl ?? publicUrl;
  const other = await otherProcess(deps);
  return other === null ? null : (other.mediaUrl ?? publicUrl);
}

/**
 * Where Asterisk connects with AudioSocket for a call that it announces here, such as `calls.example.com:9092`; null: no
 * process that carries calls has such a port. `own`: that of this process.
 */
export async function audioSocketBase(
  { db, clock }: Pick<StreamTicketDeps, 'db' | 'clock'>,
  own: string | null,
): Promise<string | null> {
  return own ?? audioSocketProcess(db, new Date(clock.now() - LEASE_MS));
}

export interface CarrierEntranceDeps extends StreamTicketDeps {
  /** Null: this process carries no calls. */
  readonly calls: Pick<WebCallLink, 'open' | 'connect'> | null;
  readonly tickets: StreamTickets;
  /** The addresses that carriers are given for this service, such as `https://calls.example.com`. */
  bases(): readonly string[];
  /** Where other processes reach this one; null: nowhere. */
  ownAddress(): string | null;
}

/** What a token of a placed call opens in the process that places it. */
export function openedStream(
  opened: ReturnType<CarrierCalls['openStream']>,
): WebRefusal | { readonly callId: string } {
  if (opened === null) return UNKNOWN_TOKEN;
  return typeof opened === 'string' ? { refuse: 403, reason: opened } : { callId: opened.attemptId };
}

/** Opens the call of the trunk that the token names, once the upgrade is proven, and uses the token up. */
export async function openAnnounced(
  deps: Pick<CarrierEntranceDeps, 'db' | 'seal' | 'tickets'> & {
    readonly calls: Pick<WebCallLink, 'open'>;
  },
  {
    token,
    trunkId,
    upgrade,
  }: { readonly token: string; readonly trunkId: string; readonly upgrade: StreamUpgrade },
): Promise<WebRefusal | { readonly callId: string }> {
  const fault = await announcedUpgradeFault(deps, trunkId, upgrade);
  if (fault !== null) return { refuse: 403, reason: fault };
  const announced = await deps.tickets.take(token);
  return announced === null ? UNKNOWN_TOKEN : deps.calls.open({ announced });
}

/** The addresses that the carrier may have signed: those of the service, and the one that the request names. */
function upgradeOf(
  { headers, url = '' }: IncomingMessage,
  bases: readonly string[],
  at: number,
): StreamUpgrade {
  const named = headers.host === undefined ? [] : [`https://${headers.host}`, `http://${headers.host}`];
  const urls = new Set([...bases, ...named].map((base) => `${base.replace(/^http/, 'ws')}${url}`));
  return { urls: [...urls], headers, at };
}

/**
 * Streams of carriers: each has the token of a call that its carrier announced, which any process takes, or of one that it
 * places, which goes to the process that asked for the call. The upgrade is proven as far as the carrier signs it.
 */
export const carrierEntrance = (deps: CarrierEntranceDeps): Entrance => ({
  protocol: null,
  async receive({ token, request, socket, head }) {
    const { calls, tickets, db, clock } = deps;
    const upgrade = upgradeOf(request, deps.bases(), clock.now());
    const placedBy = placingNode(token);
    if (placedBy !== null) {
      const opened = (await calls?.open({ placed: token, upgrade })) ?? UNKNOWN_TOKEN;
      if (!('refuse' in opened)) {
        if (!socket.destroyed) calls?.connect(opened.callId, releaseSocket(socket, request, head));
        return null;
      }
      if (opened.refuse !== 401 || isRelayed(request)) return opened;
      const address = await nodeAddress(db, placedBy);
      if (address === null || address === deps.ownAddress()) return opened;
      return relayUpgrade(address, { request, socket, head });
    }
    const trunkId = await tickets.trunkOf(token);
    if (trunkId === null) return UNKNOWN_TOKEN;
    if (calls === null) {
      const other = isRelayed(request) ? null : await otherProcess(deps);
      if (other === null) return { refuse: 503, reason: 'no process carries calls' };
      return relayUpgrade(other.address, { request, socket, head });
    }
    const opened = await openAnnounced({ ...deps, calls }, { token, trunkId, upgrade });
    if ('refuse' in opened) return opened;
    if (!socket.destroyed) calls.connect(opened.callId, releaseSocket(socket, request, head));
    return null;
  },
});
