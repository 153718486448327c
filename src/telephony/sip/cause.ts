import type { FailureClass } from '../leg.ts';

/** The outcome class of a final response to our INVITE (RFC 3261 section 21). Redirects are not followed. */
export function failureClass(status: number): FailureClass {
  switch (status) {
    case 486:
    case 600:
      return 'busy';
    case 408:
    case 480:
    case 487:
      return 'no_answer';
    case 403:
    case 603:
    case 607:
    case 608:
      return 'rejected';
    case 404:
    case 410:
    case 484:
    case 604:
      return 'invalid_number';
    // Among them 401 and 407: the trunk's password is wrong, which says nothing about the callee.
    default:
      return 'failed';
  }
}
