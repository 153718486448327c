import type { ReactNode } from 'react';
import { call, type Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import type { Form } from '../../drafts/use-draft.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import type { VersionProps } from './types.ts';

type WithoutIds<E> = E extends unknown ? Omit<E, 'agent_id' | 'version_id'> : never;
/** One operation of `editAgent` with its fields. */
export type Edit = WithoutIds<Input<'editAgent'>>;

/** The edit as the request for one version. */
export const editInput = ({ agentId, version }: VersionProps, edit: Edit): Input<'editAgent'> => ({
  ...edit,
  agent_id: agentId,
  version_id: version.version_id,
});

/** A card whose form saves one operation. `problem` keeps it from being sent. */
export function EditCard<T>({
  title,
  intro,
  target,
  edit,
  instead,
  before,
  form,
  problem,
  children,
}: {
  title: string;
  intro?: ReactNode;
  target: VersionProps;
  edit: Edit;
  /** The request that saves it instead, where `editAgent` takes no such value. */
  instead?: Input<'updateAgent'> | undefined;
  /** The edit that restores what is stored now; the saved change can then be undone. */
  before?: Edit;
  form: Form<T>;
  problem?: string | undefined;
  /** The fields; `errorOf` gives what the service says about one. */
  children: (errorOf: (field: string) => string | undefined) => ReactNode;
}): ReactNode {
  const save = useChange('editAgent', ['getAgent', 'listAgents'], () => {
    form.stored();
    return {
      text: `${title}: saved.`,
      undo: before === undefined ? undefined : () => call('editAgent', editInput(target, before)),
    };
  });
  const update = useChange('updateAgent', ['getAgent', 'listAgents'], () => {
    form.stored();
    return `${title}: saved.`;
  });
  const input = editInput(target, edit);
  const failure = instead === undefined ? save.error : update.error;
  return (
    <Card title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (instead === undefined) save.mutate(input, { onSuccess: form.saved });
          else update.mutate(instead, { onSuccess: form.saved });
        }}
      >
        {intro === undefined ? null : <p className="-mt-2 text-sm text-muted">{intro}</p>}
        <DraftNotice form={form} />
        {children((field) => failure?.fields.get(field))}
        {target.mayEdit ? (
          <>
            {failure === null ? null : <FailedFields error={failure} />}
            {problem === undefined ? null : <p className="text-sm text-bad">{problem}</p>}
            <div className="flex min-h-9 flex-wrap items-center gap-2">
              <Button
                type="submit"
                look="primary"
                busy={save.isPending || update.isPending}
                disabled={!form.isChanged || problem !== undefined}
              >
                Save
              </Button>
              {form.isChanged ? <Button onClick={form.reset}>Discard</Button> : null}
              {instead === undefined ? (
                <CopyCurl operation="editAgent" input={input} />
              ) : (
                <CopyCurl operation="updateAgent" input={instead} />
              )}
            </div>
          </>
        ) : null}
      </form>
    </Card>
  );
}

/** The failure of an edit with every field that the service names. */
export function FailedFields({ error }: { error: Parameters<typeof ErrorNote>[0]['error'] }): ReactNode {
  const fields = 'fields' in error ? [...error.fields] : [];
  return (
    <div className="flex flex-col gap-2">
      <ErrorNote error={error} />
      {fields.length === 0 ? null : (
        <ul className="list-inside list-disc text-sm text-bad">
          {fields.map(([field, message]) => (
            <li key={field} className="wrap-anywhere">
              <code className="font-mono">{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
