import type { ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { Badge } from '../../ui/page.tsx';
import type { Values } from '../agent/test-state.ts';
import { t } from '../../words/words.ts';

/** The values that are sent: empty ones are not. */
export const sentValues = (variables: readonly string[], values: Values): Record<string, string> =>
  Object.fromEntries(
    variables.flatMap((name) => {
      const value = values[name] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

/** Values that a call would bring, for conversations by text, through the microphone and on a phone. */
export function ValuesForm({
  variables,
  used,
  values,
  onChange,
}: {
  variables: readonly string[];
  /** Those that the texts of the assistant use. */
  used: readonly string[];
  values: Values;
  onChange: (values: Values) => void;
}): ReactNode {
  const missing = used.filter((name) => (values[name] ?? '') === '');
  return (
    <details className="shrink-0 rounded-md border border-line px-3 py-2">
      <summary className="cursor-pointer text-sm font-medium">
        {t('Test values')}{' '}
        {missing.length === 0 ? null : (
          <Badge tone="bad">{t('{count} missing', { count: missing.length })}</Badge>
        )}
      </summary>
      <div className="mt-2 flex max-h-[35vh] flex-col gap-3 overflow-y-auto p-0.5">
        <p className="text-sm text-muted">
          {t('Values that a call would bring, for the next conversation. Empty ones are not sent.')}
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          {variables.map((name) => (
            <TextField
              key={name}
              label={name}
              maxLength={1000}
              value={values[name] ?? ''}
              onChange={(event) => onChange({ ...values, [name]: event.target.value })}
            />
          ))}
        </div>
        {missing.length === 0 ? null : (
          <p role="status" className="flex flex-wrap items-center gap-2 text-sm text-bad">
            {t('Used without a value, so the assistant speaks a gap:')}
            {missing.map((name) => (
              <Badge key={name} tone="bad">
                {name}
              </Badge>
            ))}
          </p>
        )}
      </div>
    </details>
  );
}
