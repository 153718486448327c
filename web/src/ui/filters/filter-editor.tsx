import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../words/words.ts';
import { Button, TextField } from '../controls.tsx';
import type { ListFilter } from './list-filter.ts';

/** Fewer choices are seen at a glance. */
const MANY_CHOICES = 9;
const CHOICE =
  'flex min-h-control w-full items-center rounded-sm px-2 text-left text-sm hover:bg-raised aria-pressed:bg-accent-tint aria-pressed:text-accent';

/** The buttons of a menu, one below the other: the arrow keys go from one to the next. The first one takes the focus. */
export function MenuButtons({
  label,
  buttons,
}: {
  label: string;
  buttons: readonly { key: string; name: string; isPressed?: boolean; press: () => void }[];
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const isLong = buttons.length > MANY_CHOICES;
  useEffect(() => {
    const chosen = box.current?.querySelector<HTMLElement>('[aria-pressed=true]');
    (isLong
      ? box.current?.querySelector('input')
      : (chosen ?? box.current?.querySelector('button'))
    )?.focus();
  }, [isLong]);
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const stops = [...(box.current?.querySelectorAll<HTMLElement>('input, button') ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + by + stops.length) % stops.length]?.focus();
  };
  const sought = text.trim().toLowerCase();
  return (
    <div ref={box} role="group" aria-label={label} className="flex flex-col gap-1" onKeyDown={onKey}>
      {isLong ? (
        <input
          type="text"
          aria-label={t('Search the choices')}
          placeholder={t('Search the choices')}
          value={text}
          className="min-h-control rounded-md border border-line bg-surface px-2 placeholder:text-muted"
          onChange={(event) => setText(event.target.value)}
        />
      ) : null}
      <div className="flex max-h-72 max-w-80 flex-col overflow-y-auto p-0.5">
        {buttons
          .filter(({ name }) => name.toLowerCase().includes(sought))
          .map(({ key, name, isPressed, press }) => (
            <button key={key} type="button" aria-pressed={isPressed} className={CHOICE} onClick={press}>
              <span className="truncate">{name}</span>
            </button>
          ))}
      </div>
    </div>
  );
}

/** What a filter is set with: a choice applies at once, a day or text when it is complete. */
export function FilterEditor({
  filter,
  onApply,
}: {
  filter: ListFilter;
  onApply: (value: string) => void;
}): ReactNode {
  if (filter.kind === 'choice') {
    const buttons = filter.options.map(([value, name]) => ({
      key: value,
      name: t(name),
      isPressed: value === filter.value,
      press: () => onApply(value),
    }));
    return buttons.length === 0 ? (
      <p className="px-2 text-muted">{t('There is nothing to choose from.')}</p>
    ) : (
      <MenuButtons label={filter.label} buttons={buttons} />
    );
  }
  return <ValueForm filter={filter} onApply={onApply} />;
}

function ValueForm({
  filter,
  onApply,
}: {
  filter: ListFilter & { kind: 'day' | 'minute' | 'text' };
  onApply: (value: string) => void;
}): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const [value, setValue] = useState(filter.value ?? '');
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <form
      ref={form}
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(value.trim());
      }}
    >
      <TextField
        label={filter.label}
        type={{ day: 'date', minute: 'datetime-local', text: 'text' }[filter.kind]}
        placeholder={filter.kind === 'text' ? filter.placeholder : undefined}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <Button type="submit" look="primary">
        {t('Apply')}
      </Button>
    </form>
  );
}
