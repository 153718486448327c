/** The result of one SDP offer/answer: what both sides agreed to send and receive. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface NegotiatedMedia {
  remoteAddress: string;
  remotePort: number;
  /** Same as `remotePort` with rtcp-mux, else from a=rtcp or `remotePort` + 1. */
  remoteRtcpPort: number;
  rtcpMux: boolean;
  codec: { name: 'PCMU' | 'PCMA'; payloadType: number; clockRate: number };
  dtmfPayloadType: number | null;
  /** Packet time we send with, from the far side's a=ptime/a=maxptime (10 to 60, multiple of 10). */
  ptimeMs: number;
  /** Our direction: `sendonly` means the far side holds us off from hearing it. */
  direction: Direction;
}
