import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { IngestionState } from '../../parts/ingestion-state.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Base } from './types.ts';
import { t } from '../../words/words.ts';

interface Source {
  readonly id: string;
  readonly kind: 'files' | 'urls' | 'faqs';
  readonly name: string;
  readonly note: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly error: string | null;
  readonly chunks: number;
  readonly updated_at: string;
  readonly embedding_status: 'pending' | 'completed' | 'failed' | null;
  readonly embedding_error: string | null;
}
const KINDS = { files: 'File', urls: 'Web page', faqs: 'Question' } as const;

const kilobytes = (bytes: number | null): string =>
  bytes === null ? '' : `${formatNumber(Math.max(1, Math.round(bytes / 1000)))} kB`;

const sourcesOf = (base: Base): Source[] => [
  ...base.files.map((file) => ({
    ...file,
    kind: 'files' as const,
    note: [file.format, kilobytes(file.size_bytes)].filter(Boolean).join(', '),
  })),
  ...base.urls.map((page) => ({
    ...page,
    kind: 'urls' as const,
    name: page.url,
    note: '',
  })),
  ...base.faqs.map((faq) => ({
    kind: 'faqs' as const,
    name: faq.question,
    note: faq.answer,
    ...faq,
    status: 'completed' as const,
    error: null,
  })),
];

/** Every source with the state of its ingestion, and its removal. */
export function SourceTables({ base }: { base: Base }): ReactNode {
  const mayChange = useMay('manager');
  const remove = useChange('changeKnowledgeBase', ['getKnowledgeBase', 'listKnowledgeBases']);
  const rows = sourcesOf(base);
  const columns: readonly Column<Source>[] = [
    { title: 'Kind', cell: (source) => t(KINDS[source.kind]) },
    {
      title: 'Name',
      cell: (source) => (
        <>
          <span className="wrap-anywhere">{source.name}</span>
          {source.note === '' ? null : (
            <span className="block max-w-prose text-sm wrap-anywhere text-muted">{source.note}</span>
          )}
        </>
      ),
    },
    {
      title: 'State',
      cell: (source) => (
        <>
          <IngestionState status={source.status} />
          {source.error === null ? null : (
            <span className="block text-sm wrap-anywhere text-bad">
              {source.error}
              {source.status === 'failed' && source.kind === 'files'
                ? ` ${t('Remove it, and add the file again.')}`
                : ''}
            </span>
          )}
        </>
      ),
    },
    {
      title: 'Passages',
      cell: (source) =>
        source.chunks === 0 ? (
          '–'
        ) : (
          <Link
            to="/knowledge/$kbId"
            params={{ kbId: base.kb_id }}
            search={{ source: source.id }}
            aria-label={t('Passages of {name}: {passages}', { name: source.name, passages: source.chunks })}
            className="text-accent underline"
          >
            {formatNumber(source.chunks)}
          </Link>
        ),
      isNumber: true,
    },
    { title: 'Read', cell: (source) => <Time iso={source.updated_at} isBrief /> },
    {
      title: 'Search by meaning',
      cell: (source) => (
        <>
          <IngestionState status={source.embedding_status} />
          {source.embedding_error === null ? null : (
            <span className="block text-sm wrap-anywhere text-bad">{source.embedding_error}</span>
          )}
        </>
      ),
    },
    ...(mayChange
      ? [
          {
            title: 'Action',
            cell: (source: Source) => {
              const input = { form: removal(base.kb_id, source) };
              return (
                <RowActions>
                  {source.status === 'failed' && source.kind === 'urls' ? (
                    <Button
                      aria-label={t('Read {name} again', { name: source.name })}
                      busy={remove.isPending}
                      onClick={() => remove.mutate({ form: anew(base.kb_id, source) })}
                    >
                      {t('Try again')}
                    </Button>
                  ) : null}
                  <Button
                    aria-label={t('Remove {name}', { name: source.name })}
                    onClick={() => remove.mutate(input)}
                  >
                    {t('Remove')}
                  </Button>
                  <CopyCurl
                    operation="changeKnowledgeBase"
                    input={input}
                    of={t('removal of {name}', { name: source.name })}
                  />
                </RowActions>
              );
            },
          },
        ]
      : []),
  ];
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{t('Sources')}</h2>
      {remove.isError ? <ErrorNote error={remove.error} /> : null}
      {rows.length === 0 ? (
        <p className="text-muted">{t('None yet: searches find nothing.')}</p>
      ) : (
        <Table caption={t('Sources')} columns={columns} rows={rows} keyOf={(source) => source.id} />
      )}
    </section>
  );
}

/** The same page as a new source in place of the failed one. */
function anew(kbId: string, source: Source): FormData {
  const form = removal(kbId, source);
  form.append('new_urls', JSON.stringify([source.name]));
  return form;
}

function removal(kbId: string, { kind, id }: Source): FormData {
  const form = new FormData();
  form.append('kb_id', kbId);
  form.append(`${kind}_to_remove`, JSON.stringify([id]));
  return form;
}
