import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useContext, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { patient } from '../../api/patient.ts';
import { Button, CheckField } from '../../ui/controls.tsx';
import { Loading } from '../../ui/page.tsx';
import type { VersionProps } from '../agent/types.ts';
import { TestMoves } from '../agent/test-state.ts';
import { toolTitle } from '../agent/tool-draft.ts';
import { CallPanel } from './call-panel.tsx';
import { EdgeForm } from './edge-form.tsx';
import { CheckState, type FlowCheck } from './flow-check.tsx';
import { FindField } from './find-field.tsx';
import { STEP_KINDS, stepsIn, type FlowDocument } from './flow-document.ts';
import type { Command } from './outline-keys.ts';
import { Outline } from './outline.tsx';
import { MovesList } from './moves-list.tsx';
import { KIND_NAMES } from './step-fields.ts';
import { StepForm } from './step-form.tsx';
import { NO_TRACE, reached, type Trace } from './trace.ts';
import type { FlowEditor } from './use-flow-editor.ts';
import { VariablesForm } from './variables-form.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Focus = 'tree' | 'form' | 'name';
type Side = 'form' | 'call';
const SIDES: Readonly<Record<Side, string>> = {
  form: 'Form',
  call: 'Call',
};

const GraphView = lazyRouteComponent(
  patient(() => import('./graph-view.tsx')),
  'GraphView',
);

/** The outline or graph of a flow beside the form of the selected step or edge. */
export function OutlinePanel({
  view,
  target,
  flow,
  editor,
  check,
  callId,
}: {
  view: 'outline' | 'graph';
  target: VersionProps;
  flow: FlowDocument;
  editor: FlowEditor;
  check: FlowCheck;
  /** A finished call to show over the flow. */
  callId: string | null;
}): ReactNode {
  const { row, edit, select } = editor;
  const tree = useRef<HTMLUListElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<{ readonly on: Focus } | null>(null);
  useEffect(() => {
    if (focus === null) return;
    if (focus.on === 'tree') tree.current?.focus();
    else {
      const part = focus.on === 'name' ? '[data-name]' : '[data-main]';
      form.current?.querySelector<HTMLElement>(`${part} :is(input, textarea, select)`)?.focus();
    }
  }, [focus]);
  const [side, setSide] = useState<Side>(callId === null ? 'form' : 'call');
  /** The step that the shown moves of a finished call lead to. */
  const [replayed, setReplayed] = useState<string | null>(null);
  const moves = useContext(TestMoves);
  const lit = side === 'call' ? replayed : moves === null ? null : reached(flow, moves);
  const [isCounted, setIsCounted] = useState(false);
  const counted = useRead(
    'getFlowCounts',
    { agent_id: target.agentId, version_id: target.version.version_id },
    { enabled: isCounted },
  );
  const counts = isCounted ? (counted.data ?? null) : null;
  const trace: Trace = lit === null && counts === null ? NO_TRACE : { lit, counts };
  const sides: readonly Side[] = callId === null ? ['form'] : ['form', 'call'];
  const run = (command: Command): void => {
    if (command.does === 'select') select(command.row);
    else if (command.does === 'undo') editor.undo();
    else if (command.does === 'redo') editor.redo();
    else if (command.does === 'edit') {
      edit(command.edit);
      const isNew = command.edit.does === 'add' || command.edit.does === 'add_edge';
      if (isNew) {
        setSide('form');
        setFocus({ on: 'form' });
      }
    } else {
      setSide('form');
      setFocus({ on: command.does });
    }
  };
  const onFormKey = (event: KeyboardEvent): void => {
    const isLine = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    if (event.key !== 'Escape' && !(event.key === 'Enter' && isLine)) return;
    // Enter in a field would save the flow.
    event.preventDefault();
    setFocus({ on: 'tree' });
  };
  const steps = stepsIn(flow);
  const variables = (flow.variables ?? []).map(({ name }) => name);
  const { on_call_tools: tools, knowledge_bases: bases, language } = target.version;
  const offers = {
    variables,
    language,
    tools: tools.map(toolTitle),
    bases: bases.map(({ knowledge_base_id: id, knowledge_base_name: name }) => ({ id, name })),
  };
  const props = { flow, edit, mayEdit: target.mayEdit, offers, check };
  const shown = steps[row.step];
  return (
    <div
      className={`grid items-start gap-6 ${view === 'graph' ? '@2xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]' : '@2xl:grid-cols-2'}`}
    >
      <div className="flex min-w-0 flex-col gap-3">
        {steps.length === 0 ? (
          <p className="text-sm text-muted">{t('No steps yet. Without a flow the instructions lead.')}</p>
        ) : (
          <CheckState check={check} ids={new Set(steps.map(({ id }) => id))} />
        )}
        {steps.length === 0 ? null : (
          <CheckField
            label={
              counts === null
                ? t('Show where calls of the last 30 days went')
                : t('Show where calls of the last 30 days went: {calls} counted', { calls: counts.calls })
            }
            checked={isCounted}
            onChange={(event) => setIsCounted(event.target.checked)}
          />
        )}
        {steps.length === 0 ? null : (
          <FindField flow={flow} from={row.step} onFound={(step) => select({ step, edge: null })} />
        )}
        {view === 'graph' ? (
          <Suspense fallback={<Loading shape="cards" />}>
            <GraphView
              agentId={target.agentId}
              flow={flow}
              row={row}
              check={check}
              trace={trace}
              onRow={select}
            />
          </Suspense>
        ) : (
          <Outline
            flow={flow}
            row={row}
            check={check}
            trace={trace}
            mayEdit={target.mayEdit}
            treeRef={tree}
            onRow={select}
            onCommand={run}
          />
        )}
        {target.mayEdit ? (
          <KeyHelp
            steps={steps.length}
            onAdd={(kind) =>
              run({ does: 'edit', edit: { does: 'add', kind, after: steps.length === 0 ? null : row.step } })
            }
          />
        ) : null}
      </div>
      <div ref={form} className="flex min-w-0 flex-col gap-4" onKeyDown={onFormKey}>
        {sides.length === 1 || shown === undefined ? null : (
          <div role="group" aria-label={t('Beside the flow')} className="flex flex-wrap gap-2">
            {sides.map((each) => (
              <Button
                key={each}
                look={each === side ? 'primary' : 'plain'}
                aria-pressed={each === side}
                onClick={() => {
                  setSide(each);
                  setReplayed(null);
                }}
              >
                {t(SIDES[each])}
              </Button>
            ))}
          </div>
        )}
        {moves === null || side === 'call' ? null : (
          <section aria-label={t('Moves of the test')} className="flex flex-col gap-2">
            <h3 className="text-sm font-semibold">{t('Moves of the test')}</h3>
            <MovesList flow={flow} moves={moves} at={moves.length} onRow={select} />
          </section>
        )}
        {side === 'call' && callId !== null ? (
          <CallPanel callId={callId} flow={flow} onLit={setReplayed} onRow={select} />
        ) : shown === undefined ? null : (
          <section
            aria-label={
              row.edge === null
                ? t('Step {value}', { value: shown.id })
                : t('Edge of {value}', { value: shown.id })
            }
          >
            <h3 className="mb-3 text-sm font-semibold">
              {row.edge === null ? t('Step') : t('Edge of')} <code className="font-mono">{shown.id}</code>
            </h3>
            {row.edge === null ? (
              <StepForm key={`${row.step} ${shown.type}`} {...props} place={row.step} />
            ) : (
              <EdgeForm key={`${row.step} ${row.edge}`} {...props} place={row.step} at={row.edge} />
            )}
            {target.mayEdit ? (
              <div className="mt-4 flex flex-wrap gap-2">
                {row.edge === null ? (
                  <Button
                    onClick={() =>
                      run({
                        does: 'edit',
                        edit: { does: 'add_edge', step: row.step, to: (steps[row.step + 1] ?? shown).id },
                      })
                    }
                  >
                    {t('Add an edge')}
                  </Button>
                ) : null}
                <Button
                  look="danger"
                  onClick={() => {
                    edit(
                      row.edge === null
                        ? { does: 'delete', step: row.step }
                        : { does: 'delete_edge', step: row.step, edge: row.edge },
                    );
                    setFocus({ on: 'tree' });
                  }}
                >
                  {row.edge === null ? t('Delete the step') : t('Delete the edge')}
                </Button>
              </div>
            ) : null}
          </section>
        )}
        <VariablesForm flow={flow} edit={edit} mayEdit={target.mayEdit} />
      </div>
    </div>
  );
}

