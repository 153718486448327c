import { sql } from 'kysely';

/**
 * An attempt that failed at the carrier or in the service, which says nothing about its callee. A carrier that refuses
 * the account or the caller number answers 401, 402, 403 or 407 (RFC 3261 section 21.4), whatever the call counts as.
 */
export const isFailure = sql<boolean>`coalesce(
  sub_status in ('NOT_ABLE_TO_CALL', 'FAILED', 'MEDIA_TIMEOUT', 'UNKNOWN_AFTER_CRASH', 'PRE_CALL_API_FAILED')
  or sip_code in (401, 402, 403, 407) or sip_code between 500 and 599, false)`;
