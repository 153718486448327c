import { useState, type ReactNode } from 'react';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/controls.tsx';
import { CaseDialog } from './case-dialog.tsx';
import { proposalOf, type Conversation } from './proposal.ts';
import { t } from '../../words/words.ts';

/** Saves a conversation as a test case of its assistant. */
export function SaveCase({
  agentId,
  conversation,
  source,
}: {
  agentId: string;
  conversation: Conversation;
  /** A call or chat with a person; absent: a conversation beside the editor. */
  source?: { readonly call_id?: string; readonly chat_id?: string };
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const maySave = useMay('manager');
  if (!maySave) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('Save as test case')}</Button>
      {isOpen ? (
        <CaseDialog
          agentId={agentId}
          begin={proposalOf(conversation)}
          {...(source === undefined
            ? {}
            : {
                source,
                note: t(
                  'These are the words of a person. Leave out what should not stay, such as names and numbers. Erasing the conversation deletes the case.',
                ),
              })}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
