import { Type } from 'typebox';
import { FAILURE_CODES } from '../../shared/failure-reason.ts';
import { nullable, oneOf } from '../common/schemas.ts';

/** `failure` of calls, attempts and events. */
export const Failure = nullable(
  Type.Object(
    {
      code: oneOf(FAILURE_CODES, { description: 'Stable.' }),
      message: Type.String({
        example:
          'The carrier refused the call. See sip_messages of the attempt, and ask the carrier. (503 Service Unavailable)',
        description: 'What happened, and what to do.',
      }),
    },
    { description: 'Why it failed. Null: it did not.' },
  ),
);
