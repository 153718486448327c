import type { ReactNode } from 'react';
import { call, type Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Badge, Card, ErrorNote } from '../../ui/page.tsx';
import { FileNotice } from './file-notice.tsx';
import { t } from '../../words/words.ts';

/** A card whose form saves a part of the providers; the message about it can restore `stored`. */
export function SettingCard({
  title,
  input,
  stored,
  isChanged,
  mayEdit,
  isFromFile,
  onSaved,
  children,
}: {
  title: string;
  input: Input<'setProviders'>;
  stored: Input<'setProviders'>;
  isChanged: boolean;
  mayEdit: boolean;
  /** The provision file declares it. */
  isFromFile: boolean;
  onSaved: () => void;
  /** The fields; `errorOf` gives what the service says about one. */
  children: (errorOf: (field: string) => string | undefined) => ReactNode;
}): ReactNode {
  const save = useChange('setProviders', ['getProviders'], () => ({
    text: t('{title}: saved for calls that start from now.', { title }),
    undo: () => call('setProviders', stored),
  }));
  return (
    <Card title={title} aside={isFromFile ? <Badge>{t('From file')}</Badge> : undefined}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input, { onSuccess: onSaved });
        }}
      >
        {isFromFile && isChanged ? <FileNotice /> : null}
        {children((field) => save.error?.fields.get(field))}
        {save.isError ? <ErrorNote error={save.error} /> : null}
        {mayEdit && (isChanged || save.isPending) ? (
          <div className="flex min-h-9 flex-wrap items-center gap-2">
            <Button type="submit" look="primary" busy={save.isPending}>
              {t('Save')}
            </Button>
            <CopyCurl operation="setProviders" input={input} />
          </div>
        ) : null}
      </form>
    </Card>
  );
}
