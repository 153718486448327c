import type { ReactNode } from 'react';
import { Button } from '../ui/controls.tsx';
import type { Form } from './use-draft.ts';
import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

const TODAY = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const EARLIER = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });

/** Says that a form holds text that was typed earlier and not saved. `lost`: what the browser could not keep. */
export function DraftNotice<T>({
  form: { restored, reset },
  lost,
}: {
  form: Pick<Form<T>, 'restored' | 'reset'>;
  lost?: string;
}): ReactNode {
  if (restored === null) return null;
  const at = new Date(restored.at);
  const isToday = at.toDateString() === new Date().toDateString();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-warn px-3 py-2 text-sm"
    >
      <span>
        {t('Unsaved text of yours from {at}.', { at: (isToday ? TODAY : EARLIER).format(at) })}
        {restored.isOld ? ` ${t('What is stored has changed since.')}` : ''}
        {lost === undefined ? '' : ` ${t(lost)}`}
      </span>
      <Button aria-label={t('Discard the restored text')} onClick={reset}>
        {t('Discard')}
      </Button>
    </div>
  );
}
