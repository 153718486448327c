import type { ReactNode } from 'react';
import { t } from '../../words/words.ts';
import { Button, TextField } from '../controls.tsx';
import { Dialog } from '../dialog.tsx';
import { SearchField } from '../search-field.tsx';
import { ChoiceFilter } from './choices.tsx';
import { isSet, type ListFilter } from './list-filter.ts';

/** Every filter of a list on a phone, from the lower edge up. A change applies at once. */
export function FilterSheet<Name extends string>({
  filters,
  onChange,
  onClear,
  onClose,
}: {
  filters: readonly ListFilter<Name>[];
  onChange: (name: Name, value: string) => void;
  onClear: () => void;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog title={t('Filters')} isSheet onClose={onClose}>
      <div className="flex flex-col gap-3">
        {filters.map((filter) => {
          const { name, label, value = '' } = filter;
          const set = (next: string): void => onChange(name, next);
          if (filter.kind === 'choice') {
            return (
              <ChoiceFilter key={name} label={label} value={value} options={filter.options} onChange={set} />
            );
          }
          return filter.kind === 'text' ? (
            <SearchField
              key={name}
              label={label}
              kind="text"
              placeholder={filter.placeholder}
              value={value}
              onApply={set}
            />
          ) : (
            <TextField
              key={name}
              label={label}
              type={filter.kind === 'day' ? 'date' : 'datetime-local'}
              value={value}
              onChange={(event) => set(event.target.value)}
            />
          );
        })}
      </div>
      <div className="sticky -bottom-5 mt-4 -mb-5 flex justify-end gap-2 border-t border-line bg-surface py-3">
        {filters.some(isSet) ? <Button onClick={onClear}>{t('Remove all')}</Button> : null}
        <Button look="primary" onClick={onClose}>
          {t('Show the list')}
        </Button>
      </div>
    </Dialog>
  );
}
