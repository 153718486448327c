import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, CopyCurl, RowActions, SelectField } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { useVersionEdit } from './saving/use-version-edit.ts';
import { editInput, type Edit, type VersionProps } from './types.ts';
import { t } from '../../words/words.ts';

/** What the assistant may look up. */
export function KnowledgeCard(target: VersionProps): ReactNode {
  const { version, mayEdit } = target;
  const read = useRead('listKnowledgeBases', {});
  const edit = useVersionEdit((input, version_id) => {
    if (input.operation !== 'attach_kb' && input.operation !== 'remove_kb') return undefined;
    const isAttached = input.operation === 'attach_kb';
    const name =
      (read.data ?? []).find(({ kb_id: id }) => id === input.kb_id)?.kb_name ?? t('The knowledge base');
    return {
      text: isAttached ? t('{name} is attached.', { name }) : t('{name} is detached.', { name }),
      undo: () =>
        call('editAgent', {
          operation: isAttached ? 'remove_kb' : 'attach_kb',
          kb_id: input.kb_id,
          agent_id: target.agentId,
          version_id,
        }),
    };
  });
  const [chosen, setChosen] = useState('');
  const attached = version.knowledge_bases;
  const others = (read.data ?? []).filter(
    ({ kb_id: id }) => !attached.some((base) => base.knowledge_base_id === id),
  );
  const kbId = others.some(({ kb_id: id }) => id === chosen) ? chosen : (others[0]?.kb_id ?? '');
  const attach: Edit = { operation: 'attach_kb', kb_id: kbId };
  return (
    <Card title={t('Knowledge bases')}>
      <div className="flex flex-col gap-4">
        {read.isError ? <ErrorNote error={read.error} retry={() => void read.refetch()} /> : null}
        {edit.isError ? <ErrorNote error={edit.error} /> : null}
        {attached.length === 0 ? (
          <p className="text-muted">{t('None: the assistant knows its instructions only.')}</p>
        ) : (
          <ul className="flex flex-col gap-2" aria-label={t('Attached knowledge bases')}>
            {attached.map(({ knowledge_base_id: id, knowledge_base_name: name }) => {
              const removal: Edit = { operation: 'remove_kb', kb_id: id };
              return (
                <li key={id} className="flex min-h-9 flex-wrap items-center justify-between gap-2">
                  <span className="wrap-anywhere">{name}</span>
                  {mayEdit ? (
                    <RowActions>
                      <Button
                        aria-label={t('Detach {name}', { name })}
                        onClick={() => edit.mutate({ edit: removal })}
                      >
                        {t('Detach')}
                      </Button>
                      <CopyCurl
                        operation="editAgent"
                        input={editInput(target, removal)}
                        of={t('removal of {name}', { name })}
                      />
                    </RowActions>
                  ) : null}
                </li>
              );
            })}
          </ul>
        )}
        {!mayEdit || read.data === undefined ? null : others.length === 0 ? (
          <p className="text-sm text-muted">
            {read.data.length === 0
              ? t('The workspace has no knowledge base yet.')
              : t('Every knowledge base of the workspace is attached.')}
          </p>
        ) : (
          <>
            <SelectField
              label={t('Attach a knowledge base')}
              value={kbId}
              onChange={(event) => setChosen(event.target.value)}
            >
              {others.map(({ kb_id: id, kb_name: name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <div className="flex flex-wrap gap-2">
              <Button look="primary" busy={edit.isPending} onClick={() => edit.mutate({ edit: attach })}>
                {t('Attach')}
              </Button>
              <CopyCurl operation="editAgent" input={editInput(target, attach)} />
            </div>
          </>
        )}
      </div>
    </Card>
  );
}
