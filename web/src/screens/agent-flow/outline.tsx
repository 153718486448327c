import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { Badge } from '../../ui/page.tsx';
import { CheckNotes, type FlowCheck } from './flow-check.tsx';
import { edgesIn, stepsIn, type FlowDocument, type Step } from './flow-document.ts';
import { stepsOf, wayOf } from './flow-text.ts';
import { commandOf, type Command } from './outline-keys.ts';
import { countOf, endsAt, type Trace } from './trace.ts';
import { isSameRow, type Row } from './outline-rows.ts';
import { t } from '../../words/words.ts';

const SELECTED = 'bg-raised outline-2 -outline-offset-2 outline-accent';

/** The steps of a flow with their edges as a tree that keys move through and change. */
export function Outline({
  flow,
  row,
  check,
  trace,
  mayEdit,
  treeRef,
  onRow,
  onCommand,
}: {
  flow: FlowDocument;
  row: Row;
  check: FlowCheck;
  trace: Trace;
  mayEdit: boolean;
  treeRef: RefObject<HTMLUListElement | null>;
  onRow: (row: Row) => void;
  onCommand: (command: Command) => void;
}): ReactNode {
  const id = useId();
  const steps = stepsIn(flow);
  const rowId = ({ step, edge }: Row): string => `${id}-${step}${edge === null ? '' : `-${edge}`}`;
  const active = rowId(row);
  const wasShown = useRef(false);
  useEffect(() => {
    // The page does not scroll to the outline when it opens.
    if (wasShown.current) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
    wasShown.current = true;
  }, [active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const press = {
      key: event.key,
      ctrl: event.ctrlKey || event.metaKey,
      alt: event.altKey,
      shift: event.shiftKey,
    };
    const command = commandOf(flow, row, press, mayEdit);
    if (command === null) return;
    event.preventDefault();
    onCommand(command);
  };
  return (
    <ul
      ref={treeRef}
      role="tree"
      tabIndex={0}
      aria-label={t('Steps of the flow')}
      aria-activedescendant={steps.length === 0 ? undefined : active}
      className="flex max-h-[75vh] min-h-24 flex-col gap-1 overflow-y-auto rounded-md border border-line p-1 text-sm"
      onKeyDown={onKeyDown}
    >
      {steps.map((step, index) => (
        <StepItem
          // Two steps may have one id while someone types.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          step={step}
          place={index}
          isStart={step.id === flow.start}
          isGlobal={index >= flow.nodes.length}
          row={row}
          rowId={rowId}
          check={check}
          trace={trace}
          onRow={onRow}
        />
      ))}
    </ul>
  );
}

function StepItem({
  step,
  place,
  isStart,
  isGlobal,
  row,
  rowId,
  check,
  trace,
  onRow,
}: {
  step: Step;
  place: number;
  isStart: boolean;
  isGlobal: boolean;
  row: Row;
  rowId: (row: Row) => string;
  check: FlowCheck;
  trace: Trace;
  onRow: (row: Row) => void;
}): ReactNode {
  const own: Row = { step: place, edge: null };
  const { words = null } = stepsOf({ nodes: [step] })[0] ?? {};
  const isSelected = isSameRow(row, own);
  return (
    <li
      id={rowId(own)}
      role="treeitem"
      aria-level={1}
      aria-selected={isSelected}
      aria-expanded={edgesIn(step).length > 0 ? true : undefined}
      aria-labelledby={`${rowId(own)}-label`}
      className="wrap-anywhere"
    >
      <div
        id={`${rowId(own)}-label`}
        className={`rounded-sm px-2 py-1.5 ${isSelected ? SELECTED : ''}`}
        onClick={() => onRow(own)}
      >
        <span className="flex flex-wrap items-center gap-2">
          <code className="font-mono font-medium">{step.id}</code>
          <Badge>{step.type}</Badge>
          {isStart ? <Badge tone="accent">{t('start')}</Badge> : null}
          {isGlobal ? <Badge>{t('at any time')}</Badge> : null}
          {trace.lit === step.id ? <Badge tone="good">{t('the conversation is here')}</Badge> : null}
          {trace.counts === null || endsAt(trace.counts, step.id) === 0 ? null : (
            <span className="text-muted">
              {t('{counts} calls ended here', { counts: endsAt(trace.counts, step.id) })}
            </span>
          )}
        </span>
        {words === null || words === '' ? null : <span className="mt-0.5 line-clamp-2 block">{words}</span>}
        <CheckNotes check={check} fits={(node) => node === step.id} />
      </div>
      {edgesIn(step).length === 0 ? null : (
        <ul role="group" className="ml-5 border-l border-line pl-1">
          {edgesIn(step).map((edge, at) => {
            const edgeRow: Row = { step: place, edge: at };
            const isHere = isSameRow(row, edgeRow);
            return (
              <li
                // Edges have no name of their own.
                // oxlint-disable-next-line react/no-array-index-key
                key={at}
                id={rowId(edgeRow)}
                role="treeitem"
                aria-level={2}
                aria-selected={isHere}
                className={`rounded-sm px-2 py-1 text-muted ${isHere ? SELECTED : ''}`}
                onClick={() => onRow(edgeRow)}
              >
                {wayOf(edge)}
                {trace.counts === null ? null : ` · ${countOf(trace.counts, step.id, edge)}`}
              </li>
            );
          })}
        </ul>
      )}
    </li>
  );
}
