import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyButton, CopyCurl } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Time } from '../../ui/format.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** Lets an owner help a member who forgot the password or lost the second factor. */
export function HelpDialog({
  userId,
  email,
  hasTwoStep,
  onClose,
}: {
  readonly userId: string;
  readonly email: string;
  readonly hasTwoStep: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const link = useChange('makePasswordLink', [], () => t('The link is ready.'));
  const reset = useChange('resetTwoStep', ['listMembers'], () => t('Two-step sign-in is off.'));
  const input = { user_id: userId };
  return (
    <ConfirmDialog
      title={t('Help {email} to sign in', { email })}
      action={t('Make a password link')}
      isBusy={link.isPending}
      error={link.error ?? reset.error}
      curl={<CopyCurl operation="makePasswordLink" input={input} />}
      onConfirm={() => link.mutate(input)}
      onClose={onClose}
    >
      {link.data === undefined ? (
        <p>{t('Whoever opens the link sets a new password. It works once, for 24 hours.')}</p>
      ) : (
        <p className="flex flex-wrap items-center gap-2">
          <code className="break-all">{link.data.url}</code>
          <CopyButton text={link.data.url} />
          <span className="text-muted">
            {rich('until {time}', { time: <Time iso={link.data.expires_at} isBrief /> })}
          </span>
        </p>
      )}
      {hasTwoStep ? (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button busy={reset.isPending} onClick={() => reset.mutate(input)}>
            {t('Turn two-step sign-in off')}
          </Button>
          <CopyCurl operation="resetTwoStep" input={input} />
        </div>
      ) : null}
    </ConfirmDialog>
  );
}
