import type { ReactNode } from 'react';
import { Badge } from './page.tsx';

const STATES = {
  pending: { tone: 'warn', name: 'In progress' },
  completed: { tone: 'good', name: 'Done' },
  failed: { tone: 'bad', name: 'Failed' },
} as const;

/** How far the ingestion or embedding of knowledge is; null: there is none. */
export function IngestionState({ status }: { status: keyof typeof STATES | null }): ReactNode {
  if (status === null) return <span className="text-muted">–</span>;
  const { tone, name } = STATES[status];
  return <Badge tone={tone}>{name}</Badge>;
}
