/**
 * Ms until a request that met a request of the peer (491) goes out again (RFC 3261 section 14.1): the side that chose the
 * Call-ID waits 2.1 to 4 s, the other up to 2 s, so that they do not meet again. `random` is in [0, 1).
 */
export const glareMs = (ownsCallId: boolean, random: number): number =>
  ownsCallId ? 2_100 + 10 * Math.floor(random * 191) : 10 * Math.floor(random * 201);
