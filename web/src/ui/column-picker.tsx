import { useMemo, useState, type ReactNode } from 'react';
import { CheckField } from './controls.tsx';
import { t } from '../words/words.ts';
import { readHidden } from './hidden-columns.ts';
import { Menu } from './menu.tsx';
import type { Column } from './table.tsx';

const keyOf = (list: string): string => `hidden-columns ${list}`;

/**
 * The columns that this browser shows of a list, and the choice of them. The first column always stays; `hiddenAtFirst`
 * show once they are chosen.
 */
export function useColumns<Row>(
  list: string,
  columns: readonly Column<Row>[],
  hiddenAtFirst: readonly string[] = [],
): { shown: readonly Column<Row>[]; picker: ReactNode } {
  const [hidden, setHidden] = useState<readonly string[]>(() =>
    readHidden(localStorage.getItem(keyOf(list)) ?? JSON.stringify(hiddenAtFirst)),
  );
  const toggle = (title: string): void => {
    const next = hidden.includes(title) ? hidden.filter((each) => each !== title) : [...hidden, title];
    localStorage.setItem(keyOf(list), JSON.stringify(next));
    setHidden(next);
  };
  const shown = useMemo(
    () => columns.filter((column, index) => index === 0 || !hidden.includes(column.title)),
    [columns, hidden],
  );
  return {
    shown,
    picker: (
      <Menu label={t('Columns')}>
        {() =>
          columns
            .slice(1)
            .map(({ title }) => (
              <CheckField
                key={title}
                label={t(title)}
                checked={!hidden.includes(title)}
                onChange={() => toggle(title)}
              />
            ))
        }
      </Menu>
    ),
  };
}
