import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Badge } from '../../ui/page.tsx';
import { variablesIn } from '../../parts/prompt-variables.ts';
import type { VersionProps } from './types.ts';
import { FailedFields } from './edit-card.tsx';
import { parametersOf, textOf, toolTitle, type Tool } from './tool-draft.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Values = Readonly<Record<string, string>>;

/** Sends the stored request once with sample values, and shows what the model would see. */
export function ToolTestDialog({
  target,
  tool,
  onClose,
}: {
  target: VersionProps;
  tool: Tool;
  onClose: () => void;
}): ReactNode {
  const parameters = parametersOf(tool);
  const args = parameters.flatMap((each) => {
    if (each.source !== 'argument') return [];
    const name = (each.stored as { name?: string }).name ?? each.key;
    return [{ name, hint: each.value, isRequired: each.isRequired }];
  });
  const headers = Object.values((tool['headers'] as Record<string, string> | undefined) ?? {});
  const variables = [
    ...new Set([
      ...parameters.filter((each) => each.source === 'variable').map((each) => each.value),
      ...variablesIn([
        ...headers,
        ...parameters.filter((each) => each.source === 'fixed').map((each) => each.value),
      ]),
    ]),
  ];
  const [values, setValues] = useState<Values>({});
  const [sent, setSent] = useState<Values>({});
  const test = useChange('testTool');
  const input = {
    agent_id: target.agentId,
    version_id: target.version.version_id,
    tool: toolTitle(tool),
    custom_args_values: Object.fromEntries(variables.map((name) => [name, values[name] ?? ''])),
    arguments: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '')),
  };
  const result = test.data;
  return (
    <Dialog title={t('Test {tool}', { tool: toolTitle(tool) })} isWide onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate(input);
        }}
      >
        <p className="text-muted">
          {rich('The request is real: it reaches {tool}.', {
            tool: <span className="break-all">{textOf(tool, 'url')}</span>,
          })}
        </p>
        {args.map(({ name, hint, isRequired }) => (
          <TextField
            key={`argument ${name}`}
            label={t('Argument {name}', { name })}
            required={isRequired}
            hint={hint === '' ? undefined : hint}
            value={sent[name] ?? ''}
            onChange={(event) => setSent({ ...sent, [name]: event.target.value })}
          />
        ))}
        {variables.map((name) => (
          <TextField
            key={`variable ${name}`}
            label={t('Variable {name}', { name })}
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        ))}
        {test.isError ? <FailedFields error={test.error} /> : null}
        {result === undefined ? null : (
          <section aria-label={t('Result of the test')} className="flex flex-col gap-2">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={result.ok ? 'good' : 'bad'}>{result.ok ? t('Worked') : t('Failed')}</Badge>
              <span className="text-sm text-muted">{t('{ms} ms', { ms: formatNumber(result.ms) })}</span>
            </p>
            <pre
              tabIndex={0}
              className="max-h-72 overflow-auto rounded-md border border-line bg-ground p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
            >
              {JSON.stringify(result.result, null, 2)}
            </pre>
            {Object.entries(result.variables).map(([name, value]) => (
              <p key={name} className="text-sm wrap-anywhere">
                <code className="font-mono">{name}</code> = {value}
              </p>
            ))}
          </section>
        )}
        <DialogActions
          action={t('Send the request')}
          isBusy={test.isPending}
          curl={<CopyCurl operation="testTool" input={input} />}
          onClose={onClose}
          out="Close"
        />
      </form>
    </Dialog>
  );
}
