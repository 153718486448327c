import type { ReactNode } from 'react';
import { ApiFailure, type Input } from '../../api/client.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import type { Form } from '../../drafts/use-draft.ts';
import { CopyCurl } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { useSection } from './saving/tab-forms.tsx';
import { editInput, type Edit, type VersionProps } from './types.ts';

/** A card whose form is one operation; the Save bar of the tab sends it. `problem` keeps it from being sent. */
export function EditCard<T>({
  title,
  intro,
  target,
  edit,
  instead,
  isAtOnce = false,
  before,
  form,
  documentOf = (value) => value,
  problem,
  children,
}: {
  title: string;
  intro?: ReactNode;
  target: VersionProps;
  edit: Edit;
  /** The request that saves it instead, where `editAgent` takes no such value. */
  instead?: Input<'updateAgent'> | undefined;
  /** It belongs to the assistant and not to a version, so that no draft holds it. */
  isAtOnce?: boolean;
  /** The edit that restores what is stored now; the saved change can then be undone. */
  before?: Edit;
  form: Form<T>;
  /** A value of the form as the document that people compare. */
  documentOf?: (value: T) => unknown;
  problem?: string | undefined;
  /** The fields; `errorOf` gives what the service says about one. */
  children: (errorOf: (field: string) => string | undefined) => ReactNode;
}): ReactNode {
  const { ref, refusal, save } = useSection({
    title,
    agentId: target.agentId,
    form,
    sent: instead === undefined ? { edit, isAtOnce } : { instead },
    before: instead === undefined ? before : undefined,
    problem,
    // The section holds values of its own form only.
    documentOf: documentOf as (value: unknown) => unknown,
  });
  const failure = refusal instanceof ApiFailure ? refusal : null;
  return (
    <Card title={title}>
      <form
        ref={ref}
        tabIndex={-1}
        className="flex flex-col gap-4 outline-none"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {intro === undefined ? null : <p className="-mt-2 text-sm text-muted">{intro}</p>}
        <DraftNotice form={form} />
        {form.isMoved && form.restored === null ? (
          <p role="status" className="rounded-md border border-warn px-3 py-2 text-sm">
            {t('Somebody else changed this while you typed. Save to compare both.')}
          </p>
        ) : null}
        {children((field) => failure?.fields.get(field))}
        {target.mayEdit ? (
          <>
            {refusal instanceof Error ? <FailedFields error={refusal} /> : null}
            {problem === undefined ? null : <p className="text-sm text-bad">{problem}</p>}
            <CurlLine>
              {instead === undefined ? (
                <CopyCurl operation="editAgent" input={editInput(target, edit)} />
              ) : (
                <CopyCurl operation="updateAgent" input={instead} />
              )}
            </CurlLine>
          </>
        ) : null}
      </form>
    </Card>
  );
}

const CurlLine = ({ children }: { children: ReactNode }): ReactNode => (
  <div className="flex empty:hidden">{children}</div>
);

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
