import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { isMasked } from '../../api/secrets.ts';
import { sameJson } from '../../../../src/shared/same-json.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Badge, Card, ErrorNote } from '../../ui/page.tsx';
import { useVersionEdit } from './saving/use-version-edit.ts';
import { editInput, type VersionProps } from './types.ts';
import { ToolDialog } from './tool-dialog.tsx';
import {
  PHASES,
  textOf,
  toolsEdit,
  toolsOf,
  toolTitle,
  TYPE_NAMES,
  type Phase,
  type Tool,
  type ToolType,
} from './tool-draft.ts';
import { ToolTestDialog } from './tool-test-dialog.tsx';
import { t, within } from '../../words/words.ts';

const TITLES: Readonly<Record<Phase, readonly [title: string, intro: string]>> = {
  pre_call: ['Before the call', 'Requests in this order; their answers can fill variables.'],
  on_call: ['During the call', 'The assistant uses them when their words say so.'],
  post_call: ['After the call', 'Requests with the outcome, sent once each and retried.'],
};
type Open =
  | { readonly what: 'edit'; readonly phase: Phase; readonly index: number | null }
  | { readonly what: 'test'; readonly tool: Tool };

/** The tools of a version: requests before and after calls, and what the assistant can do during one. */
export function ToolsTab(target: VersionProps): ReactNode {
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <div className="flex flex-col gap-6">
      {PHASES.map((phase) => (
        <ToolList key={phase} target={target} phase={phase} onOpen={setOpen} />
      ))}
      {open?.what === 'edit' ? (
        <ToolDialog
          target={target}
          phase={open.phase}
          tools={toolsOf(target.version, open.phase)}
          index={open.index}
          onClose={close}
        />
      ) : null}
      {open?.what === 'test' ? <ToolTestDialog target={target} tool={open.tool} onClose={close} /> : null}
    </div>
  );
}

function ToolList({
  target,
  phase,
  onOpen,
}: {
  target: VersionProps;
  phase: Phase;
  onOpen: (open: Open) => void;
}): ReactNode {
  const tools = toolsOf(target.version, phase);
  const remove = useVersionEdit((_, version_id) => ({
    text: t('The tool is removed.'),
    // The service deletes secrets with the tool, and this page only has their masks.
    undo: isMasked(tools)
      ? undefined
      : () => call('editAgent', { ...editInput(target, toolsEdit(phase, tools)), version_id }),
  }));
  const [title, intro] = TITLES[phase];
  return (
    <Card title={title}>
      <div className="flex flex-col gap-4">
        <p className="-mt-2 text-sm text-muted">{t(intro)}</p>
        {remove.isError ? <ErrorNote error={remove.error} /> : null}
        {tools.length === 0 ? <p className="text-muted">{t('No tools.')}</p> : null}
        <ul className="flex flex-col gap-3" aria-label={t('Tools {title}', { title: within(t(title)) })}>
          {tools.map((tool, index) => {
            const name = toolTitle(tool);
            const others = tools.filter((_, at) => at !== index);
            const removal = toolsEdit(phase, others);
            return (
              <li
                key={name}
                className="flex flex-wrap items-start justify-between gap-3 rounded-md border border-line p-3"
              >
                <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
                  <p className="flex flex-wrap items-center gap-2 font-medium">
                    {name} <Badge>{t(TYPE_NAMES[tool['type'] as ToolType])}</Badge>
                  </p>
                  <p className="text-sm text-muted">{textOf(tool, 'description')}</p>
                  {tool['url'] === undefined ? null : (
                    <p className="font-mono text-xs text-muted">
                      {textOf(tool, 'method')} {textOf(tool, 'url')}
                    </p>
                  )}
                </div>
                {target.mayEdit ? (
                  <div className="flex flex-wrap gap-2">
                    {tool['type'] === 'API_TOOL' ? (
                      <Button
                        aria-label={t('Test {name}', { name })}
                        onClick={() => onOpen({ what: 'test', tool })}
                      >
                        {t('Test')}
                      </Button>
                    ) : null}
                    <Button
                      aria-label={t('Change {name}', { name })}
                      onClick={() => onOpen({ what: 'edit', phase, index })}
                    >
                      {t('Change')}
                    </Button>
                    <Button
                      aria-label={t('Remove {name}', { name })}
                      busy={remove.isPending}
                      onClick={() =>
                        remove.mutate({
                          edit: removal,
                          isMoved: (now) => !sameJson(toolsOf(now, phase), tools),
                        })
                      }
                    >
                      {t('Remove')}
                    </Button>
                    <CopyCurl
                      operation="editAgent"
                      input={editInput(target, removal)}
                      of={t('removal of {name}', { name })}
                    />
                  </div>
                ) : null}
              </li>
            );
          })}
        </ul>
        {target.mayEdit ? (
          <div>
            <Button
              aria-label={t('Add a tool {title}', { title: within(t(title)) })}
              onClick={() => onOpen({ what: 'edit', phase, index: null })}
            >
              {t('Add tool')}
            </Button>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
