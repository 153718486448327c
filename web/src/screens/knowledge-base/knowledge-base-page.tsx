import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { IngestionState, SourcesState } from '../../parts/ingestion-state.tsx';
import { Card, ErrorNote, Facts, Loading, Page } from '../../ui/page.tsx';
import { AddSources } from './add-sources.tsx';
import { AttachHere } from './attach-here.tsx';
import { ChunkViewer } from './chunk-viewer.tsx';
import { SourceTables } from './source-tables.tsx';
import { TestSearch, type Found } from './test-search.tsx';
import type { Base } from './types.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** One knowledge base: its sources and how far their ingestion is, a test search, and the assistants that use it. */
export function KnowledgeBasePage(): ReactNode {
  const { kbId } = useParams({ from: '/app/knowledge/$kbId' });
  const base = useRead('getKnowledgeBase', { kb_id: kbId });
  if (base.isPending) {
    return (
      <Page title={t('Knowledge base')}>
        <Loading />
      </Page>
    );
  }
  if (base.isError) {
    return (
      <Page title={t('Knowledge base')}>
        <ErrorNote error={base.error} retry={() => void base.refetch()} />
      </Page>
    );
  }
  return <Details base={base.data} />;
}

function Details({ base }: { base: Base }): ReactNode {
  const mayChange = useMay('manager');
  const navigate = useNavigate();
  const remove = useChange('deleteKnowledgeBase', ['listKnowledgeBases']);
  const { source, chunk } = useSearch({ from: '/app/knowledge/$kbId' });
  const [isDeleting, setIsDeleting] = useState(false);
  const [found, setFound] = useState<readonly Found[]>([]);
  const input = { kb_id: base.kb_id };
  return (
    <Page
      title={base.kb_name}
      intro={
        <SourcesState
          status={base.processing_status}
          sources={[...base.files, ...base.urls, ...base.faqs.map(() => ({ status: 'completed' as const }))]}
        />
      }
      actions={
        mayChange ? (
          <Button look="danger" onClick={() => setIsDeleting(true)}>
            {t('Delete')}
          </Button>
        ) : null
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <TestSearch kbId={base.kb_id} onFound={setFound} />
        <Card title={t('Overview')}>
          <Facts
            rows={[
              ['Created', <Time key="created" iso={base.created_at} />],
              ['Changed', <Time key="changed" iso={base.updated_at} />],
              ['Search by meaning', <IngestionState key="meaning" status={base.embedding_status} />],
              ['Used by', <Users key="users" base={base} />],
            ]}
          />
          {mayChange ? <AttachHere base={base} /> : null}
        </Card>
      </div>
      <SourceTables base={base} />
      {source === undefined ? null : (
        <ChunkViewer
          key={`${source} ${chunk}`}
          kbId={base.kb_id}
          sourceId={source}
          position={chunk ?? null}
          found={found}
          onClose={() => void navigate({ to: '/knowledge/$kbId', params: { kbId: base.kb_id }, search: {} })}
        />
      )}
      {mayChange ? <AddSources kbId={base.kb_id} /> : null}
      {isDeleting ? (
        <ConfirmDialog
          title={t('Delete {kbName}', { kbName: base.kb_name })}
          action={t('Delete the knowledge base')}
          isBusy={remove.isPending}
          error={remove.error}
          curl={<CopyCurl operation="deleteKnowledgeBase" input={input} />}
          onClose={() => {
            remove.reset();
            setIsDeleting(false);
          }}
          onConfirm={() => remove.mutate(input, { onSuccess: () => void navigate({ to: '/knowledge' }) })}
        >
          {base.agents.length === 0 ? (
            t('Its files, pages and questions are deleted with it.')
          ) : (
            <>
              {rich('Assistants use it: {users}. Remove it from all of their versions first.', {
                users: <Users base={base} />,
              })}
            </>
          )}
        </ConfirmDialog>
      ) : null}
    </Page>
  );
}

function Users({ base }: { base: Base }): ReactNode {
  if (base.agents.length === 0) {
    return <span className="text-muted">{t('No assistant yet')}</span>;
  }
  return base.agents.map((agent, index) => (
    <span key={agent.agent_id}>
      {index === 0 ? '' : ', '}
      <Link to="/agents/$agentId" params={{ agentId: agent.agent_id }} className="text-accent underline">
        {agent.agent_display_name}
      </Link>
    </span>
  ));
}
