import type { ReactNode } from 'react';
import { Badge } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const HEALTH = {
  healthy: { tone: 'good', text: 'Responds' },
  suspect: { tone: 'warn', text: 'Left a probe or a call unanswered' },
  down: { tone: 'bad', text: 'Does not respond' },
} as const;

/** Null: not probed yet. */
export function GatewayHealth({ health }: { health: keyof typeof HEALTH | null }): ReactNode {
  if (health === null) return <Badge>{t('Not probed yet')}</Badge>;
  return <Badge tone={HEALTH[health].tone}>{t(HEALTH[health].text)}</Badge>;
}
