import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { ApiFailure, call } from '../../api/client.ts';
import { Button, CopyButton, CopyCurl, SelectField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Time } from '../../ui/format.tsx';
import { Card, ErrorNote, Facts } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

type Secret = Answer<'getSigningSecret'>;

/** The secret is read only when it is asked for, since every reading is in the audit log. */
export function SigningSecret(): ReactNode {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const reveal = async (): Promise<void> => {
    setError(null);
    await call('getSigningSecret', {}).then(setSecret, (caught: unknown) => {
      if (!(caught instanceof ApiFailure)) throw caught;
      setError(caught);
    });
  };
  return (
    <Card title={t('Webhook signing secret')}>
      <p className="mb-4 max-w-prose text-muted">
        {t(
          'Every webhook is signed with it (Standard Webhooks), so that a receiver knows it comes from here. Each reading is in the audit log.',
        )}
      </p>
      {error === null ? null : <ErrorNote error={error} />}
      {secret === null ? null : (
        <div className="mb-5 flex flex-col gap-4">
          <div className="flex flex-wrap items-center gap-3">
            <code className="rounded-md bg-raised px-3 py-2 font-mono break-all">{secret.secret}</code>
            <CopyButton text={secret.secret} />
          </div>
          <Facts
            rows={[
              ['Created', <Time key="created" iso={secret.created_at} />],
              ...secret.retiring.map(
                (old) =>
                  ['Previous signs until', <Time key={old.retires_at} iso={old.retires_at} />] as const,
              ),
            ]}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {secret === null ? (
          <Button onClick={() => void reveal()}>{t('Reveal secret')}</Button>
        ) : (
          <Button onClick={() => setSecret(null)}>{t('Hide secret')}</Button>
        )}
        <Button onClick={() => setIsAsking(true)}>{t('Rotate secret')}</Button>
      </div>
      {isAsking ? <RotateDialog onClose={() => setIsAsking(false)} onRotated={setSecret} /> : null}
    </Card>
  );
}

function RotateDialog({
  onClose,
  onRotated,
}: {
  onClose: () => void;
  onRotated: (secret: Secret) => void;
}): ReactNode {
  const [hours, setHours] = useState('24');
  const rotate = useChange('rotateSigningSecret');
  return (
    <Dialog title={t('Rotate the signing secret')} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate(
            { overlap_hours: Number(hours) },
            {
              onSuccess: (secret) => {
                onRotated(secret);
                onClose();
              },
            },
          );
        }}
      >
        {rotate.isError ? <ErrorNote error={rotate.error} /> : null}
        <SelectField
          label={t('The previous secret also signs for')}
          hint={t(
            'During that time every webhook carries both signatures, so receivers can switch one by one.',
          )}
          value={hours}
          onChange={(event) => setHours(event.target.value)}
        >
          <option value="0">{t('no time: it may have leaked')}</option>
          <option value="1">{t('1 hour')}</option>
          <option value="24">{t('24 hours')}</option>
          <option value="168">{t('7 days')}</option>
        </SelectField>
        <DialogActions
          action={t('Rotate secret')}
          isBusy={rotate.isPending}
          curl={<CopyCurl operation="rotateSigningSecret" input={{ overlap_hours: Number(hours) }} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
