import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import type { VersionProps } from '../agent/types.ts';
import type { FlowDocument } from './flow-document.ts';
import { MovesList } from './moves-list.tsx';
import type { Row } from './outline-rows.ts';
import { reached } from './trace.ts';
import { t } from '../../words/words.ts';

type Run = Answer<'testAgent'>;

/** A conversation by text with the stored version. `onLit` gets the step that it has reached. */
export function TestPanel({
  target,
  flow,
  isChanged,
  onLit,
  onRow,
}: {
  target: VersionProps;
  flow: FlowDocument;
  /** The flow on the screen is not stored yet. */
  isChanged: boolean;
  onLit: (id: string | null) => void;
  onRow: (row: Row) => void;
}): ReactNode {
  const [run, setRun] = useState<Run | null>(null);
  const [turns, setTurns] = useState<Run['turns']>([]);
  const [words, setWords] = useState('');
  const test = useChange('testAgent');
  const moves = turns.flatMap((turn) => turn.flow_steps);
  const send = (input: Parameters<typeof test.mutate>[0], before: Run['turns']): void =>
    test.mutate(input, {
      onSuccess: (answer) => {
        const all = [...before, ...answer.turns];
        setRun(answer);
        setTurns(all);
        setWords('');
        onLit(
          reached(
            flow,
            all.flatMap((turn) => turn.flow_steps),
          ),
        );
      },
    });
  const start = (): void => send({ agent_id: target.agentId, version_id: target.version.version_id }, []);
  const say = (): void => {
    if (run !== null && words.trim() !== '' && !test.isPending)
      send({ agent_id: target.agentId, session_id: run.session_id, message: words }, turns);
  };
  return (
    <section aria-label={t('Test by text')} className="flex flex-col gap-3">
      {isChanged ? (
        <p className="text-sm text-muted">
          {t('The test follows the stored flow: save to try the changes.')}
        </p>
      ) : null}
      {test.isError ? <ErrorNote error={test.error} /> : null}
      <ol aria-label={t('Conversation')} className="flex flex-col gap-2 text-sm">
        {turns.map((turn, index) => (
          // Turns have no name of their own.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex flex-col gap-1 wrap-anywhere">
            {turn.message === null ? null : (
              <p className="self-end rounded-md bg-raised px-2 py-1">{turn.message}</p>
            )}
            <p className="whitespace-pre-line">{turn.reply}</p>
          </li>
        ))}
      </ol>
      {run === null || run.state !== 'open' ? (
        <div className="flex flex-wrap items-center gap-2">
          {run === null ? null : <Badge>{run.state === 'error' ? t('Error') : t('Ended')}</Badge>}
          <Button busy={test.isPending} onClick={start}>
            {run === null ? t('Start the conversation') : t('Start over')}
          </Button>
        </div>
      ) : (
        <>
          <TextField
            label={t('Your words')}
            value={words}
            maxLength={4096}
            autoComplete="off"
            onChange={(event) => setWords(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Enter would save the flow.
              event.preventDefault();
              event.stopPropagation();
              say();
            }}
          />
          <div>
            <Button busy={test.isPending} onClick={say}>
              {t('Send')}
            </Button>
          </div>
        </>
      )}
      <MovesList flow={flow} moves={moves} at={moves.length} onRow={onRow} />
    </section>
  );
}
