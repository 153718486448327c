import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { useMays } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { findEntries, type Action, type Entry } from './palette-entries.ts';
import { usePeople } from './use-people.ts';
import { t } from '../words/words.ts';
import { rich } from '../words/rich.ts';

const LABEL = 'Screen, action, assistant, campaign, person, number, or id of a call';

/** Goes to a screen, a call, an assistant, a person or a number by typing, and does what the shell can do. */
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
  const { people, isReading } = usePeople(text);
  const named = findEntries(
    text,
    (agents.data?.data.agents ?? []).map(({ id, agent_display_name: name }) => ({ id, name })),
    campaigns.data?.campaigns ?? [],
  ).filter(({ role }) => may[role]);
  // People come last, so that a late answer moves no entry.
  const entries = [...named, ...people];
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
        placeholder={t('Screen, assistant, person, number…')}
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
        {named.map((entry, index) => (
          <Option
            key={JSON.stringify(entry.target)}
            entry={entry}
            index={index}
            isChosen={index === at}
            onTake={() => go(entry)}
          />
        ))}
        {people.length === 0 ? null : (
          <li role="group" aria-labelledby="palette-people">
            <p id="palette-people" className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
              {t('People')}
            </p>
            <ul role="none">
              {people.map((entry, index) => (
                <Option
                  key={JSON.stringify(entry.target)}
                  entry={entry}
                  index={named.length + index}
                  isChosen={named.length + index === at}
                  onTake={() => go(entry)}
                />
              ))}
            </ul>
          </li>
        )}
      </ul>
      {entries.length === 0 && !isReading ? (
        <p className="px-3 text-muted">{t('Nothing has this name.')}</p>
      ) : null}
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

const Option = ({
  entry,
  index,
  isChosen,
  onTake,
}: {
  entry: Entry;
  index: number;
  isChosen: boolean;
  onTake: () => void;
}): ReactNode => (
  // The keyboard reaches the options through the field above.
  // oxlint-disable-next-line jsx_a11y/click-events-have-key-events
  <li
    id={`palette-${index}`}
    role="option"
    aria-selected={isChosen}
    className="flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-3 py-1.5 hover:bg-raised aria-selected:bg-raised aria-selected:text-accent"
    onClick={onTake}
  >
    <span className="min-w-0 wrap-anywhere">{entry.name}</span>
    {entry.kind === undefined ? null : <span className="shrink-0 text-sm text-muted">{entry.kind}</span>}
  </li>
);
