import type { FailureClass, OutboundRequest } from '../leg.ts';
import { hasControl } from './grammar.ts';

/** Why a call is not wanted any more. */
export interface GivenUp {
  readonly failure: FailureClass;
  readonly reason: string;
  /** Nobody may be rung any more. */
  readonly isClosed?: boolean;
}

export const isRingTimeout = (why: GivenUp): boolean => why.failure === 'no_answer' && why.isClosed !== true;

/** Why an INVITE got no response at all. */
export const LOST = {
  timeout: 'no response from trunk',
  transport: 'trunk unreachable',
  late: 'too late to call',
  unknown: 'trunk address not found',
} as const;

/** What keeps a request from being sent at all. */
export function faultOf(request: OutboundRequest): GivenUp | null {
  if (request.to === '' || hasControl(request.to))
    return { failure: 'invalid_number', reason: 'unusable number' };
  if (hasControl(request.from) || hasControl(request.displayName ?? '')) {
    return { failure: 'failed', reason: 'control character in caller name or number' };
  }
  return null;
}
