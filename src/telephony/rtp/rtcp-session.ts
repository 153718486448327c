import { middleNtp, ntpOf, parseRtcp, roundTripMs, writeRtcp, type ReportBlock } from './rtcp.ts';
import { takeReport, type Reception } from './reception.ts';

/** What RTCP has told about one leg, and what our next report needs. Pure: times are epoch ms of the caller. */
export interface RtcpSession {
  readonly ssrc: number;
  /** Random, never a name or number of anyone (RFC 7022). */
  readonly cname: string;
  roundTripMs: number | null;
  remoteLossFraction: number | null;
  remoteJitterMs: number | null;
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
  lastSenderReport: 0,
  lastSenderReportAt: 0,
  packetsAtLastReport: 0,
  reported: false,
});

function heed(session: RtcpSession, block: ReportBlock, clockRate: number, at: number): void {
  session.remoteLossFraction = block.fractionLost / 256;
  session.remoteJitterMs = (block.jitter / clockRate) * 1000;
  session.roundTripMs = roundTripMs(block, at) ?? session.roundTripMs;
}

/** Takes a compound packet of the far side; false when it is malformed. */
export function receiveRtcp(session: RtcpSession, bytes: Uint8Array, clockRate: number, at: number): boolean {
  const packets = parseRtcp(bytes);
  if (!packets) return false;
  for (const packet of packets) {
    if (packet.type !== 'sender_report' && packet.type !== 'receiver_report') continue;
    if (packet.type === 'sender_report') {
      session.lastSenderReport = middleNtp({ seconds: packet.ntpSeconds, fraction: packet.ntpFraction });
      session.lastSenderReportAt = at;
    }
    // A reflected report of our own stream says nothing about the far side.
    if (packet.ssrc === session.ssrc) continue;
    for (const block of packet.reports) if (block.ssrc === session.ssrc) heed(session, block, clockRate, at);
  }
  return true;
}

/** Our next compound report: SR while we send, RR otherwise. */
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
