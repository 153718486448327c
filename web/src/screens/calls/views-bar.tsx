import { useState, type ReactNode } from 'react';
import { useWorkspaceId } from '../../session/workspace.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/toasts.ts';
import type { CallFilters } from './filters.ts';
import { useSavedViews } from './saved-views.ts';
import { t } from '../../words/words.ts';

const CHIP = 'min-h-7 rounded-full border max-sm:min-h-control border-line px-3 text-sm hover:bg-raised';

/** Both were read by callFilters, which has one order of keys. */
const isSame = (a: CallFilters, b: CallFilters): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Views that were saved in this browser, and saving the present filters as one. */
export function ViewsBar({
  filters,
  onChoose,
}: {
  /** Without the page. */
  filters: CallFilters;
  onChoose: (filters: CallFilters) => void;
}): ReactNode {
  const { views, save, remove } = useSavedViews(useWorkspaceId() ?? '');
  const [isNaming, setIsNaming] = useState(false);
  const [name, setName] = useState('');
  const shown = views.find((view) => isSame(view.filters, filters));
  const hasFilters = Object.keys(filters).length > 0;
  if (views.length === 0 && !hasFilters) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {views.map((view) => (
        <button
          key={view.name}
          type="button"
          aria-pressed={view === shown}
          className={`${CHIP} aria-pressed:border-accent aria-pressed:text-accent`}
          onClick={() => onChoose(view.filters)}
        >
          {view.name}
        </button>
      ))}
      {shown !== undefined ? (
        <button
          type="button"
          className={`${CHIP} text-muted`}
          onClick={() => {
            remove(shown.name);
            notify({
              text: t('The view {name} is removed.', { name: shown.name }),
              undo: async () => save(shown),
            });
          }}
        >
          {t('Remove the view {name}', { name: shown.name })}
        </button>
      ) : hasFilters ? (
        <button type="button" className={`${CHIP} text-accent`} onClick={() => setIsNaming(true)}>
          {t('Save as a view')}
        </button>
      ) : null}
      {isNaming ? (
        <Dialog title={t('Save as a view')} onClose={() => setIsNaming(false)}>
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              save({ name: name.trim(), filters });
              notify({ text: t('The view {name} is saved in this browser.', { name: name.trim() }) });
              setName('');
              setIsNaming(false);
            }}
          >
            <TextField
              label={t('Name of the view')}
              required
              maxLength={40}
              pattern=".*\S.*"
              value={name}
              hint={t('This browser keeps it. To share the filters, share the address of the page.')}
              onChange={(event) => setName(event.target.value)}
            />
            <div className="flex justify-end gap-2">
              <Button onClick={() => setIsNaming(false)}>{t('Cancel')}</Button>
              <Button type="submit" look="primary">
                {t('Save')}
              </Button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </div>
  );
}
