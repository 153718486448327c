import { Type } from 'typebox';
import { RESULT_SOURCES } from '../../domain/calls/result.ts';
import { nullable, oneOf } from '../common/schemas.ts';

/** What came of a call; its page, its contact and the report have the same two fields. */
export const ResultFields = {
  result: nullable(
    Type.String({
      example: 'Confirmed: yes',
      description:
        "What came of the call, in words: the answer to the agent's goal (goal_key of its client analysis), else its classification label, else the way it ended, such as Voicemail, Busy, Refused or Hung up at once. Null until the call has ended.",
    }),
  ),
  result_source: nullable(oneOf(RESULT_SOURCES, { description: 'goal, label or ending; null: no result.' })),
};

/** Ended calls by result. */
export const ResultCounts = Type.Array(
  Type.Object({
    result: Type.String({ example: 'Confirmed: yes' }),
    source: oneOf(RESULT_SOURCES),
    calls: Type.Integer(),
  }),
  { description: 'Ended calls by result, most calls first; the 50 most frequent results.' },
);

export const SubStatus = Type.String({
  description:
    'Why the call has its status. SERVICE_STOPPED: the service was stopped and cut the call. UNKNOWN_AFTER_CRASH: the process of the call died or lost its lease. Both are errors, and neither is dialled again.',
});

export const HangupBy = nullable(
  Type.String({
    description:
      'caller, agent, or system: the service ended the call, by a limit, a request or its own stop.',
  }),
);

/** What a queued call waits for, by its sub-status. */
const WAITS: Readonly<Record<string, string>> = {
  IN_DB: 'stored with its list, not tried yet',
  QUEUED: 'due now, waits for its turn',
  WINDOW_CLOSED: 'its calling window is closed until next_attempt_at',
  LIMIT_REACHED: 'a limit of calls of the workspace, number, trunk or destination is reached',
  INSUFFICIENT_BALANCE: 'the credits do not cover another call',
  RETRY_SCHEDULED: 'waits for its retry',
};
/** Why a queued call waits. Open: the outcome of the last attempt is one, too. */
export const WaitingReason = Type.String({
  example: 'WINDOW_CLOSED',
  'x-values': Object.keys(WAITS),
  description: `${Object.entries(WAITS)
    .map(([code, meaning]) => `${code}: ${meaning}`)
    .join(
      '; ',
    )}. Any other value is the outcome of the last attempt, such as BUSY or NO_ANSWER: it waits for its retry.`,
});
