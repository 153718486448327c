import type { ReactNode } from 'react';
import { formatNumber } from '../ui/format.tsx';
import { formatShare, Stat } from '../ui/stat.tsx';
import { t } from '../words/words.ts';

interface Share {
  readonly answer_rate: number;
  readonly answered_attempts: number;
  readonly total_attempts: number;
}

/** The one definition of answered, on every page. */
export const ANSWERED_FORMULA =
  'Attempts that a person answered, of all attempts. Voicemail, screening services and faxes are no person; contacts that were never dialled are no attempt.';

/** The answered share of calls, with its formula as tooltip. */
export function AnsweredStat({ name, share }: { name: string; share: Share | undefined }): ReactNode {
  return (
    <Stat
      name={name}
      title={ANSWERED_FORMULA}
      value={share === undefined || share.total_attempts === 0 ? '–' : formatShare(share.answer_rate)}
    >
      {share === undefined
        ? null
        : share.total_attempts === 0
          ? t('No attempt has ended.')
          : t('A person answered {answered} of {total} attempts.', {
              answered: formatNumber(share.answered_attempts),
              total: formatNumber(share.total_attempts),
            })}
    </Stat>
  );
}
