import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import { TestCall } from '../playground/test-call.tsx';
import type { VersionProps } from './types.ts';

/** A test call in the browser. */
export const BrowserCard = ({ agentId, version }: VersionProps): ReactNode => (
  <Card title="Test call">
    <TestCall agentId={agentId} versionId={version.version_id} />
  </Card>
);
