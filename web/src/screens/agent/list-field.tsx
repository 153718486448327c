import { useState, type ReactNode } from 'react';
import { Button, TextField } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';

/** Short texts, each with a note, that are removed and added one by one. */
export function ListField({
  label,
  items,
  noteOf,
  isFixed,
  readOnly,
  onRemove,
  adding,
}: {
  /** The name of the list for screen readers. */
  label: string;
  items: readonly string[];
  noteOf: (item: string) => ReactNode;
  /** Whether an item cannot be removed. */
  isFixed: (item: string) => boolean;
  readOnly: boolean;
  onRemove: (item: string) => void;
  adding: Adding;
}): ReactNode {
  return (
    <>
      <ul className="flex flex-col gap-2" aria-label={label}>
        {items.map((item) => (
          <li key={item} className="flex min-h-9 items-center justify-between gap-2">
            <span className="flex min-w-0 flex-wrap items-center gap-2 wrap-anywhere">
              <code className="font-mono text-sm">{item}</code>
              {noteOf(item)}
            </span>
            {readOnly || isFixed(item) ? null : (
              <Button aria-label={t('Remove {item}', { item })} onClick={() => onRemove(item)}>
                {t('Remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {readOnly ? null : <AddField items={items} {...adding} />}
    </>
  );
}

interface Adding {
  readonly label: string;
  readonly action: string;
  readonly type?: 'text' | 'url';
  readonly hint?: string;
  readonly maxLength?: number;
  readonly error: string | undefined;
  /** The item of what was typed; null: it is none. */
  readonly read: (text: string) => string | null;
  /** What is wrong with a text that is no item. */
  readonly problem?: string;
  readonly onAdd: (item: string) => void;
}

function AddField({
  items,
  label,
  action,
  error,
  read,
  problem,
  onAdd,
  ...rest
}: Adding & { items: readonly string[] }): ReactNode {
  const [typed, setTyped] = useState('');
  const item = read(typed);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
      <div>
        <TextField
          label={label}
          value={typed}
          error={typed !== '' && item === null && problem !== undefined ? t(problem) : error}
          onChange={(event) => setTyped(event.target.value)}
          {...rest}
        />
      </div>
      <div className="pt-6.5">
        <Button
          disabled={item === null || items.includes(item)}
          onClick={() => {
            if (item !== null) onAdd(item);
            setTyped('');
          }}
        >
          {t(action)}
        </Button>
      </div>
    </div>
  );
}
