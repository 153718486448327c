import { useMemo, useState, type ReactNode } from 'react';
import { t } from '../words/words.ts';
import { addressOf, matching, sectionsOf, type ApiDocument } from './operations.ts';

const SECTION =
  'flex min-h-7.5 items-center justify-between gap-2 rounded-md px-2 text-sm text-ink no-underline max-lg:min-h-10 hover:bg-raised';
const ENTRY =
  'block rounded-md px-2 py-1 pl-5 text-sm text-muted no-underline hover:bg-raised hover:text-ink';

/** The sections of the reference; while the reader searches, with the operations that have the words. */
export function SideList({ spec, onChoose }: { spec: ApiDocument | null; onChoose: () => void }): ReactNode {
  const [search, setSearch] = useState('');
  const sections = useMemo(() => (spec === null ? [] : sectionsOf(spec)), [spec]);
  const found = matching(sections, search);
  const isSearching = search.trim() !== '';
  return (
    <>
      <input
        type="search"
        aria-label={t('Find an operation')}
        placeholder={t('Find an operation')}
        className="min-h-control w-full rounded-md border border-line bg-surface px-2.5 text-ink placeholder:text-muted"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <nav aria-label={t('Main')} className="flex flex-col gap-px lg:min-h-0 lg:grow lg:overflow-y-auto">
        {found.map(({ name, operations }) => (
          <div key={name} lang="en">
            <a href={addressOf(name)} className={SECTION} onClick={onChoose}>
              {name}
              <span className="text-xs text-muted">{operations.length}</span>
            </a>
            {isSearching
              ? operations.map(({ id, summary, path }) => (
                  <a key={id} href={addressOf(name, id)} className={ENTRY} title={path} onClick={onChoose}>
                    {summary}
                  </a>
                ))
              : null}
          </div>
        ))}
        {isSearching && found.length === 0 ? (
          <p role="status" className="px-2 text-sm text-muted">
            {t('No operation has these words.')}
          </p>
        ) : null}
      </nav>
    </>
  );
}
