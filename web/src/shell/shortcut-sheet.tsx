import type { ReactNode } from 'react';
import { useMays } from '../session/session.ts';
import { Button, CheckField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { usePreference } from '../ui/preferences.ts';
import { PLACES } from './places.ts';
import { t } from '../words/words.ts';

const KEYS = [
  [['Ctrl', 'K'], 'Go to a screen, a call, a number or an assistant'],
  [['/'], 'Search in the list of the screen'],
  [['j'], 'Next row of a table'],
  [['k'], 'Previous row of a table'],
  [['Enter'], 'Open the row'],
  [['z'], 'Undo the change that a message offers to undo'],
  [['F8'], 'Go to the messages'],
  [['Esc'], 'Close a dialog or a message'],
  [['?'], 'Show this sheet'],
] as const satisfies readonly (readonly [keys: readonly string[], does: string])[];

const KEY =
  'inline-block min-w-6 rounded border border-line bg-raised px-1.5 text-center font-sans text-xs leading-5';
const Keys = ({ keys }: { keys: readonly string[] }): ReactNode => (
  <span className="flex gap-1">
    {keys.map((key) => (
      <kbd key={key} className={KEY}>
        {t(key)}
      </kbd>
    ))}
  </span>
);

function List({ rows }: { rows: readonly (readonly [keys: readonly string[], does: string])[] }): ReactNode {
  return (
    <dl className="grid grid-cols-[5.5rem_1fr] gap-x-3 gap-y-1.5 text-sm">
      {rows.map(([keys, does]) => (
        <div key={does} className="contents">
          <dt>
            <Keys keys={keys} />
          </dt>
          <dd>{t(does)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Every shortcut, and the switches for readers whom they disturb. */
export function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  const may = useMays();
  const [isOff, setOff] = usePreference('no-shortcuts');
  const [stays, setStays] = usePreference('keep-messages');
  const places = PLACES.filter(({ role }) => may[role]).map(
    ({ key, name }) => [['g', key], t(name)] as const,
  );
  return (
    <Dialog title={t('Keyboard shortcuts')} isWide onClose={onClose}>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <section>
          <h3 className="mb-2 text-sm font-medium text-muted">{t('Everywhere')}</h3>
          <List rows={KEYS} />
          <div className="mt-5 flex flex-col gap-2 border-t border-line pt-4 text-sm">
            <CheckField
              label={t('Shortcuts of single keys')}
              checked={!isOff}
              onChange={({ target }) => setOff(!target.checked)}
            />
            <CheckField
              label={t('Messages stay until I close them')}
              checked={stays}
              onChange={({ target }) => setStays(target.checked)}
            />
            <p className="text-muted">
              {t('This browser keeps both. In a field, keys only type. Ctrl K, F8 and Esc always work.')}
            </p>
          </div>
        </section>
        <section>
          <h3 className="mb-2 text-sm font-medium text-muted">
            {t('One key after the other opens a screen')}
          </h3>
          <List rows={places} />
        </section>
      </div>
      <div className="mt-5 flex justify-end">
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}
