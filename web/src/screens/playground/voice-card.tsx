import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { Agent, Version } from '../agent/types.ts';
import { CallDialogLoader } from '../agent/call-dialog-loader.tsx';
import { TestCall } from './test-call.tsx';
import { t } from '../../words/words.ts';

/** Talks to the assistant: through the microphone, or on a phone. */
export function VoiceCard({
  agent,
  version,
  args,
}: {
  agent: Agent;
  version: Version;
  args: Readonly<Record<string, string>>;
}): ReactNode {
  const [isDialling, setIsDialling] = useState(false);
  const active = agent.version_details[agent.active_agent_version_id];
  const mayDial = agent.agent_type === 'outbound' || agent.agent_type === 'outbound_inbound';
  return (
    <Card title={t('By voice')}>
      <div className="flex flex-col gap-4">
        <p className="-mt-2 text-sm text-muted">
          {t('Talk to it through the microphone of this computer. It is charged as a call.')}
        </p>
        <TestCall agentId={agent.id} versionId={version.version_id} args={args} />
        {mayDial ? (
          <div className="flex flex-col items-start gap-2 border-t border-line pt-4">
            <p className="text-sm text-muted">
              {t('Or let it call a phone. On the phone the active version speaks{active}.', {
                active:
                  active === undefined || active === version
                    ? ''
                    : t(', which is {versionSlug}', { versionSlug: active.version_slug }),
              })}
            </p>
            <Button onClick={() => setIsDialling(true)}>{t('Call a phone')}</Button>
          </div>
        ) : null}
        {isDialling ? (
          <CallDialogLoader agentId={agent.id} begin={args} onClose={() => setIsDialling(false)} />
        ) : null}
      </div>
    </Card>
  );
}
