/** The media statistics of a call whose audio was measured, as its record stores them. */
export const MEASURED_MEDIA = JSON.stringify({
  codec: 'PCMU',
  packetsSent: 1500,
  packetsReceived: 1500,
  packetsLost: 0,
  packetsLate: 0,
  duplicates: 0,
  strayPackets: 0,
  concealedMs: 0,
  jitterMs: 4,
  roundTripMs: 38,
  remoteLossFraction: 0,
  remoteJitterMs: 4,
  mos: { toUs: { average: 4.4, lowest: 4.3, samples: 6 }, toFarSide: null },
});
