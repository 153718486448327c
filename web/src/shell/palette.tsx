import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { useMays } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { findEntries, type Action, type Entry } from './palette-entries.ts';
import { t } from '../words/words.ts';
import { rich } from '../words/rich.ts';

const LABEL = 'Screen, action, assistant, campaign, number, or id of a call';

/** Goes to a screen, a call, an assistant or a number by typing, and does what the shell can do. */
export function Palette({
  onAction,
  onClose,
}: {
  onAction: (action: Action) => void;
  onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const may = useMays();
  const agents = useRead('listAgents', { limit: 100 });
  const campaigns = useRead('listCampaigns', { limit: 100, call_count: false });
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = findEntries(
    text,
    (agents.data?.data.agents ?? []).map(({ id, agent_display_name: name }) => ({ id, name })),
    campaigns.data?.campaigns ?? [],
  ).filter(({ role }) => may[role]);
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    if ('href' in entry.target) void navigate({ href: entry.target.href });
    else onAction(entry.target.action);
  };
  return (
    <Dialog title={t('Go to')} isTop onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${at}`}
        aria-label={t(LABEL)}
        placeholder={t('Screen, assistant, number, id…')}
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
            const next = (at + step + entries.length) % entries.length;
            setAt(next);
            document.querySelector(`#palette-${next}`)?.scrollIntoView({ block: 'nearest' });
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
        aria-label={t('Results')}
        className="mt-3 flex max-h-80 flex-col overflow-y-auto"
      >
        {entries.map((entry, index) => (
          // The keyboard reaches the options through the field above.
          // oxlint-disable-next-line jsx_a11y/click-events-have-key-events
          <li
            key={JSON.stringify(entry.target)}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            className="flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-3 py-1.5 hover:bg-raised aria-selected:bg-raised aria-selected:text-accent"
            onClick={() => go(entry)}
          >
            <span className="min-w-0 wrap-anywhere">{entry.name}</span>
            {entry.kind === undefined ? null : (
              <span className="shrink-0 text-sm text-muted">{entry.kind}</span>
            )}
          </li>
        ))}
      </ul>
      {entries.length === 0 ? <p className="px-3 text-muted">{t('Nothing has this name.')}</p> : null}
      <p className="mt-3 border-t border-line pt-3 text-sm text-muted">
        {rich('{up} {down} choose, {enter} opens, {escape} closes.', {
          up: <kbd>↑</kbd>,
          down: <kbd>↓</kbd>,
          enter: <kbd>{t('Enter')}</kbd>,
          escape: <kbd>Esc</kbd>,
        })}
      </p>
    </Dialog>
  );
}
