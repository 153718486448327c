import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useMay } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { findEntries, type Entry } from './palette-entries.ts';

/** Goes to a screen, a call or a number by typing: Ctrl K, or the button. */
export function Palette(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="flex items-center justify-between rounded-md border border-line px-3 py-1.5 text-sm text-muted hover:bg-raised"
        onClick={() => setIsOpen(true)}
      >
        Go to… <kbd className="font-sans text-xs">Ctrl K</kbd>
      </button>
      {isOpen ? <Search onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function Search({ onClose }: { onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const may = { viewer: true, manager: useMay('manager'), owner: useMay('owner') };
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = findEntries(text).filter(({ role }) => may[role]);
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    void navigate({ href: entry.href });
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${at}`}
        aria-label="Screen, id of a call, or number"
        placeholder="Screen, id of a call, or number"
        autoComplete="off"
        // The dialog was opened to type.
        // oxlint-disable-next-line jsx_a11y/no-autofocus
        autoFocus
        className="w-full rounded-md border border-line bg-surface px-3 py-2 text-ink placeholder:text-muted"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && entries.length > 0) {
            event.preventDefault();
            setAt((at + step + entries.length) % entries.length);
          }
          if (event.key === 'Enter') {
            event.preventDefault();
            go(entries[at]);
          }
        }}
      />
      <ul
        id="palette-entries"
        role="listbox"
        aria-label="Results"
        className="mt-3 flex max-h-80 flex-col overflow-y-auto"
      >
        {entries.map((entry, index) => (
          // The keyboard reaches the options through the field above.
          // oxlint-disable-next-line jsx_a11y/click-events-have-key-events
          <li
            key={entry.href}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            className="cursor-pointer rounded-md px-3 py-2 hover:bg-raised aria-selected:bg-raised aria-selected:text-accent"
            onClick={() => go(entry)}
          >
            {entry.name}
          </li>
        ))}
      </ul>
      <p className="mt-3 border-t border-line pt-3 text-sm text-muted">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens. In a list: <kbd>j</kbd> and <kbd>k</kbd>{' '}
        move between rows once it has the focus.
      </p>
      {entries.length === 0 ? <p className="px-3 text-muted">Nothing has this name.</p> : null}
    </Dialog>
  );
}
