import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { ChangeList } from './change-list.tsx';
import { t } from '../../words/words.ts';

type Entry = Answer<'listAgentVersions'>['versions'][number];

const LIMIT = 200;

/** Who published what and why, what differs from the active version, and the way back. */
export function HistoryCard({ agentId, mayEdit }: { agentId: string; mayEdit: boolean }): ReactNode {
  const read = useRead('listAgentVersions', { agent_id: agentId, limit: LIMIT });
  const [asking, setAsking] = useState<{ what: 'compare' | 'back'; entry: Entry } | null>(null);
  const back = useChange('rollBackAgent', ['getAgent', 'listAgents'], (_, { version_slug: slug }) => {
    return t('New calls use {slug}.', { slug });
  });
  const columns = (active: string): readonly Column<Entry>[] => [
    {
      title: 'Version',
      cell: (entry) => (
        <span className="flex items-center gap-2">
          {entry.version_slug}
          {entry.version_id === active ? <Badge tone="good">{t('Active')}</Badge> : null}
        </span>
      ),
    },
    { title: 'Note', cell: (entry) => entry.note || <span className="text-muted">–</span> },
    { title: 'Author', cell: (entry) => entry.author ?? <span className="text-muted">–</span> },
    { title: 'Created', cell: (entry) => <Time iso={entry.created_at} isBrief /> },
    {
      title: 'Action',
      cell: (entry) =>
        entry.version_id === active ? null : (
          <RowActions>
            <Button
              aria-label={t('Difference to {versionSlug}', { versionSlug: entry.version_slug })}
              onClick={() => setAsking({ what: 'compare', entry })}
            >
              {t('Difference')}
            </Button>
            {mayEdit ? (
              <Button
                aria-label={t('Roll back to {versionSlug}', { versionSlug: entry.version_slug })}
                onClick={() => setAsking({ what: 'back', entry })}
              >
                {t('Roll back')}
              </Button>
            ) : null}
          </RowActions>
        ),
    },
  ];
  const close = (): void => setAsking(null);
  // Refused when the active version is no longer the one that the list shows.
  const seen = read.data === undefined ? {} : { if_live: read.data.active_tag };
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{t('History')}</h2>
      <Loaded read={read}>
        {({ versions, active_version_id: active }) => (
          <>
            <Table
              caption={t('History')}
              columns={columns(active)}
              rows={versions}
              keyOf={(entry) => entry.version_id}
            />
            {asking?.what === 'compare' ? (
              <Difference agentId={agentId} entry={asking.entry} active={active} onClose={close} />
            ) : null}
          </>
        )}
      </Loaded>
      {asking?.what === 'back' ? (
        <ConfirmDialog
          title={t('Roll back to {versionSlug}?', { versionSlug: asking.entry.version_slug })}
          action={t('Roll back')}
          isBusy={back.isPending}
          error={back.error}
          curl={
            <CopyCurl
              operation="rollBackAgent"
              input={{ agent_id: agentId, version_id: asking.entry.version_id, ...seen }}
            />
          }
          onConfirm={() =>
            back.mutate(
              { agent_id: agentId, version_id: asking.entry.version_id, ...seen },
              { onSuccess: close, onError: () => void read.refetch() },
            )
          }
          onClose={close}
        >
          {t(
            'A new version equals {versionSlug}, and new calls use it at once. A running A/B test ends; calls under way and the draft stay.',
            { versionSlug: asking.entry.version_slug },
          )}
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

function Difference({
  agentId,
  entry,
  active,
  onClose,
}: {
  agentId: string;
  entry: Entry;
  active: string;
  onClose: () => void;
}): ReactNode {
  const read = useRead('compareAgentVersions', {
    agent_id: agentId,
    version_id: entry.version_id,
    other_version_id: active,
  });
  return (
    <Dialog
      title={t('From {versionSlug} to the active version', { versionSlug: entry.version_slug })}
      isWide
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <Loaded read={read}>
          {({ changes }) => <ChangeList label={t('Difference')} changes={changes} />}
        </Loaded>
        <div className="flex justify-end">
          <Button onClick={onClose}>{t('Close')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
