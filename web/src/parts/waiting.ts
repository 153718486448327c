import { outcomeName } from './outcomes.ts';
import { t, within } from '../words/words.ts';

/** Why a queued call waits, by its sub-status. */
const REASONS: Readonly<Record<string, string>> = {
  IN_DB: 'Not called yet',
  QUEUED: 'Due now, waiting for its turn',
  WINDOW_CLOSED: 'Its calling window is closed',
  LIMIT_REACHED: 'A limit of the workspace or destination is reached',
  RETRY_SCHEDULED: 'Waiting for its retry time',
  INSUFFICIENT_BALANCE: 'The credits do not cover another call',
};

/** The reason in words: outcomes of an earlier attempt mean that the call waits for its retry. */
export const waitingReason = (code: string): string =>
  REASONS[code] === undefined
    ? t('Calls again after: {reason}', { reason: within(outcomeName(code)) })
    : t(REASONS[code]);
