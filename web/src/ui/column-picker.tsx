import { useEffect, useRef, useState, type ReactNode } from 'react';
import { buttonClass, CheckField } from './controls.tsx';
import { readHidden } from './hidden-columns.ts';
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
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (): void => {
      if (menu.current !== null) menu.current.open = false;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      close();
      menu.current?.querySelector('summary')?.focus();
    };
    const onPress = ({ target }: PointerEvent): void => {
      if (!menu.current?.contains(target as Node)) close();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [isOpen]);
  const toggle = (title: string): void => {
    const next = hidden.includes(title) ? hidden.filter((each) => each !== title) : [...hidden, title];
    localStorage.setItem(keyOf(list), JSON.stringify(next));
    setHidden(next);
  };
  const [first, ...others] = columns;
  const shown = columns.filter((column) => column === first || !hidden.includes(column.title));
  return {
    shown,
    picker: (
      <details ref={menu} className="relative" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={`${buttonClass()} cursor-pointer list-none`}>Columns</summary>
        {isOpen ? (
          <div className="absolute left-0 z-10 mt-1 flex min-w-44 flex-col gap-1.5 rounded-md border border-line bg-surface p-3">
            {others.map(({ title }) => (
              <CheckField
                key={title}
                label={title}
                checked={!hidden.includes(title)}
                onChange={() => toggle(title)}
              />
            ))}
          </div>
        ) : null}
      </details>
    ),
  };
}
