import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMays } from '../session/session.ts';
import { PLACES, placeOf } from './places.ts';
import { t } from '../words/words.ts';

const TAB =
  'border-b-2 border-transparent px-1 py-2 text-muted no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink';
const ENTRY =
  'rounded-md px-2.5 py-1.5 text-muted no-underline hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-ink';

/** The content of a page with the navigation of its section: a list at the side for settings, tabs above elsewhere. */
export function WithSection({ path, children }: { path: string; children: ReactNode }): ReactNode {
  const may = useMays();
  const place = placeOf(path);
  const section = place?.to === '/numbers' ? 'numbers' : place?.section;
  const isList = section === 'settings';
  if (!isList && section !== 'developers' && section !== 'numbers') return children;
  const places = PLACES.filter((each) => each.section === section && may[each.role]);
  const look = isList ? ENTRY : TAB;
  const nav = (
    <nav
      aria-label={t('Section')}
      className={
        isList
          ? 'flex flex-wrap gap-0.5 px-3 pt-4 sm:px-6 xl:sticky xl:top-0 xl:w-44 xl:shrink-0 xl:flex-col xl:self-start xl:pt-17 xl:pr-0'
          : 'mx-auto flex w-full max-w-page flex-wrap gap-x-5 border-b border-line px-4 sm:px-7'
      }
    >
      {section === 'numbers' ? (
        <Link to="/numbers" className={look}>
          {t('All numbers')}
        </Link>
      ) : null}
      {places.map(({ to, name }) => (
        <Link key={to} to={to} className={look}>
          {t(name)}
        </Link>
      ))}
      {section === 'developers' ? (
        <a href="/docs" className={look}>
          {t('API reference')}
        </a>
      ) : null}
    </nav>
  );
  if (!isList) {
    return (
      <>
        {nav}
        {children}
      </>
    );
  }
  return (
    <div className="xl:flex">
      {nav}
      <div className="min-w-0 grow">{children}</div>
    </div>
  );
}
