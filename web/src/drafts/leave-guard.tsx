import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { unsavedForms } from './unsaved.ts';
import { t } from '../words/words.ts';
import { rich } from '../words/rich.ts';

/** Where the router goes, as far as it unmounts forms: another screen, or another version of an assistant. */
const placeOf = ({ pathname, search }: { pathname: string; search: object }): string =>
  `${pathname} ${JSON.stringify((search as { version?: unknown }).version)}`;

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard(): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsavedForms().size > 0 && placeOf(current) !== placeOf(next),
    enableBeforeUnload: () => unsavedForms().size > 0,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const forms = [...unsavedForms().values()];
  const names = [...new Set(forms.map(({ name }) => name))].join(', ');
  return (
    <Dialog title={t('Leave without saving?')} onClose={() => blocker.reset()}>
      <div className="flex flex-col gap-4">
        <p>
          {rich(
            'Not saved: {names}. This browser keeps what you typed, and the page shows it again when you come back.',
            { names: <b>{names}</b> },
          )}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            look="danger"
            onClick={() => {
              for (const { discard } of forms) discard();
              // The forms forget their text with their next effect, before the page goes.
              setTimeout(() => blocker.proceed());
            }}
          >
            {t('Discard and leave')}
          </Button>
          <Button onClick={() => blocker.proceed()}>{t('Leave, keep the text')}</Button>
          <Button look="primary" onClick={() => blocker.reset()}>
            {t('Stay')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
