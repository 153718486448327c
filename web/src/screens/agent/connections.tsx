import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import type { Version } from './agent-page.tsx';

const namesOf = (tools: readonly Record<string, unknown>[]): string =>
  tools.length === 0 ? 'None' : tools.map((tool) => String(tool['name'] ?? tool['type'])).join(', ');

/** What the version uses beside its instructions. */
export function Connections({ version }: { version: Version }): ReactNode {
  const subscriptions = version.event_subscriptions;
  return (
    <Card title="Connections">
      <dl className="flex flex-col gap-4">
        <div>
          <dt className="text-muted">Knowledge bases</dt>
          <dd>
            {version.knowledge_bases.length === 0
              ? 'None'
              : version.knowledge_bases.map((base) => base.knowledge_base_name).join(', ')}
          </dd>
        </div>
        <div>
          <dt className="text-muted">Tools before, during and after the call</dt>
          <dd>{namesOf(version.pre_call_tools)}</dd>
          <dd>{namesOf(version.on_call_tools)}</dd>
          <dd>{namesOf(version.post_call_tools)}</dd>
        </div>
        <div>
          <dt className="text-muted">Webhooks</dt>
          {subscriptions.length === 0 ? <dd>None</dd> : null}
          {subscriptions.map((subscription) => (
            <dd key={`${subscription.callback_url} ${subscription.event_type.join(' ')}`} className="mt-1">
              <span className="break-all">{subscription.callback_url}</span>
              <span className="block text-sm text-muted">{subscription.event_type.join(', ')}</span>
            </dd>
          ))}
        </div>
      </dl>
    </Card>
  );
}
