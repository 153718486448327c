import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../words/words.ts';
import { Button } from '../controls.tsx';
import { Icon } from '../icon.tsx';
import { Menu } from '../menu.tsx';
import { SearchField } from '../search-field.tsx';
import { useIsPhone } from '../use-is-phone.ts';
import { FilterEditor, MenuButtons } from './filter-editor.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import { isSet, wordsOf, type ListFilter } from './list-filter.ts';

const CHIP =
  'flex min-h-7 items-center gap-1.5 max-sm:min-h-control rounded-l-sm bg-accent-tint pr-1 pl-2.5 text-sm text-accent hover:brightness-95';
const REMOVE =
  'flex min-h-7 min-w-6 max-sm:min-h-control max-sm:min-w-control items-center justify-center rounded-r-sm bg-accent-tint text-accent hover:brightness-95';
const ADD =
  'inline-flex min-h-7 items-center gap-1.5 rounded-sm border border-dashed border-line px-2.5 text-sm text-muted hover:bg-raised hover:text-ink';

interface FiltersProps<Name extends string> {
  filters: readonly ListFilter<Name>[];
  /** An empty value removes the filter. */
  onChange: (name: Name, value: string) => void;
  onClear: () => void;
}

/**
 * The filters of a list in one line: what is sought, a chip for each that is set, and a menu of all. A phone shows the
 * fields in a sheet.
 */
export function ListFilters<Name extends string>({
  filters,
  search,
  onChange,
  onClear,
  children,
}: FiltersProps<Name> & {
  /** A text that the list is searched by; it is always there. */
  search?: { label: string; value: string; kind?: 'tel' | 'text'; onApply: (value: string) => void };
  /** Beside the chips. */
  children?: ReactNode;
}): ReactNode {
  const isPhone = useIsPhone();
  const [isOpen, setIsOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const active = filters.filter(isSet);
  const focusAdd = (): void =>
    bar.current
      ?.querySelector<HTMLElement>('[data-add-filter] > details > summary, button[data-add-filter]')
      ?.focus();
  const remove = (name: Name): void => {
    onChange(name, '');
    // The chip with the focus goes.
    focusAdd();
  };
  return (
    <search ref={bar} className="flex flex-wrap items-center gap-2">
      {search === undefined ? null : (
        <span className="w-52 max-sm:min-w-0 max-sm:grow">
          <SearchField isBare {...search} />
        </span>
      )}
      {isPhone ? (
        <Button data-add-filter aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          <Icon name="list-filter" />
          {active.length === 0 ? t('Filters') : t('Filters ({count})', { count: active.length })}
        </Button>
      ) : null}
      {active.length === 0 ? null : (
        <ul aria-label={t('Active filters')} className="flex min-w-0 flex-wrap items-center gap-2">
          {active.map((filter) => (
            <Chip
              key={filter.name}
              filter={filter}
              onApply={(value) => onChange(filter.name, value)}
              onOpen={isPhone ? () => setIsOpen(true) : null}
              onRemove={() => remove(filter.name)}
            />
          ))}
        </ul>
      )}
      {isPhone ? null : <AddFilter filters={filters} onChange={onChange} />}
      {active.length > 1 && !isPhone ? (
        <button
          type="button"
          className="min-h-7 rounded-sm px-2 text-sm text-accent hover:bg-raised"
          onClick={() => {
            onClear();
            focusAdd();
          }}
        >
          {t('Remove all')}
        </button>
      ) : null}
      {children}
      {isOpen ? (
        <FilterSheet
          filters={filters}
          onChange={onChange}
          onClear={onClear}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </search>
  );
}

/** A filter that is set: a press on its words changes it, Delete and the cross remove it. */
function Chip({
  filter,
  onApply,
  onOpen,
  onRemove,
}: {
  filter: ListFilter;
  onApply: (value: string) => void;
  /** Opens the sheet that holds its field; null: the chip opens the field itself. */
  onOpen: (() => void) | null;
  onRemove: () => void;
}): ReactNode {
  const words = (
    <>
      <span>{filter.label}</span>
      <span className="max-w-56 truncate font-medium">{wordsOf(filter)}</span>
    </>
  );
  const onKey = (event: KeyboardEvent): void => {
    const isField = event.target instanceof HTMLInputElement;
    if (isField || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
    event.preventDefault();
    onRemove();
  };
  return (
    <li className="flex min-w-0 items-stretch gap-px" onKeyDown={onKey}>
      {onOpen === null ? (
        <Menu label={words} look={CHIP}>
          {(close) => (
            <FilterEditor
              filter={filter}
              onApply={(value) => {
                close();
                onApply(value);
              }}
            />
          )}
        </Menu>
      ) : (
        <button type="button" className={`${CHIP} min-w-0`} onClick={onOpen}>
          {words}
        </button>
      )}
      <button type="button" className={REMOVE} onClick={onRemove}>
        <span className="sr-only">
          {t('Remove the filter')} {filter.label} {wordsOf(filter)}
        </span>
        <Icon name="x" />
      </button>
    </li>
  );
}

/** The menu of all filters, then the field of the chosen one. */
function AddFilter<Name extends string>({
  filters,
  onChange,
}: Omit<FiltersProps<Name>, 'onClear'>): ReactNode {
  const label = (
    <>
      <span aria-hidden="true">+</span> {t('Filter')}
    </>
  );
  return (
    <span data-add-filter>
      <Menu label={label} look={ADD}>
        {(close) => (
          <NewFilter
            filters={filters}
            onChange={(name, value) => {
              close();
              onChange(name, value);
            }}
          />
        )}
      </Menu>
    </span>
  );
}

function NewFilter<Name extends string>({
  filters,
  onChange,
}: Omit<FiltersProps<Name>, 'onClear'>): ReactNode {
  const [name, setName] = useState<Name | null>(null);
  const chosen = filters.find((each) => each.name === name);
  if (chosen !== undefined) {
    return <FilterEditor filter={chosen} onApply={(value) => onChange(chosen.name, value)} />;
  }
  const buttons = filters.map((filter) => ({
    key: filter.name,
    name: filter.label,
    press: () => setName(filter.name),
  }));
  return <MenuButtons label={t('Filters')} buttons={buttons} />;
}
