import type { ReactNode } from 'react';
import type { Answer } from '../api/client.ts';
import { Badge } from '../ui/page.tsx';
import { t } from '../words/words.ts';

export type Trunk = Answer<'listTrunks'>['trunks'][number];

/** Whether a trunk can take calls now; nothing where the process that serves the page does not probe it. */
export function TrunkHealth({ trunk }: { trunk: Trunk }): ReactNode {
  if (!trunk.enabled) return <Badge>{t('Out of service')}</Badge>;
  return (
    <>
      {trunk.registered === null ? null : trunk.registered ? (
        <Badge tone="good">{t('Registered')}</Badge>
      ) : (
        <Badge tone="bad">{t('Not registered')}</Badge>
      )}
      {trunk.reachable === null ? null : trunk.reachable ? (
        <Badge tone="good">{t('Responds')}</Badge>
      ) : (
        <Badge tone="bad">{t('Does not respond')}</Badge>
      )}
      {trunk.paused_until === null ? null : <Badge tone="warn">{t('Paused')}</Badge>}
    </>
  );
}
