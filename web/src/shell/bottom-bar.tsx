import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';

const ITEM =
  'flex grow basis-0 flex-col items-center gap-0.5 py-2 text-center text-xs text-muted no-underline aria-[current=page]:text-accent';

/** On a phone: the screens that people open most, within reach of the thumb, and the whole navigation. */
export function BottomBar({ isOpen, onMenu }: { isOpen: boolean; onMenu: () => void }): ReactNode {
  return (
    <nav
      aria-label={t('Most used')}
      className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-side sm:hidden"
    >
      <Link to="/" className={ITEM} activeOptions={{ exact: true }}>
        <Icon name="house" />
        {t('Home')}
      </Link>
      <Link to="/live" className={ITEM}>
        <Icon name="radio" />
        {t('Live calls')}
      </Link>
      <Link to="/calls" className={ITEM}>
        <Icon name="phone" />
        {t('Calls')}
      </Link>
      <button type="button" className={ITEM} aria-expanded={isOpen} onClick={onMenu}>
        <Icon name="menu" />
        {t('More')}
      </button>
    </nav>
  );
}
