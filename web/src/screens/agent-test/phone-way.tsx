import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/controls.tsx';
import { CallDialogLoader } from '../agent/call-dialog-loader.tsx';
import { t } from '../../words/words.ts';

/** A call that was placed from here. */
interface Placed {
  readonly callId: string;
  readonly number: string;
}

/** Lets the assistant call a phone: the reader's own at any hour, or another one in its hours. */
export function PhoneWay({
  agentId,
  active,
  isActive,
  args,
}: {
  agentId: string;
  /** The name of the version that calls use. */
  active: string;
  /** It is the one that the page shows. */
  isActive: boolean;
  args: Readonly<Record<string, string>>;
}): ReactNode {
  const [dialling, setDialling] = useState<'own' | 'other' | null>(null);
  const [placed, setPlaced] = useState<readonly Placed[]>([]);
  return (
    <div className="flex min-h-0 grow flex-col gap-3 overflow-y-auto">
      <p className={isActive ? 'text-sm text-muted' : 'text-sm text-warn'}>
        {isActive
          ? t('It calls your phone with the test values, at any hour. It is charged as a call.')
          : t(
              'On a phone the active version speaks, {version}, and not what is edited here. Publish it first, or test it by text or voice.',
              { version: active },
            )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => setDialling('own')}>
          {t('Ring me')}
        </Button>
        <Button onClick={() => setDialling('other')}>{t('Call a phone')}</Button>
      </div>
      {placed.length === 0 ? null : (
        <ul aria-label={t('Calls from here')} className="flex flex-col gap-2">
          {placed.map(({ callId, number }) => (
            <li key={callId} className="rounded-md border border-line px-3 py-2">
              {number}:{' '}
              <Link to="/calls/$callId" params={{ callId }} className="text-accent underline">
                {t('Open the record of this call')}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {dialling === null ? null : (
        <CallDialogLoader
          agentId={agentId}
          begin={args}
          isAnyTime={dialling === 'own'}
          onPlaced={(callId, number) => {
            setPlaced((before) => [{ callId, number }, ...before]);
            setDialling(null);
          }}
          onClose={() => setDialling(null)}
        />
      )}
    </div>
  );
}
