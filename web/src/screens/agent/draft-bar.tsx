import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatCount } from '../../ui/format.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import type { Draft } from './types.ts';
import { t } from '../../words/words.ts';

/** What the open draft changes, with the ways to publish and discard it. */
export function DraftBar({
  agentId,
  draft,
  isShown,
}: {
  agentId: string;
  draft: Draft;
  /** The page shows the draft. */
  isShown: boolean;
}): ReactNode {
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const [asking, setAsking] = useState<'publish' | 'discard' | null>(null);
  const show = (): void =>
    void navigate({
      search: ({ tab, test }) => ({
        ...(tab === undefined ? {} : { tab }),
        ...(test === undefined ? {} : { test }),
      }),
    });
  const close = (): void => {
    setAsking(null);
    show();
  };
  const discard = useChange('discardDraft', ['getAgent'], () => {
    close();
    return t('The draft is discarded.');
  });
  const input = { agent_id: agentId };
  const discarding = { ...input, if_draft: draft.tag };
  return (
    <section
      aria-label={t('Draft')}
      className="flex flex-wrap items-center gap-2 rounded-md border border-accent px-3 py-2"
    >
      <p className="mr-auto">
        {t('Draft, {changes} not live{isBehind}', {
          changes: formatCount(draft.changes, 'change'),
          isBehind: draft.is_behind ? t('; the active version was changed meanwhile') : '',
        })}
      </p>
      {isShown ? null : <Button onClick={show}>{t('Open the draft')}</Button>}
      <Button onClick={() => setAsking('discard')}>{t('Discard the draft')}</Button>
      <Button look="primary" onClick={() => setAsking('publish')}>
        {t('Publish')}
      </Button>
      {asking === 'publish' ? (
        <PublishDialog
          agentId={agentId}
          version={draft.version}
          onPublished={close}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {asking === 'discard' ? (
        <ConfirmDialog
          title={t('Discard the draft?')}
          action={t('Discard the draft')}
          isBusy={discard.isPending}
          error={discard.error}
          curl={<CopyCurl operation="discardDraft" input={discarding} />}
          onConfirm={() => discard.mutate(discarding)}
          onClose={() => setAsking(null)}
        >
          {t('Its {changes} cannot be brought back. The active version stays.', {
            changes: formatCount(draft.changes, 'change'),
          })}
        </ConfirmDialog>
      ) : null}
    </section>
  );
}
