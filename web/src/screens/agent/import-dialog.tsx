import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { useNewest } from '../../ui/use-newest.ts';
import { t } from '../../words/words.ts';
import { FailedFields } from './edit-card.tsx';

/** The largest file that the service takes. */
const MOST_BYTES = 256_000;
const SECRET = 'secrets.';

/** Makes an assistant, or the draft of one, from a file. */
export function ImportDialog({
  agentId,
  onClose,
}: {
  /** The assistant whose draft takes the file; null: a new assistant. */
  agentId: string | null;
  onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const change = useChange('importAgent', ['getAgent', 'listAgents'], (_, { left_out: left }) => {
    const done =
      agentId === null ? t('The assistant is imported.') : t('The draft has the settings of the file.');
    return left.length === 0
      ? done
      : `${done} ${t('Left out, since they belong to the assistant: {settings}.', { settings: left.join(', ') })}`;
  });
  const wanted = [...(change.error?.fields ?? [])].filter(([field]) => field.startsWith(SECRET));
  const names = [
    ...new Set([...Object.keys(secrets), ...wanted.map(([field]) => field.slice(SECRET.length))]),
  ];
  const others =
    wanted.length === 0 || wanted.length < (change.error?.fields.size ?? 0) ? change.error : null;
  const input = {
    document: file?.text ?? '',
    ...(agentId === null ? {} : { agent_id: agentId }),
    ...(names.length === 0 ? {} : { secrets }),
  };
  const beginRead = useNewest();
  const choose = async (chosen: File): Promise<void> => {
    const isNewest = beginRead();
    const isTooLarge = chosen.size > MOST_BYTES;
    setProblem(isTooLarge ? t('{name} has more than 256 kB.', { name: chosen.name }) : undefined);
    setFile(null);
    setSecrets({});
    change.reset();
    if (isTooLarge) return;
    const text = await chosen.text();
    if (isNewest()) setFile({ name: chosen.name, text });
  };
  return (
    <Dialog
      title={agentId === null ? t('Import an assistant') : t('Import into the draft')}
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(input, {
            onSuccess: ({ agent_id: made }) => {
              onClose();
              if (agentId === null)
                void navigate({ to: '/agents/$agentId', params: { agentId: made }, search: {} });
            },
          });
        }}
      >
        <p className="text-sm text-muted">
          {agentId === null
            ? t(
                'A file that was exported here or by another service: texts, voice, tools, flow and test cases.',
              )
            : t('The settings of the file go to the draft. Calls use them once you publish it.')}
        </p>
        <label className="flex flex-col gap-1 text-sm font-medium">
          {t('File')}
          <input
            type="file"
            className="text-sm font-normal file:mr-3 file:rounded-md file:border file:border-line file:bg-surface file:px-3 file:py-1.5 file:font-medium file:text-ink"
            accept=".yaml,.yml,.json,application/yaml,application/json"
            onChange={(event) => {
              const [chosen] = event.target.files ?? [];
              if (chosen !== undefined) void choose(chosen);
            }}
          />
        </label>
        {problem === undefined ? null : (
          <p role="alert" className="text-sm text-bad">
            {problem}
          </p>
        )}
        {names.length === 0 ? null : (
          <fieldset className="flex flex-col gap-3">
            <legend className="mb-2 text-sm">
              {t('The file has the names of secrets only. Their values:')}
            </legend>
            {names.map((name) => (
              <TextField
                key={name}
                label={name}
                type="password"
                autoComplete="off"
                required
                value={secrets[name] ?? ''}
                onChange={(event) => setSecrets({ ...secrets, [name]: event.target.value })}
              />
            ))}
          </fieldset>
        )}
        {others === null ? null : <FailedFields error={others} />}
        <DialogActions
          action={t('Import')}
          isBusy={change.isPending}
          disabled={file === null}
          curl={<CopyCurl operation="importAgent" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
