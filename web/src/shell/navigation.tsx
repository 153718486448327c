import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMays } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';
import { PlaceCount } from './place-count.tsx';
import { PLACES, placeOf, SECTIONS } from './places.ts';

const ITEM =
  'flex min-h-7.5 items-center gap-2.5 rounded-md px-2 text-sm text-ink no-underline max-lg:min-h-10 hover:bg-raised aria-[current=page]:bg-accent-tint aria-[current=page]:font-medium aria-[current=page]:text-accent [&>svg]:text-muted aria-[current=page]:[&>svg]:text-accent';
const GROUPS = [
  { section: 'now', title: null },
  { section: 'build', title: 'Build' },
  { section: 'reach', title: 'Reach' },
] as const;

/** The main screens in three groups, then the sections with pages of their own. */
export function Navigation({ path }: { path: string }): ReactNode {
  const may = useMays();
  const open = placeOf(path);
  return (
    <nav aria-label={t('Main')} className="flex flex-col gap-px lg:min-h-0 lg:grow lg:overflow-y-auto">
      {GROUPS.map(({ section, title }) => (
        <div key={section} className="flex flex-col gap-px">
          {title === null ? null : <h2 className="mt-4 mb-1 px-2 text-xs text-muted">{t(title)}</h2>}
          {PLACES.flatMap((place) =>
            place.section === section && may[place.role]
              ? [
                  <Link
                    key={place.to}
                    to={place.to}
                    className={ITEM}
                    activeOptions={{ exact: place.to === '/' }}
                    {...(place.to === '/numbers' && open?.section === 'numbers'
                      ? { 'aria-current': 'page' as const }
                      : {})}
                  >
                    <Icon name={place.icon} />
                    {t(place.name)}
                    <PlaceCount to={place.to} />
                  </Link>,
                ]
              : [],
          )}
        </div>
      ))}
      <div className="mt-4 flex flex-col gap-px">
        {SECTIONS.map(({ section, name, icon }) => {
          const first = PLACES.find((place) => place.section === section && may[place.role]);
          if (first === undefined) return null;
          return (
            <Link
              key={section}
              to={first.to}
              className={ITEM}
              activeProps={{}}
              aria-current={open?.section === section ? 'page' : undefined}
            >
              <Icon name={icon} />
              {t(name)}
            </Link>
          );
        })}
      </div>
    </nav>
  );
}
