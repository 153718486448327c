import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { FlowTemplate } from '../../../../src/shared/flow-templates/template.ts';
import { useRead } from '../../api/queries.ts';
import { Button, buttonClass } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { CallDialogLoader as CallDialog } from '../agent/call-dialog-loader.tsx';
import { TestCall } from '../agent-test/test-call.tsx';
import { firstValues } from './templates.ts';
import { t } from '../../words/words.ts';

/** The assistant that the steps before created. */
export interface Made {
  readonly agentId: string;
  readonly name: string;
  /** Absent: a model wrote it. */
  readonly template: FlowTemplate | undefined;
}
/** The built-in carrier answers it, and says yes. */
const TEST_CALLEE = '+14155550123';

/** Ways to talk with the new assistant: by phone, through the microphone, by text. */
export function TryAssistant({ made }: { made: Made }): ReactNode {
  const { agentId, name, template } = made;
  const [ringing, setRinging] = useState<string | null>(null);
  const agent = useRead('getAgent', { agent_id: agentId });
  const values = firstValues(template);
  // Without a number of a carrier only the built-in one answers.
  const hasCarrier = useRead('listTrunks', {}).data?.trunks.some(({ kind }) => kind !== 'test') === true;
  return (
    <>
      <Card title={t('{name} is ready', { name })}>
        <div className="grid gap-4 lg:grid-cols-3">
          <Way title={t('Ring me')} text={t('It calls your phone. That needs a number of a carrier.')}>
            <Button look={hasCarrier ? 'primary' : 'plain'} onClick={() => setRinging('')}>
              <Icon name="phone-call" />
              {t('Ring me')}
            </Button>
            <Button look={hasCarrier ? 'plain' : 'primary'} onClick={() => setRinging(TEST_CALLEE)}>
              {t('Watch a test call')}
            </Button>
          </Way>
          <Way title={t('Talk here')} text={t('Through the microphone of this computer.')}>
            <Loaded read={agent}>
              {({ agents }) => (
                <TestCall agentId={agentId} versionId={agents.active_agent_version_id} args={values} />
              )}
            </Loaded>
          </Way>
          <Way title={t('Write with it')} text={t('Chat by text and see each decision of the assistant.')}>
            <Link
              to="/agents/$agentId"
              params={{ agentId }}
              search={{ test: true }}
              className={buttonClass()}
            >
              {t('Open the test')}
            </Link>
          </Way>
        </div>
      </Card>
      <p className="flex flex-wrap gap-x-4 text-muted">
        <Link to="/agents/$agentId" params={{ agentId }} className="text-accent underline">
          {t('Change what it says')}
        </Link>
        <Link to="/campaigns/new" className="text-accent underline">
          {t('Call a list with it')}
        </Link>
      </p>
      {ringing === null ? null : (
        <CallDialog
          agentId={agentId}
          begin={{ ...values, mobile_number: ringing }}
          isAnyTime
          onClose={() => setRinging(null)}
        />
      )}
    </>
  );
}

const Way = ({ title, text, children }: { title: string; text: string; children: ReactNode }): ReactNode => (
  <section className="flex flex-col gap-3 rounded-md border border-line p-4">
    <div>
      <h3 className="font-medium">{title}</h3>
      <p className="text-muted">{text}</p>
    </div>
    <div className="flex flex-wrap gap-2">{children}</div>
  </section>
);
