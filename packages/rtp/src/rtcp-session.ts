import { middleNtp, ntpOf, parseRtcp, roundTripMs, writeRtcp, type ReportBlock } from './rtcp.ts';
import { takeReport, type Reception } from './reception.ts';

/** RTCP state of one leg: quality reported by the peer, and the input of our next report. Pure; times are epoch ms. */
export interface RtcpSession {
  readonly ssrc: number;
  /** Random, with no personal data (RFC 7022). */
  readonly cname: string;
  roundTripMs: number | null;
  remoteLossFraction: number | null;
  remoteJitterMs: number | null;
  /** Of the far side's VoIP metrics: share that its jitter buffer discarded, and the delay in its device. */
  remoteDiscardFraction: number;
  remoteDelayMs: number | null;
  /** Report blocks about our stream. */
  reportsHeard: number;
  lastSenderReport: number;
  lastSenderReportAt: number;
  packetsAtLastReport: number;
  reported: boolean;
}

export const createRtcpSession = (ssrc: number, cname: string): RtcpSession => ({
  ssrc,
  cname,
  roundTripMs: null,
  remoteLossFraction: null,
  remoteJitterMs: null,
  remoteDiscardFraction: 0,
  remoteDelayMs: null,
  reportsHeard: 0,
  lastSenderReport: 0,
  lastSenderReportAt: 0,
  packetsAtLastReport: 0,
  reported: false,
});

function applyBlock(session: RtcpSession, block: ReportBlock, clockRate: number, at: number): void {
  session.reportsHeard += 1;
  session.remoteLossFraction = block.fractionLost / 256;
  session.remoteJitterMs = (block.jitter / clockRate) * 1000;
  session.roundTripMs = roundTripMs(block, at) ?? session.roundTripMs;
}

/** Handles a compound packet of the peer; returns the SSRCs of its BYEs, or null when it is malformed. */
export function receiveRtcp(
  session: RtcpSession,
  bytes: Uint8Array,
  clockRate: number,
  at: number,
): { left: readonly number[] } | null {
  const packets = parseRtcp(bytes);
  if (!packets) return null;
  for (const packet of packets) {
    if (packet.type === 'voip_metrics' && packet.source === session.ssrc) {
      session.remoteDiscardFraction = packet.discarded / 256;
      session.remoteDelayMs = packet.endSystemMs === 0 ? null : packet.endSystemMs;
    }
    if (packet.type !== 'sender_report' && packet.type !== 'receiver_report') continue;
    if (packet.type === 'sender_report') {
      session.lastSenderReport = middleNtp({ seconds: packet.ntpSeconds, fraction: packet.ntpFraction });
      session.lastSenderReportAt = at;
    }
    // A reflection of our own report carries no information about the peer.
    if (packet.ssrc === session.ssrc) continue;
    for (const block of packet.reports)
      if (block.ssrc === session.ssrc) applyBlock(session, block, clockRate, at);
  }
  return { left: packets.flatMap((packet) => (packet.type === 'bye' ? packet.ssrcs : [])) };
}

/** Builds our next compound report: SR if we sent packets since the last one, else RR. */
export function makeReport(
  session: RtcpSession,
  sent: { packets: number; octets: number; timestamp: number },
  reception: Reception,
  bye: boolean,
  at: number,
): Buffer {
  const sending = sent.packets > session.packetsAtLastReport;
  session.packetsAtLastReport = sent.packets;
  session.reported = true;
  const delay = session.lastSenderReport === 0 ? 0 : at - session.lastSenderReportAt;
  return writeRtcp({
    ssrc: session.ssrc,
    cname: session.cname,
    sender: sending
      ? {
          ntp: ntpOf(at),
          rtpTimestamp: sent.timestamp,
          packetCount: sent.packets,
          octetCount: sent.octets,
        }
      : null,
    block: reception.started
      ? {
          ssrc: reception.ssrc,
          ...takeReport(reception),
          lastSenderReport: session.lastSenderReport,
          delaySinceSenderReport: Math.min(0xffffffff, Math.max(0, Math.round(delay * 65.536))),
        }
      : null,
    bye,
  });
}
