import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatCount } from '../../ui/format.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { PublishDialog } from './publish-dialog.tsx';

type Draft = Answer<'getDraft'>['draft'];

/** Begins a draft, or says what the open one changes, with the ways to publish and discard it. */
export function DraftBar({
  agentId,
  draft,
  isShown,
}: {
  agentId: string;
  /** Null: the assistant has none. */
  draft: Draft | null;
  /** The page shows the draft. */
  isShown: boolean;
}): ReactNode {
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const [asking, setAsking] = useState<'publish' | 'discard' | null>(null);
  const show = (version?: string): void =>
    void navigate({
      search: ({ tab }) => ({
        ...(tab === undefined ? {} : { tab }),
        ...(version === undefined ? {} : { version }),
      }),
    });
  const open = useChange('openDraft', ['getAgent'], () => 'Saves go to the draft until you publish it.');
  const close = (): void => {
    setAsking(null);
    show();
  };
  const discard = useChange('discardDraft', ['getAgent'], () => {
    close();
    return 'The draft is discarded.';
  });
  const input = { agent_id: agentId };
  if (draft === null) {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <Button
          busy={open.isPending}
          onClick={() => open.mutate(input, { onSuccess: (answer) => show(answer.draft.version_id) })}
        >
          Edit in a draft
        </Button>
        <CopyCurl operation="openDraft" input={input} of="a draft" />
        {open.isError ? <ErrorNote error={open.error} /> : null}
      </div>
    );
  }
  const discarding = { ...input, if_draft: draft.tag };
  return (
    <section
      aria-label="Draft"
      className="flex flex-wrap items-center gap-2 rounded-md border border-accent px-3 py-2"
    >
      <p className="mr-auto">
        Draft, {formatCount(draft.changes, 'change')} not live
        {draft.is_behind ? '; the active version was changed meanwhile' : ''}
      </p>
      {isShown ? null : <Button onClick={() => show(draft.version_id)}>Open the draft</Button>}
      <Button onClick={() => setAsking('discard')}>Discard the draft</Button>
      <Button look="primary" onClick={() => setAsking('publish')}>
        Publish
      </Button>
      {asking === 'publish' ? (
        <PublishDialog agentId={agentId} onPublished={close} onClose={() => setAsking(null)} />
      ) : null}
      {asking === 'discard' ? (
        <ConfirmDialog
          title="Discard the draft?"
          action="Discard the draft"
          isBusy={discard.isPending}
          error={discard.error}
          curl={<CopyCurl operation="discardDraft" input={discarding} />}
          onConfirm={() => discard.mutate(discarding)}
          onClose={() => setAsking(null)}
        >
          Its {formatCount(draft.changes, 'change')} cannot be brought back. The active version stays.
        </ConfirmDialog>
      ) : null}
    </section>
  );
}
