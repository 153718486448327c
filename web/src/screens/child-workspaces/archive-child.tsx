import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { sessionQuery } from '../../session/session.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { TypedDialog } from '../../ui/typed-dialog.tsx';
import type { Child } from './types.ts';
import { t } from '../../words/words.ts';

const AFFECTED = ['listSubWorkspaces', 'listNumbers', 'getWorkspace', 'listCredits'] as const;

/** Archives a child after its name is typed, or restores it. */
export function ArchiveChild({ child }: { child: Child }): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const client = useQueryClient();
  const archive = useChange('archiveSubWorkspace', AFFECTED, () =>
    t('{name} is archived.', { name: child.name }),
  );
  const restore = useChange('restoreSubWorkspace', AFFECTED, () =>
    t('{name} is restored. Create a key for it.', { name: child.name }),
  );
  const input = { workspace_id: child.id };
  // The switcher above the navigation lists the children that work.
  const onSuccess = (): void => {
    setIsAsking(false);
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  if (child.archived_at !== null) {
    return (
      <Button
        aria-label={t('Restore {name}', { name: child.name })}
        busy={restore.isPending}
        onClick={() => restore.mutate(input, { onSuccess })}
      >
        {t('Restore')}
      </Button>
    );
  }
  return (
    <>
      <Button aria-label={t('Archive {name}', { name: child.name })} onClick={() => setIsAsking(true)}>
        {t('Archive')}
      </Button>
      {isAsking ? (
        <TypedDialog
          title={t('Archive this child workspace?')}
          word={child.name}
          label={t('Type the name of the child workspace')}
          hint={child.name}
          action={t('Archive')}
          isBusy={archive.isPending}
          error={archive.error}
          curl={<CopyCurl operation="archiveSubWorkspace" input={input} />}
          onConfirm={() => archive.mutate(input, { onSuccess })}
          onClose={() => setIsAsking(false)}
        >
          <p className="text-muted">
            {t(
              'Its key and sessions end, its waiting calls and campaigns are cancelled, and its calls are refused. Numbers, concurrent calls and free credits return to this workspace. Past calls stay.',
            )}
          </p>
        </TypedDialog>
      ) : null}
    </>
  );
}
