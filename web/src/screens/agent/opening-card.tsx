import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { TextArea } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { VersionProps } from './agent-page.tsx';
import { SaveBar } from './save-bar.tsx';

/** The first words of the assistant. */
export function OpeningCard({ agentId, version, mayEdit }: VersionProps): ReactNode {
  const stored = version.agent_config.intro_message;
  const [text, setText] = useState(stored);
  const edit = useChange('editAgent', ['getAgent']);
  return (
    <Card title="Opening">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          edit.mutate({
            operation: 'edit_intro_message',
            agent_id: agentId,
            version_id: version.version_id,
            intro_message: text,
          });
        }}
      >
        <TextArea
          label="First message"
          rows={3}
          value={text}
          readOnly={!mayEdit}
          hint={`${text.length} characters. {{name}} stands for a variable.`}
          error={edit.error?.fields.get('intro_message')}
          onChange={(event) => setText(event.target.value)}
        />
        {mayEdit ? (
          <SaveBar
            isChanged={text !== stored}
            isBusy={edit.isPending}
            isSaved={edit.isSuccess}
            error={edit.error}
            onReset={() => setText(stored)}
          />
        ) : null}
      </form>
    </Card>
  );
}
