import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Card } from '../../ui/page.tsx';

const LINK = 'text-accent underline';

/** What a new workspace still needs for its first call; nothing once a call was placed. */
export function FirstSteps(): ReactNode {
  const isOwner = useMay('owner');
  const numbers = useRead('listNumbers', {});
  const agents = useRead('listAgents', { limit: 1 });
  const calls = useRead('listCalls', { limit: 1 });
  const key = useRead('getApiKey', {}, { enabled: isOwner });
  if (!numbers.isSuccess || !agents.isSuccess || !calls.isSuccess || calls.data.total > 0) return null;
  const steps: { isDone: boolean; text: ReactNode }[] = [
    {
      isDone: numbers.data.workspace_numbers.length > 0,
      text: (
        <>
          A{' '}
          <Link to="/numbers" className={LINK}>
            number
          </Link>{' '}
          that your calls show. The operator adds numbers and trunks in the provision file.
        </>
      ),
    },
    {
      isDone: agents.data.data.agents.length > 0,
      text: (
        <>
          An{' '}
          <Link to="/agents" className={LINK}>
            assistant
          </Link>{' '}
          that talks.
        </>
      ),
    },
    ...(isOwner
      ? [
          {
            isDone: key.data?.api_key != null,
            text: (
              <>
                An{' '}
                <Link to="/settings/api-key" className={LINK}>
                  API key
                </Link>{' '}
                for your programs.
              </>
            ),
          },
        ]
      : []),
    {
      isDone: false,
      text: (
        <>
          A first call: open an{' '}
          <Link to="/agents" className={LINK}>
            assistant
          </Link>{' '}
          and choose Call, or call a list with a{' '}
          <Link to="/campaigns/new" className={LINK}>
            campaign
          </Link>
          .
        </>
      ),
    },
  ];
  return (
    <Card title="First steps">
      <ol className="flex flex-col gap-2">
        {steps.map(({ isDone, text }, index) => (
          // The steps never change their order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex gap-3">
            <span aria-hidden="true" className={isDone ? 'text-good' : 'text-muted'}>
              {isDone ? '✓' : '○'}
            </span>
            <span>
              <span className="sr-only">{isDone ? 'Done: ' : 'To do: '}</span>
              {text}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
