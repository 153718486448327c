import type { ReactNode } from 'react';
import { useDraft } from '../../drafts/use-draft.ts';
import { CheckField } from '../../ui/controls.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { ListField } from './list-field.tsx';
import { t } from '../../words/words.ts';

const NAME = /^[^{}\r\n]{1,100}$/;

/** What pages with the public key may do: begin a conversation at all, and which variables they may set. */
export function WebSessionsCard(target: VersionProps): ReactNode {
  const { mayEdit } = target;
  const stored = target.version.web_sessions;
  const form = useDraft(stored, 'Sessions of web pages');
  const { draft, replace } = form;
  const variables = draft.page_variables;
  return (
    <EditCard
      title={t('Sessions of web pages')}
      intro={t(
        'Your server can open a session for one visitor; its variables are sealed, and no page can change them.',
      )}
      target={target}
      edit={{ operation: 'edit_web_sessions', web_sessions: draft }}
      before={{ operation: 'edit_web_sessions', web_sessions: stored }}
      form={form}
    >
      {(errorOf) => (
        <>
          <CheckField
            label={t('Only your server begins calls and chats (pages with the public key are refused)')}
            checked={draft.require_session}
            readOnly={!mayEdit}
            onChange={({ target: { checked } }) => replace({ ...draft, require_session: checked })}
          />
          <CheckField
            label={t('Pages with the public key may set every variable')}
            checked={variables === null}
            readOnly={!mayEdit}
            onChange={({ target: { checked } }) => replace({ ...draft, page_variables: checked ? null : [] })}
          />
          {variables === null ? null : (
            <ListField
              label={t('Variables that a page may set')}
              items={variables}
              noteOf={() => null}
              isFixed={() => false}
              readOnly={!mayEdit}
              onRemove={(name) =>
                replace({ ...draft, page_variables: variables.filter((each) => each !== name) })
              }
              adding={{
                label: t('Another variable'),
                action: 'Add variable',
                maxLength: 100,
                error: errorOf('web_sessions.page_variables'),
                read: (text) => (NAME.test(text.trim()) ? text.trim() : null),
                problem: 'A name has no braces.',
                onAdd: (name) => replace({ ...draft, page_variables: [...variables, name] }),
              }}
            />
          )}
        </>
      )}
    </EditCard>
  );
}
