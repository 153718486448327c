import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** Who gets a mail when the service pauses a campaign or the outbound calls of the workspace, or an alert is raised or cleared. */
export function NoticeAddresses({ addresses }: { addresses: readonly string[] }): ReactNode {
  const isOwner = useMay('owner');
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? addresses.join(', ');
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], () => ({
    text: t('The addresses are saved.'),
    undo: () => call('setWorkspaceSettings', { notice_addresses: [...addresses] }),
  }));
  const next = text.split(/[\s,;]+/).filter((address) => address !== '');
  return (
    <form
      aria-label={t('Notices by mail')}
      className="flex w-full max-w-prose flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate({ notice_addresses: next }, { onSuccess: () => setTyped(afterSending(typed, null)) });
      }}
    >
      <TextField
        label={t('Mail addresses')}
        hint={t(
          'The service sends mail to them when it pauses a campaign or all outbound calls, with the cause, and when an alert for the quality of calls is raised or cleared. At most ten, separated by commas.',
        )}
        value={text}
        readOnly={!isOwner}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p className="text-muted">
        {t(
          'Slack says the same in a channel: on the page of an assistant, under “Knowledge and events”, add the address of an incoming webhook of Slack as a receiver of “Campaign paused” and “Quality alert”.',
        )}
      </p>
      {isOwner ? (
        <span className="flex flex-wrap gap-2">
          <Button type="submit" busy={set.isPending} disabled={typed === null}>
            {t('Save the addresses')}
          </Button>
          <CopyCurl operation="setWorkspaceSettings" input={{ notice_addresses: next }} />
        </span>
      ) : (
        <p className="text-muted">{t('Only owners change this.')}</p>
      )}
      {set.isError ? <ErrorNote error={set.error} /> : null}
    </form>
  );
}