/** Adds a step of each kind, and names the keys of the outline. */
function KeyHelp({
  steps,
  onAdd,
}: {
  steps: number;
  onAdd: (kind: (typeof STEP_KINDS)[number]) => void;
}): ReactNode {
  return (
    <div className="flex flex-col gap-2">
      <div
        role="group"
        aria-label={steps === 0 ? t('Add the first step') : t('Add a step after this one')}
        className="flex flex-wrap gap-2"
      >
        {STEP_KINDS.map((kind, at) => (
          <Button key={kind} onClick={() => onAdd(kind)}>
            <span>
              {t(KIND_NAMES[kind])} <kbd className="text-xs text-muted">{at + 1}</kbd>
            </span>
          </Button>
        ))}
      </div>
      <p className="text-sm text-muted">
        {rich(
          'In the outline: numbers add a step, {kbd} an edge; {kbd2} opens the form and {kbd3} leaves it; {kbd4} renames, {kbd5} deletes, {kbd6} with an arrow moves; {kbd7} and {kbd8} undo and redo.',
          {
            kbd: <kbd>e</kbd>,
            kbd2: <kbd>{t('Enter')}</kbd>,
            kbd3: <kbd>Escape</kbd>,
            kbd4: <kbd>F2</kbd>,
            kbd5: <kbd>Delete</kbd>,
            kbd6: <kbd>Alt</kbd>,
            kbd7: <kbd>{t('Ctrl')} Z</kbd>,
            kbd8: <kbd>{t('Ctrl')} Y</kbd>,
          },
        )}
      </p>
    </div>
  );
}
