import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import { TestCall } from '../playground/test-call.tsx';
import type { VersionProps } from './types.ts';
import { t } from '../../words/words.ts';

/** A test call in the browser. */
export const BrowserCard = ({ agentId, version }: VersionProps): ReactNode => (
  <Card title={t('Test call')}>
    <TestCall agentId={agentId} versionId={version.version_id} />
  </Card>
);
