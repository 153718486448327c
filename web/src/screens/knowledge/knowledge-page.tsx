import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { formatNumber, Time } from '../../ui/format.tsx';
import { IngestionState } from '../../parts/ingestion-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { CreateKnowledge } from './create-knowledge.tsx';
import { t } from '../../words/words.ts';

type Base = Answer<'listKnowledgeBases'>[number];

const COLUMNS: readonly Column<Base>[] = [
  {
    title: 'Name',
    cell: (base) => (
      <Link
        to="/knowledge/$kbId"
        params={{ kbId: base.kb_id }}
        className="font-medium wrap-anywhere text-accent"
      >
        {base.kb_name}
      </Link>
    ),
  },
  { title: 'Reading', cell: (base) => <IngestionState status={base.processing_status} /> },
  { title: 'Search by meaning', cell: (base) => <IngestionState status={base.embedding_status} /> },
  { title: 'Files', cell: (base) => formatNumber(base.files_count), isNumber: true },
  { title: 'Pages', cell: (base) => formatNumber(base.urls_count), isNumber: true },
  { title: 'Questions', cell: (base) => formatNumber(base.faqs_count), isNumber: true },
  { title: 'Changed', cell: (base) => <Time iso={base.updated_at} isBrief /> },
];

/** The knowledge bases of the workspace, and a new one. */
export function KnowledgePage(): ReactNode {
  const mayChange = useMay('manager');
  const list = useRead('listKnowledgeBases', {});
  return (
    <Page
      title={t('Knowledge bases')}
      intro={t('Documents, web pages and questions with answers that assistants search during a call.')}
    >
      <Loaded read={list}>
        {(bases) =>
          bases.length === 0 ? (
            <EmptyState title={t('No knowledge bases yet')} icon="book-open">
              {t(
                'Assistants answer from their instructions alone. Add prices, opening times or a handbook, then attach the knowledge base to an assistant.',
              )}
            </EmptyState>
          ) : (
            <Table
              caption={t('Knowledge bases')}
              columns={COLUMNS}
              rows={bases}
              keyOf={(base) => base.kb_id}
            />
          )
        }
      </Loaded>
      {mayChange ? <CreateKnowledge /> : null}
    </Page>
  );
}
