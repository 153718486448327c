import { sql } from 'kysely';

/**
 * Whether an attempt failed at the carrier or in this service, not at the callee. A carrier that refuses the account or
 * the caller number answers 401, 402, 403 or 407 (RFC 3261 section 21.4); that counts for any sub-status.
 */
export const isFailure = sql<boolean>`coalesce(
  sub_status in ('NOT_ABLE_TO_CALL', 'FAILED', 'MEDIA_TIMEOUT', 'UNKNOWN_AFTER_CRASH', 'PRE_CALL_API_FAILED')
  or sip_code in (401, 402, 403, 407) or sip_code between 500 and 599, false)`;
