import type { ReactNode } from 'react';
import { formatCount } from '../ui/format.tsx';
import { Badge } from '../ui/page.tsx';
import { t } from '../words/words.ts';

const STATES = {
  pending: { tone: 'warn', name: 'In progress' },
  completed: { tone: 'good', name: 'Done' },
  partial: { tone: 'warn', name: 'Partly done' },
  failed: { tone: 'bad', name: 'Failed' },
} as const;

/** How the sources of a knowledge base stand: a failed one leaves a gap that "Done" would hide. */
export function SourcesState({
  status,
  sources,
}: {
  status: keyof typeof STATES;
  sources: readonly { readonly status: keyof typeof STATES }[];
}): ReactNode {
  const failed = sources.filter((source) => source.status === 'failed').length;
  if (status === 'pending' || failed === 0) return <IngestionState status={status} />;
  const isAll = failed === sources.length;
  return (
    <Badge tone={isAll ? 'bad' : 'warn'}>
      {isAll
        ? t('Every source failed')
        : t('{failed} of {sources} failed', { failed, sources: formatCount(sources.length, 'source') })}
    </Badge>
  );
}

/** How far the ingestion or embedding of knowledge is; null: there is none. */
export function IngestionState({ status }: { status: keyof typeof STATES | null }): ReactNode {
  if (status === null) return <span className="text-muted">–</span>;
  const { tone, name } = STATES[status];
  return <Badge tone={tone}>{t(name)}</Badge>;
}
