import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMays } from '../session/session.ts';
import { hasNoShortcuts } from '../ui/preferences.ts';
import { moveToRow } from '../ui/rows.ts';
import { undoLast } from '../ui/toasts.ts';
import { PLACES } from './places.ts';
import { shortcutOf, type Prefix, type Shortcut } from './shortcuts.ts';
import { TOASTS_ID } from './toasts.tsx';

/** What the shell opens by a key. */
export type Opened = 'palette' | 'sheet';
const FIELD = 'input:not([type=checkbox], [type=radio], [type=button]), select, textarea, [contenteditable]';

const isTyping = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null || (target instanceof Element && target.matches(FIELD));

/** Runs the shortcuts of every page. `open` shows the palette or the sheet. */
export function useShortcuts(open: (what: Opened) => void): void {
  const navigate = useNavigate();
  const may = useMays();
  const prefix = useRef<Prefix | null>(null);
  const run = (shortcut: Shortcut): void => {
    if (shortcut.does === 'go') {
      const place = PLACES.find(({ to }) => to === shortcut.to);
      if (place !== undefined && may[place.role]) void navigate({ to: shortcut.to });
    } else if (shortcut.does === 'row') moveToRow(shortcut.by);
    else if (shortcut.does === 'undo') undoLast();
    else if (shortcut.does === 'messages') focusMessages();
    else if (shortcut.does === 'search') {
      const field = document.querySelector<HTMLInputElement>('main [data-search]');
      if (field === null) open('palette');
      else field.select();
    } else open(shortcut.does);
  };
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const found = shortcutOf(
        {
          key: event.key,
          ctrl: event.ctrlKey || event.metaKey,
          alt: event.altKey,
          isTyping: isTyping(event.target),
          isOff: hasNoShortcuts(),
          atMs: event.timeStamp,
        },
        prefix.current,
      );
      prefix.current = found.prefix;
      if (found.shortcut === null) return;
      // The key must not also be typed into the field that gets the focus.
      event.preventDefault();
      latest.current(found.shortcut);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** The undo of the newest message, else its close button. */
function focusMessages(): void {
  const list = document.querySelector(`#${TOASTS_ID}`);
  const newest = list?.querySelector('[role=status] > :last-child');
  (newest ?? list)?.querySelector('button')?.focus();
}
