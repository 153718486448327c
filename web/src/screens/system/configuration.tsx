import { Fragment, useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formatCount } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { useIsSmall } from '../../ui/use-is-small.ts';
import { matches } from './setting-filter.ts';
import { meaningOf, useMeanings } from './setting-meaning.ts';
import { t } from '../../words/words.ts';

type Setting = Answer<'getConfiguration'>['settings'][number];

const SOURCES = { default: 'Default', environment: 'Environment', file: 'File' } as const;

/** So many stand on a phone or tablet until the reader searches or asks for all. */
const FIRST = 20;

/** A name of several words, which may wrap behind each underscore. */
const breakable = (name: string): ReactNode =>
  name.split(/(?<=_)/).map((word, index) => (
    <Fragment key={`${index} ${word}`}>
      {index === 0 ? null : <wbr />}
      {word}
    </Fragment>
  ));

const COLUMNS: readonly Column<Setting>[] = [
  {
    title: 'Setting',
    cell: (row) => (
      <code className="block font-mono text-sm wrap-anywhere sm:min-w-40 @3xl:whitespace-nowrap">
        {breakable(row.name)}
      </code>
    ),
  },
  {
    title: 'Value',
    cell: (row) =>
      row.is_secret ? (
        <Badge tone={row.is_set ? 'good' : 'neutral'}>{row.is_set ? t('Set') : t('Not set')}</Badge>
      ) : row.value === null || row.value === '' ? (
        <span className="text-muted">{t('Not set')}</span>
      ) : (
        <code className="font-mono text-sm wrap-anywhere">{row.value}</code>
      ),
  },
  {
    title: 'Source',
    cell: (row) => (
      <Badge tone={row.source === 'default' ? 'neutral' : 'accent'}>{t(SOURCES[row.source])}</Badge>
    ),
  },
  {
    title: 'Meaning',
    cell: (row) => <span className="block max-w-prose text-sm text-muted">{row.description}</span>,
  },
];

/** The settings of the process that answers; of secrets, only whether they are set. */
export function Configuration(): ReactNode {
  const read = useRead('getConfiguration', {});
  const [words, setWords] = useState('');
  const [isChangedOnly, setChangedOnly] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const isSmall = useIsSmall();
  const meanings = useMeanings();
  const isShort = isSmall && !isWhole && words === '' && !isChangedOnly;
  if (read.isError) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  return (
    <Section>
      <Loaded read={read}>
        {({ settings }) => {
          if (meanings === null) return <Loading />;
          const shown = settings
            .map((each) => ({ ...each, description: meaningOf(meanings, each.description) }))
            .filter((each) => matches(each, words, isChangedOnly));
          return (
            <div className="flex flex-col gap-3">
              <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
                <TextField
                  label={t('Find a setting')}
                  type="search"
                  value={words}
                  onChange={(event) => setWords(event.target.value)}
                />
                <div className="pb-1.5">
                  <CheckField
                    label={t('Changed from its default')}
                    checked={isChangedOnly}
                    onChange={(event) => setChangedOnly(event.target.checked)}
                  />
                </div>
                <span role="status" className="pb-1.5 text-sm text-muted">
                  {formatCount(shown.length, 'setting')}
                </span>
              </div>
              {shown.length === 0 ? (
                <p className="text-muted">{t('No setting matches.')}</p>
              ) : (
                <Table
                  caption={t('Settings')}
                  columns={COLUMNS}
                  rows={isShort ? shown.slice(0, FIRST) : shown}
                  keyOf={({ name }) => name}
                />
              )}
              {isShort && shown.length > FIRST ? (
                <Button onClick={() => setWhole(true)}>{t('Show all')}</Button>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Section({ children }: { children: ReactNode }): ReactNode {
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-base font-semibold">{t('Configuration')}</h2>
          <p className="max-w-3xl text-pretty text-muted">
            {t(
              'In force in the process that answers; a change takes a restart. Secrets never leave the server.',
            )}
          </p>
        </div>
        <CopyCurl operation="getConfiguration" input={{}} />
      </div>
      {children}
    </section>
  );
}
