import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { useUnsavedForms } from '../../drafts/unsaved.ts';
import { settingName } from '../../parts/setting-names.ts';
import { t } from '../../words/words.ts';
import { CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { RunningCampaigns, UndeclaredNote } from './before-live.tsx';
import { ChangeList } from './change-list.tsx';
import type { Version } from './types.ts';

/** Shows what the draft changes, and publishes exactly what it shows: when either side moved, the service refuses. */
export function PublishDialog({
  agentId,
  version,
  onPublished,
  onClose,
}: {
  agentId: string;
  /** What the draft has. */
  version: Version;
  onPublished: () => void;
  onClose: () => void;
}): ReactNode {
  const read = useRead('getDraftDifference', { agent_id: agentId });
  const [note, setNote] = useState('');
  const unsaved = new Set([...useUnsavedForms().values()].map(({ name }) => t(name)));
  const publish = useChange('publishDraft', ['getAgent', 'listAgents'], (_, { version_slug: slug }) => {
    // Before the reads that take the draft, and with it this dialog, off the page.
    onPublished();
    return t('New calls use {slug}.', { slug });
  });
  return (
    <Dialog title={t('Publish the draft?')} isWide onClose={onClose}>
      <Loaded read={read}>
        {({ difference, draft_tag: draftTag, live_tag: liveTag }) => {
          const input = { agent_id: agentId, note, if_draft: draftTag, if_live: liveTag };
          return (
            <form
              className="flex flex-col gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                publish.mutate(input, { onError: () => void read.refetch() });
              }}
            >
              <p className="text-muted">
                {t('New calls use it at once. Calls under way keep the version that they began with.')}
              </p>
              {unsaved.size === 0 ? null : (
                <p role="status" className="rounded-md border border-warn px-3 py-2 text-sm">
                  {t('Not saved, so not published: {sections}.', { sections: [...unsaved].join(', ') })}
                </p>
              )}
              <UndeclaredNote version={version} />
              <RunningCampaigns agentId={agentId} />
              <ChangeList label={t('What the draft changes')} changes={difference.draft} />
              {difference.live.length === 0 ? null : (
                <section className="flex flex-col gap-3 rounded-md border border-warn p-3">
                  <h3 className="font-medium">{t('The active version was changed since the draft began')}</h3>
                  <p className="text-sm">
                    {t(
                      'Publishing puts the draft in its place, without these changes. Cancel to take over into the draft what it should keep.',
                    )}
                    {difference.conflicts.length === 0
                      ? ''
                      : ` ${t('Both changed: {value}.', { value: difference.conflicts.map(settingName).join(', ') })}`}
                  </p>
                  <ChangeList label={t('What the active version changed')} changes={difference.live} />
                </section>
              )}
              <TextField
                label={t('Note')}
                hint={t('What changes and why, for the history.')}
                maxLength={500}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
              {publish.isError ? <ErrorNote error={publish.error} /> : null}
              <DialogActions
                action={t('Publish')}
                isBusy={publish.isPending}
                curl={<CopyCurl operation="publishDraft" input={input} />}
                onClose={onClose}
              />
            </form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
