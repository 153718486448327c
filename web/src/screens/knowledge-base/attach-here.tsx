import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { call, type ApiFailure } from '../../api/client.ts';
import { readAgain, useRead } from '../../api/queries.ts';
import { Button, SelectField } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { notify } from '../../ui/toasts.ts';
import type { Base } from './types.ts';
import { t } from '../../words/words.ts';

/** Attaches the base to the draft of an assistant, and opens it there: the base counts once the draft is published. */
export function AttachHere({ base }: { base: Base }): ReactNode {
  const navigate = useNavigate();
  const agents = useRead('listAgents', { limit: 100 }).data?.data.agents ?? [];
  const [chosen, setChosen] = useState('');
  const attach = useMutation<string, ApiFailure, string>({
    mutationFn: async (agentId) => {
      const { draft } = await call('openDraft', { agent_id: agentId });
      const isAttached = draft.version.knowledge_bases.some(({ knowledge_base_id: id }) => id === base.kb_id);
      if (!isAttached)
        await call(
          'editAgent',
          {
            operation: 'attach_kb',
            kb_id: base.kb_id,
            agent_id: agentId,
            version_id: draft.version_id,
          },
          undefined,
          { 'if-match': `"${draft.tag}"` },
        );
      return draft.version_id;
    },
    onSuccess: (version, agentId) => {
      void readAgain(['getAgent', 'getDraft', 'listAgentVersions', 'getKnowledgeBase']);
      notify({
        text: t('{name} is attached to the draft. Publish it, and calls use it.', { name: base.kb_name }),
      });
      void navigate({
        to: '/agents/$agentId',
        params: { agentId },
        search: { version, tab: 'connections' },
      });
    },
  });
  const others = agents.filter(({ id }) => !base.agents.some(({ agent_id: used }) => used === id));
  if (others.length === 0) return null;
  return (
    <form
      className="mt-4 flex flex-wrap items-end gap-2 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        attach.mutate(chosen);
      }}
    >
      <SelectField
        label={t('Attach it to an assistant')}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      >
        <option value="">{t('Choose')}</option>
        {others.map(({ id, agent_display_name: name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button type="submit" busy={attach.isPending} disabled={chosen === ''}>
        {t('Attach')}
      </Button>
      {attach.isError ? <ErrorNote error={attach.error} /> : null}
    </form>
  );
}
