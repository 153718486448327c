import { useState, type ReactNode } from 'react';
import { t } from '../words/words.ts';
import { Icon } from './icon.tsx';

/** Shorter ones are shown whole. */
const LONG = 17;

/** An id on one line: a long one without its middle, whole in its title and by its button, which `name` names. */
export function IdText({ id, name }: { id: string; name: string }): ReactNode {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2000);
  };
  const short = id.length > LONG ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <code title={id} className="font-mono text-xs">
        {short}
      </code>
      <button
        type="button"
        aria-label={isCopied ? t('Copied') : name}
        className="-my-1 inline-flex size-6 max-sm:-my-2 max-sm:size-control items-center justify-center rounded-sm text-muted hover:bg-raised hover:text-ink"
        onClick={() => void copy().catch(() => undefined)}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
    </span>
  );
}
