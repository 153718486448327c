import type { ReactNode } from 'react';
import { CopyButton } from './controls.tsx';
import { t } from '../words/words.ts';

/** The record as the API answers it. */
export function RawJson({ value }: { value: object }): ReactNode {
  const text = JSON.stringify(value, null, 2);
  return (
    <details className="rounded-lg border border-line bg-surface p-4">
      <summary className="cursor-pointer font-semibold">{t('Raw JSON')}</summary>
      <div className="mt-4 flex flex-col items-start gap-3">
        <CopyButton text={text} label={t('Copy JSON')} />
        <pre className="w-full overflow-x-auto rounded-md bg-raised p-4 font-mono text-xs" tabIndex={0}>
          {text}
        </pre>
      </div>
    </details>
  );
}
