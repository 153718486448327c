import { parseDecimal } from './grammar.ts';
import { header, headerTokens, type SipResponse } from './message.ts';

/** RSeq of a provisional response that waits for our PRACK (RFC 3262 section 4); null when it waits for none. */
export function reliableSequence(response: SipResponse): number | null {
  if (response.status <= 100 || response.status >= 200) return null;
  const isReliable = headerTokens(response, 'require').some((tag) => tag.toLowerCase() === '100rel');
  return isReliable ? parseDecimal(header(response, 'rseq')?.trim() ?? '', 2 ** 32 - 1) : null;
}

/**
 * True when the response follows the last one of its dialog that got a PRACK. The peer sends others again: a
 * repeated one has its PRACK on the way, and one after a gap waits for the response that was lost.
 */
export const isNextReliable = (last: number | null, sequence: number): boolean =>
  last === null || sequence === last + 1;

/** RAck of the PRACK for a provisional response. */
export const rackOf = (response: SipResponse, sequence: number): string =>
  `${sequence} ${response.cseq.sequence} ${response.cseq.method}`;
