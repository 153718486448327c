import type { ReactNode } from 'react';
import { Badge } from '../ui/page.tsx';
import { t } from '../words/words.ts';

interface SpokenBy {
  readonly engine: 'model' | 'script' | 'apology' | null;
  readonly vendor: string | null;
  readonly is_fallback: boolean;
  readonly vendor_faults: readonly { readonly message: string }[];
}

/** Says that another engine than the agent's own model gave a reply, and why; nothing for the own model. */
export function FallbackBadge({ by }: { by: SpokenBy }): ReactNode {
  if (!by.is_fallback) return null;
  const why = by.vendor_faults.map(({ message }) => message).join('; ');
  return (
    <>
      <Badge tone="warn">{wordsOf(by)}</Badge>
      {why === '' ? null : <span className="wrap-anywhere">{why}</span>}
    </>
  );
}

function wordsOf({ engine, vendor }: SpokenBy): string {
  if (engine === 'apology') return t('No model answered');
  return engine === 'script'
    ? t('Script engine')
    : t('Reply of {vendor}', { vendor: vendor ?? 'another model' });
}
