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
    case 401:
    case 403:
    case 407:
    case 603:
    case 607:
    case 608:
      return 'rejected';
    case 404:
    case 410:
    case 484:
    case 604:
      return 'invalid_number';
    default:
      return 'failed';
  }
}
