import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls.tsx';
import { ApiFailure } from '../../../api/client.ts';
import { t } from '../../../words/words.ts';

/** Why a section was not saved. */
export type Refusal = Error | string;

/** The one Save of a tab: names what is not saved, and why the service refused it. */
export function SaveBar({
  sections,
  isSaving,
  onFind,
  onDiscard,
  onSave,
}: {
  sections: readonly {
    readonly id: string;
    readonly title: string;
    readonly refusal: Refusal | undefined;
  }[];
  isSaving: boolean;
  onFind: (id: string) => void;
  onDiscard: () => void;
  onSave: () => void;
}): ReactNode {
  const refused = sections.filter(({ refusal }) => refusal !== undefined);
  return (
    <section
      aria-label={t('Unsaved changes')}
      className="sticky bottom-3 z-10 mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 shadow-lg max-sm:bottom-18"
    >
      <div className="mr-auto flex min-w-0 flex-col gap-1 text-sm">
        <p className="wrap-anywhere">
          <span className="text-muted">{t('Not saved:')}</span>{' '}
          <span className="font-medium">{sections.map(({ title }) => title).join(', ')}</span>
        </p>
        {refused.length === 0 ? null : (
          <div role="alert">
            <ul className="flex flex-col gap-0.5">
              {refused.map(({ id, title, refusal }) => (
                <li key={id} className="text-bad wrap-anywhere">
                  <button type="button" className="font-medium underline" onClick={() => onFind(id)}>
                    {title}
                  </button>
                  : {textOf(refusal)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <Button disabled={isSaving} onClick={onDiscard}>
        {t('Discard')}
      </Button>
      <Button look="primary" busy={isSaving} onClick={onSave}>
        {t('Save')}
      </Button>
    </section>
  );
}

/** The fields that the service names, else its sentence. */
function textOf(refusal: Refusal | undefined): string {
  if (!(refusal instanceof ApiFailure)) return refusal instanceof Error ? refusal.message : (refusal ?? '');
  const fields = [...refusal.fields].map(([field, message]) => `${field} ${message}`);
  return fields.length === 0 ? refusal.message : fields.join('; ');
}
