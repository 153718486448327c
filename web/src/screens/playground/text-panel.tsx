import { useState, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Badge, Card, ErrorNote } from '../../ui/page.tsx';
import type { Conversation } from '../test-cases/proposal.ts';
import { SaveCase } from '../test-cases/save-case.tsx';
import { Turns } from './turns.tsx';
import type { Run, Turn } from './types.ts';
import { t } from '../../words/words.ts';

/** A conversation by text, message by message. */
export function TextPanel({
  agentId,
  versionId,
  args,
}: {
  agentId: string;
  versionId: string;
  /** Values of the variables. */
  args: Readonly<Record<string, string>>;
}): ReactNode {
  const [runsTools, setRunsTools] = useState(false);
  const [message, setMessage] = useState('');
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [run, setRun] = useState<Run | null>(null);
  /** The values that the conversation began with. */
  const [begun, setBegun] = useState(args);
  const test = useChange('testAgent');
  const start: Input<'testAgent'> = {
    agent_id: agentId,
    version_id: versionId,
    run_tools: runsTools,
    custom_args_values: { ...args },
  };
  const next: Input<'testAgent'> = {
    agent_id: agentId,
    session_id: run?.session_id ?? '',
    message,
    run_tools: runsTools,
  };
  const send = (input: Input<'testAgent'>): void =>
    test.mutate(input, {
      onSuccess: (answer) => {
        setRun(answer);
        setTurns((before) => [...before, ...answer.turns]);
        setMessage('');
      },
    });
  const reset = (): void => {
    setRun(null);
    setTurns([]);
    setMessage('');
    test.reset();
  };
  const tools = (
    <CheckField
      label={t('Run the tools for real; otherwise they only show what they would get')}
      checked={runsTools}
      onChange={(event) => setRunsTools(event.target.checked)}
    />
  );
  if (run === null) {
    return (
      <Card title={t('By text')}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            setBegun(args);
            send(start);
          }}
        >
          <p className="-mt-2 text-sm text-muted">
            {t('The assistant speaks first, then answers each message.')}
          </p>
          {tools}
          {test.isError ? <ErrorNote error={test.error} /> : null}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" busy={test.isPending}>
              {t('Start the conversation')}
            </Button>
            <CopyCurl operation="testAgent" input={start} />
          </div>
        </form>
      </Card>
    );
  }
  return (
    <Card title={t('By text')}>
      <div className="flex flex-col gap-4">
        <Turns turns={turns} />
        {run.state === 'error' ? (
          <p role="alert" className="text-bad wrap-anywhere">
            <Badge tone="bad">{t('Error')}</Badge> {run.error?.message}
          </p>
        ) : run.state === 'closed' ? (
          <p>
            <Badge>{t('Ended')}</Badge> {t('The assistant ended the conversation.')}
          </p>
        ) : (
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              if (message.trim() !== '') send(next);
            }}
          >
            <TextField
              label={t('Your words')}
              value={message}
              maxLength={4096}
              autoComplete="off"
              onChange={(event) => setMessage(event.target.value)}
            />
            {tools}
            <div className="flex flex-wrap gap-2">
              <Button type="submit" look="primary" busy={test.isPending} disabled={message.trim() === ''}>
                {t('Send')}
              </Button>
              <CopyCurl operation="testAgent" input={next} />
            </div>
          </form>
        )}
        {test.isError ? <ErrorNote error={test.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button onClick={reset}>{t('Start over')}</Button>
          <SaveCase agentId={agentId} conversation={conversationOf(begun, turns)} />
        </div>
      </div>
    </Card>
  );
}

const conversationOf = (
  variables: Readonly<Record<string, string>>,
  turns: readonly Turn[],
): Conversation => ({
  name: '',
  variables,
  lines: turns.flatMap(({ message }) => (message === null ? [] : [message])),
  tools: turns.flatMap(({ tool_calls: calls }) => calls),
  end: turns.at(-1)?.end_reason ?? null,
});
