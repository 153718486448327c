import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useMays } from '../session/session.ts';
import { Strip } from '../ui/strip.tsx';
import { PLACES, placeOf } from './places.ts';
import { t } from '../words/words.ts';

const TAB =
  'shrink-0 border-b-2 border-transparent py-2 max-sm:py-2.5 text-muted no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink';
const ENTRY =
  'shrink-0 rounded-md px-2.5 py-1.5 max-xl:py-2.5 text-muted no-underline hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-ink';

/** The content of a page with the navigation of its section: a list at the side for settings, tabs above elsewhere. */
export function WithSection({ path, children }: { path: string; children: ReactNode }): ReactNode {
  const may = useMays();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const open = bar.current?.querySelector('[aria-current=page]');
    // On a tablet the bar is one line that scrolls; on a phone the strip does this itself.
    open?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  const place = placeOf(path);
  const section = place?.to === '/numbers' ? 'numbers' : place?.section;
  const isList = section === 'settings';
  if (!isList && section !== 'developers' && section !== 'numbers') return children;
  const places = PLACES.filter((each) => each.section === section && may[each.role]);
  const look = isList ? ENTRY : TAB;
  const nav = (
    <nav
      ref={bar}
      aria-label={t('Section')}
      className={
        isList
          ? 'px-1.5 pt-4 pb-1 sm:overflow-x-auto sm:px-4.5 xl:sticky xl:top-0 xl:w-44 xl:shrink-0 xl:self-start xl:overflow-visible xl:pt-17 xl:pr-0 xl:pl-6'
          : 'mx-auto w-full max-w-page border-b border-line px-4 sm:overflow-x-auto sm:px-7'
      }
    >
      <Strip chosen={path}>
        <div className={`flex max-sm:w-max ${isList ? 'gap-0.5 xl:flex-col' : 'gap-x-6'}`}>
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
        </div>
      </Strip>
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
