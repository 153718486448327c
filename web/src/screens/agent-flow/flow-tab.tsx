import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useDraft } from '../../drafts/use-draft.ts';
import { Button, TextArea } from '../../ui/controls.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { EditCard } from '../agent/edit-card.tsx';
import type { VersionProps } from '../agent/types.ts';
import { useFlowCheck, type FlowCheck } from './flow-check.tsx';
import { flowText, MOST_BYTES, readFlowText } from './flow-text.ts';
import { OutlinePanel } from './outline-panel.tsx';
import { StepsList } from './steps-list.tsx';
import { useFlowEditor, type FlowEditor } from './use-flow-editor.ts';
import { useNewest } from '../../ui/use-newest.ts';
import { t } from '../../words/words.ts';

const VIEWS = { outline: 'Outline', graph: 'Graph', json: 'JSON' } as const;
type View = keyof typeof VIEWS;

/** The flow of a version as an outline with forms, or as its document, with what the check finds at each step. */
export function FlowTab(target: VersionProps): ReactNode {
  const stored = target.version.flow;
  const form = useDraft(flowText(stored), 'Flow');
  const editor = useFlowEditor(form);
  const check = useFlowCheck(target, editor.flow);
  const { call } = useSearch({ from: '/app/agents/$agentId' });
  const [view, setView] = useState<View>(call === undefined ? 'outline' : 'graph');
  return (
    <EditCard
      title={t('Flow')}
      intro={t('The fixed steps of a conversation. Without a flow the instructions lead.')}
      target={target}
      edit={{ operation: 'edit_flow', flow: editor.flow }}
      before={{ operation: 'edit_flow', flow: stored }}
      form={form}
      documentOf={(text) => readFlowText(text).flow}
      problem={editor.problem}
    >
      {(errorOf) => (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <div role="group" aria-label={t('View of the flow')} className="flex gap-2">
              {(Object.keys(VIEWS) as View[]).map((each) => (
                <Button
                  key={each}
                  look={each === view ? 'primary' : 'plain'}
                  aria-pressed={each === view}
                  onClick={() => setView(each)}
                >
                  {t(VIEWS[each])}
                </Button>
              ))}
            </div>
            {target.mayEdit ? (
              <div className="flex gap-2">
                <Button disabled={!editor.mayUndo} onClick={editor.undo}>
                  {t('Undo')}
                </Button>
                <Button disabled={!editor.mayRedo} onClick={editor.redo}>
                  {t('Redo')}
                </Button>
              </div>
            ) : null}
            <FileButtons text={form.draft} mayEdit={target.mayEdit} onLoad={(text) => editor.write(text)} />
          </div>
          {view === 'json' ? (
            <JsonView
              text={form.draft}
              target={target}
              editor={editor}
              check={check}
              error={errorOf('flow')}
            />
          ) : editor.document === null ? (
            <p className="text-sm text-bad">
              {t(
                'The outline cannot show this document: its nodes need texts as id and type, and its edges one as to. The view JSON shows it.',
              )}
            </p>
          ) : (
            <OutlinePanel
              view={view}
              target={target}
              flow={editor.document}
              editor={editor}
              check={check}
              callId={call ?? null}
            />
          )}
        </>
      )}
    </EditCard>
  );
}

function JsonView({
  text,
  target,
  editor,
  check,
  error,
}: {
  text: string;
  target: VersionProps;
  editor: FlowEditor;
  check: FlowCheck;
  error: string | undefined;
}): ReactNode {
  return (
    <div className="grid items-start gap-6 @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <TextArea
        label={t('Document of the flow')}
        hint={t('JSON, as the API takes it. Empty: no flow.')}
        rows={24}
        spellCheck={false}
        value={text}
        readOnly={!target.mayEdit}
        error={error}
        onChange={(event) => editor.write(event.target.value, 'json')}
      />
      <StepsList flow={editor.flow} check={check} />
    </div>
  );
}

/** Reads the document from a file, and saves it as one. */
function FileButtons({
  text,
  mayEdit,
  onLoad,
}: {
  text: string;
  mayEdit: boolean;
  onLoad: (text: string) => void;
}): ReactNode {
  const [chosen, setChosen] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  const beginRead = useNewest();
  const load = async (file: File): Promise<void> => {
    const isNewest = beginRead();
    const isTooLarge = file.size > MOST_BYTES;
    setRefused(
      isTooLarge
        ? t('{name} has more than 64 kB, the most that a flow may have.', { name: file.name })
        : null,
    );
    const read = isTooLarge ? null : await file.text();
    if (!isNewest()) return;
    if (read !== null) onLoad(read);
    setChosen(chosen + 1);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {mayEdit ? (
        <label className="min-w-0 text-sm">
          {t('Import a file')}{' '}
          <input
            key={chosen}
            type="file"
            className="max-w-full max-sm:min-h-control file:mr-3 file:min-h-7 file:rounded-sm file:border-0 file:bg-raised file:px-3 file:text-ink"
            accept=".json,application/json"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file !== undefined) void load(file);
            }}
          />
        </label>
      ) : null}
      <Button
        disabled={text === ''}
        onClick={() => saveFile(new Blob([text], { type: 'application/json' }), 'flow.json')}
      >
        {t('Export the flow')}
      </Button>
      {refused === null ? null : (
        <p role="alert" className="text-sm text-bad">
          {refused}
        </p>
      )}
    </div>
  );
}
