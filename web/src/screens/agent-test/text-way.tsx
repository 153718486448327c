import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { Button, CheckField, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { useFollow } from '../../ui/use-follow.ts';
import type { TestMove } from '../agent/test-state.ts';
import type { Conversation } from '../test-cases/proposal.ts';
import { SaveCase } from '../test-cases/save-case.tsx';
import { Turns } from './turns.tsx';
import type { Run, Turn } from './types.ts';
import { t } from '../../words/words.ts';

/** A conversation by text, message by message: what was said scrolls, the field to write in stays. */
export function TextWay({
  agentId,
  versionId,
  state,
  args,
  begins,
  onMoves,
}: {
  agentId: string;
  versionId: string;
  /** Names what is stored of the version: another one is not the one that the conversation began with. */
  state: string;
  /** Values of the variables. */
  args: Readonly<Record<string, string>>;
  /** Begins by itself. */
  begins: boolean;
  /** Gets every move through the flow so far. */
  onMoves: (moves: readonly TestMove[] | null) => void;
}): ReactNode {
  const [runsTools, setRunsTools] = useState(false);
  const [message, setMessage] = useState('');
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [run, setRun] = useState<Run | null>(null);
  /** What the conversation began with. */
  const [begun, setBegun] = useState({ args, state });
  const test = useChange('testAgent');
  const { ref: list, onScroll } = useFollow<HTMLDivElement>(turns.length);
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
  const send = (input: Input<'testAgent'>, before: readonly Turn[]): void =>
    test.mutate(input, {
      onSuccess: (answer) => {
        const all = [...before, ...answer.turns];
        setRun(answer);
        setTurns(all);
        setMessage(afterSending(message, ''));
        onMoves(all.flatMap((turn) => turn.flow_steps));
      },
    });
  const begin = (): void => {
    setBegun({ args, state });
    send(start, []);
  };
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!begins || hasBegun.current) return;
    hasBegun.current = true;
    begin();
  });
  const reset = (): void => {
    setRun(null);
    setTurns([]);
    setMessage('');
    test.reset();
    onMoves(null);
  };
  const isOpen = run?.state === 'open';
  return (
    <div className="flex min-h-0 grow flex-col gap-3">
      <div
        ref={list}
        role="group"
        aria-label={t('What was said')}
        tabIndex={0}
        className="min-h-24 grow overflow-y-auto"
        onScroll={onScroll}
      >
        {run === null ? (
          <p className="text-sm text-muted">
            {t(
              'The assistant speaks first, then answers each message. No phone rings, and nothing is charged.',
            )}
          </p>
        ) : (
          <Turns turns={turns} />
        )}
      </div>
      {run?.state === 'error' ? (
        <p role="alert" className="text-bad wrap-anywhere">
          <Badge tone="bad">{t('Error')}</Badge> {run.error?.message}
        </p>
      ) : run?.state === 'closed' ? (
        <p>
          <Badge>{t('Ended')}</Badge> {t('The assistant ended the conversation.')}
        </p>
      ) : isOpen && begun.state !== state ? (
        <p role="status" className="text-sm text-warn">
          {t('This conversation began before the last change. Start over to test it.')}
        </p>
      ) : null}
      {test.isError ? <ErrorNote error={test.error} /> : null}
      {isOpen ? (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (message.trim() !== '') send(next, turns);
          }}
        >
          <div className="min-w-0 grow">
            <TextField
              label={t('Your words')}
              value={message}
              maxLength={4096}
              autoComplete="off"
              onChange={(event) => setMessage(event.target.value)}
            />
          </div>
          <Button type="submit" look="primary" busy={test.isPending} disabled={message.trim() === ''}>
            {t('Send')}
          </Button>
        </form>
      ) : null}
      <div className="shrink-0">
        <CheckField
          label={t('Run the tools for real; otherwise they only show what they would get')}
          checked={runsTools}
          onChange={(event) => setRunsTools(event.target.checked)}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        {run === null ? (
          <Button look="primary" busy={test.isPending} onClick={begin}>
            {t('Start the conversation')}
          </Button>
        ) : (
          <>
            <Button onClick={reset}>{t('Start over')}</Button>
            <SaveCase agentId={agentId} conversation={conversationOf(begun.args, turns)} />
          </>
        )}
        <CopyCurl operation="testAgent" input={isOpen ? next : start} />
      </div>
    </div>
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
