import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { formatNumber } from '../../ui/format.tsx';
import { Card, ErrorNote, Loading } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { RefusedRows } from '../campaign-new/refused-rows.tsx';
import { t } from '../../words/words.ts';

const REFRESH_MS = 5_000;

/** How far the import of a large list is, and why one failed. */
export function ImportProgress({ campaignId }: { campaignId: string }): ReactNode {
  const read = useRead('getUploadStatus', { bulk_list_id: campaignId }, { every: REFRESH_MS });
  if (read.isPending) return <Loading />;
  if (read.isError) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  const upload = read.data;
  return (
    <>
      <Card title={t('Import of the list')}>
        {upload.status === 'failed' ? (
          <p className="text-bad">{upload.message ?? t('The import failed.')}</p>
        ) : (
          <>
            <progress
              className="h-3 w-full accent-accent"
              value={upload.progress}
              aria-label={t('Progress of the import')}
            />
            <p className="mt-2 text-muted">
              {t('{progress} of the file, {processedRows} rows.', {
                progress: formatShare(upload.progress),
                processedRows: formatNumber(upload.processed_rows),
              })}
            </p>
          </>
        )}
      </Card>
      <RefusedRows report={upload} />
    </>
  );
}

/** The rows that the import left out. Shows nothing where the workspace may not read how an import went. */
export function SkippedRows({ campaignId }: { campaignId: string }): ReactNode {
  const read = useRead('getUploadStatus', { bulk_list_id: campaignId });
  if (read.data === undefined) return null;
  return <RefusedRows report={read.data} action={t('correct it, and upload it as a campaign of its own.')} />;
}
