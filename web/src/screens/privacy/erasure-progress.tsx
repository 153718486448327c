import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { CopyButton } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, Card, Facts } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const REFRESH_MS = 5_000;

/** How far an erasure is. Its id is in the address, so that the page can be opened again. */
export function ErasureProgress({ id }: { id: string }): ReactNode {
  const [isDone, setIsDone] = useState(false);
  const read = useRead('getErasure', { erasure_id: id }, { every: isDone ? false : REFRESH_MS });
  const isNowDone = read.data?.status === 'done';
  if (isDone !== isNowDone) setIsDone(isNowDone);
  return (
    <Card title={t('Erasure')}>
      <Loaded read={read} shape="lines">
        {(erasure) => (
          <div className="flex flex-col items-start gap-4" role="status">
            <Facts
              rows={[
                [
                  'State',
                  isNowDone ? (
                    <Badge tone="good">{t('Everything is erased')}</Badge>
                  ) : (
                    <Badge tone="warn">{t('Running')}</Badge>
                  ),
                ],
                ['Erased calls', formatNumber(erasure.erased_calls)],
                ['Live calls, erased when they end', formatNumber(erasure.waiting_calls)],
                ['Files that are not deleted yet', formatNumber(erasure.waiting_files)],
                ['Requested', <Time key="requested" iso={erasure.requested_at} />],
                ['Done', <Time key="done" iso={erasure.done_at} />],
              ]}
            />
            <CopyButton text={id} label={t('Copy id')} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}
