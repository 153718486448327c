import { useState, type ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Badge, Card, ErrorNote } from '../../ui/page.tsx';
import { Turns } from './turns.tsx';

type Run = Answer<'testAgent'>;
export type Turn = Run['turns'][number];

/** A conversation by text: variables first, then message by message. */
export function TextPanel({
  agentId,
  versionId,
  variables,
}: {
  agentId: string;
  versionId: string;
  variables: readonly string[];
}): ReactNode {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [runsTools, setRunsTools] = useState(false);
  const [message, setMessage] = useState('');
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [run, setRun] = useState<Run | null>(null);
  const test = useChange('testAgent');
  const start: Input<'testAgent'> = {
    agent_id: agentId,
    version_id: versionId,
    run_tools: runsTools,
    custom_args_values: Object.fromEntries(
      variables.flatMap((name) => {
        const value = values[name] ?? '';
        return value === '' ? [] : [[name, value]];
      }),
    ),
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
      label="Run the tools for real; otherwise they only show what they would get"
      checked={runsTools}
      onChange={(event) => setRunsTools(event.target.checked)}
    />
  );
  if (run === null) {
    return (
      <Card title="By text">
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            send(start);
          }}
        >
          <p className="-mt-2 text-sm text-muted">Values that a call would bring. Empty ones are not sent.</p>
          <div className="grid gap-3 sm:grid-cols-2">
            {variables.map((name) => (
              <TextField
                key={name}
                label={name}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            ))}
          </div>
          {tools}
          {test.isError ? <ErrorNote error={test.error} /> : null}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" busy={test.isPending}>
              Start the conversation
            </Button>
            <CopyCurl operation="testAgent" input={start} />
          </div>
        </form>
      </Card>
    );
  }
  return (
    <Card title="By text">
      <div className="flex flex-col gap-4">
        <Turns turns={turns} />
        {run.state === 'closed' ? (
          <p>
            <Badge>Ended</Badge> The assistant ended the conversation.
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
              label="Your words"
              value={message}
              maxLength={4096}
              autoComplete="off"
              onChange={(event) => setMessage(event.target.value)}
            />
            {tools}
            <div className="flex flex-wrap gap-2">
              <Button type="submit" look="primary" busy={test.isPending} disabled={message.trim() === ''}>
                Send
              </Button>
              <CopyCurl operation="testAgent" input={next} />
            </div>
          </form>
        )}
        {test.isError ? <ErrorNote error={test.error} /> : null}
        <div>
          <Button onClick={reset}>Start over</Button>
        </div>
      </div>
    </Card>
  );
}
