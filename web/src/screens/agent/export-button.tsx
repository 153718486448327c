import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../ui/controls.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { notify } from '../../ui/toasts.ts';
import { plainMessage } from '../../ui/plain-message.ts';
import { t } from '../../words/words.ts';

/** Saves the shown version with the test cases of the assistant as a file, without its secrets. */
export function ExportButton({
  agentId,
  versionId,
}: {
  agentId: string;
  versionId: string | undefined;
}): ReactNode {
  const read = useChange('exportAgent');
  return (
    <Button
      busy={read.isPending}
      onClick={() =>
        read.mutate(
          { agent_id: agentId, ...(versionId === undefined ? {} : { version_id: versionId }) },
          {
            onSuccess: ({ document, file_name: name }) =>
              saveFile(new Blob([document], { type: 'application/yaml' }), name),
            onError: (error) => notify({ text: plainMessage(error.message), tone: 'bad' }),
          },
        )
      }
    >
      {t('Export as a file')}
    </Button>
  );
}
