import type { ReactNode } from 'react';
import { sameJson } from '../../../../src/shared/same-json.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { CopyCurl, SelectField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { FailedFields } from './edit-card.tsx';
import { useVersionEdit } from './saving/use-version-edit.ts';
import { editInput, type VersionProps } from './types.ts';
import { OtherToolForm } from './other-tool-form.tsx';
import { RequestToolForm } from './request-tool-form.tsx';
import {
  requestDraft,
  requestTool,
  toolsEdit,
  toolsOf,
  toolTitle,
  TYPE_NAMES,
  type Phase,
  type Tool,
  type ToolType,
} from './tool-draft.ts';
import { t } from '../../words/words.ts';

const TYPES = Object.keys(TYPE_NAMES) as ToolType[];

/** Adds a tool to a list, or changes the one at `index`. */
export function ToolDialog({
  target,
  phase,
  tools,
  index,
  onClose,
}: {
  target: VersionProps;
  phase: Phase;
  tools: readonly Tool[];
  /** Null: a new tool. */
  index: number | null;
  onClose: () => void;
}): ReactNode {
  const before = index === null ? { type: 'API_TOOL' } : (tools[index] ?? { type: 'API_TOOL' });
  const form = useDraft(
    { type: before.type as ToolType, request: requestDraft(before), other: before },
    t('Tool {phase} {index}', { phase, index: index === null ? 'new' : toolTitle(before) }),
    'Tool',
  );
  const { set } = form;
  const { type, request, other } = form.draft;
  const save = useVersionEdit(() => {
    form.stored();
    return t('The tool is saved.');
  });
  const tool = type === 'API_TOOL' ? requestTool(request, phase) : cleaned({ ...other, type });
  const next = index === null ? [...tools, tool] : tools.map((each, at) => (at === index ? tool : each));
  const edit = toolsEdit(phase, next);
  return (
    <Dialog title={index === null ? t('New tool') : t('Change the tool')} isWide onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(
            { edit, isMoved: (now) => !sameJson(toolsOf(now, phase), tools) },
            {
              onSuccess: () => {
                form.done();
                onClose();
              },
            },
          );
        }}
      >
        <DraftNotice form={form} lost="Secret values of headers are not kept: write them again." />
        {phase === 'on_call' && index === null ? (
          <SelectField
            label={t('What the tool does')}
            value={type}
            onChange={(event) => {
              set({ type: event.target.value as ToolType, other: { type: event.target.value } });
            }}
          >
            {TYPES.map((each) => (
              <option key={each} value={each}>
                {t(TYPE_NAMES[each])}
              </option>
            ))}
          </SelectField>
        ) : null}
        {type === 'API_TOOL' ? (
          <RequestToolForm
            draft={request}
            phase={phase}
            set={(change) => set({ request: { ...request, ...change } })}
          />
        ) : (
          <OtherToolForm key={type} tool={{ ...other, type }} onChange={(next) => set({ other: next })} />
        )}
        {save.isError ? <FailedFields error={save.error} /> : null}
        <DialogActions
          action={t('Save tool')}
          isBusy={save.isPending}
          curl={<CopyCurl operation="editAgent" input={editInput(target, edit)} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** Without the empty lines of a list that is being typed. */
function cleaned(tool: Tool): Tool {
  const { allowed_tools: allowed, ...rest } = tool;
  if (!Array.isArray(allowed)) return rest;
  const names = (allowed as string[]).map((name) => name.trim()).filter((name) => name !== '');
  return names.length === 0 ? rest : { ...rest, allowed_tools: names };
}
