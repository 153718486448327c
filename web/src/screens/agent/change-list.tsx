import type { ReactNode } from 'react';
import type { Change } from '../../../../src/domain/agents/draft/difference.ts';
import { settingName } from '../../parts/setting-names.ts';
import { t } from '../../words/words.ts';

const WHAT: Readonly<Record<Change['change'], string>> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  moved: 'in another order',
};

/** The settings that differ: texts by words, other values before and after. */
export function ChangeList({ label, changes }: { label: string; changes: readonly Change[] }): ReactNode {
  if (changes.length === 0) return <p className="text-muted">{t('No setting differs.')}</p>;
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {changes.map((change) => (
        <li key={`${change.path} ${change.change}`} className="rounded-md border border-line p-3">
          <p className="text-sm wrap-anywhere">
            <span className="font-medium">{settingName(change.path)}</span>{' '}
            <span className="text-muted">{t(WHAT[change.change])}</span>
          </p>
          <p className="mt-1 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
            {change.words === null ? (
              <>
                {change.change === 'added' ? null : <del className="text-bad">{textOf(change.before)}</del>}
                {change.change === 'changed' || change.change === 'moved' ? '\n' : null}
                {change.change === 'removed' ? null : <ins className="text-good">{textOf(change.after)}</ins>}
              </>
            ) : (
              change.words.map((run, index) => {
                // A run has no other identity than its place.
                if (run.change === 'removed')
                  return (
                    // oxlint-disable-next-line react/no-array-index-key
                    <del key={index} className="text-bad">
                      {run.text}
                    </del>
                  );
                if (run.change === 'added')
                  return (
                    // oxlint-disable-next-line react/no-array-index-key
                    <ins key={index} className="text-good">
                      {run.text}
                    </ins>
                  );
                // oxlint-disable-next-line react/no-array-index-key
                return <span key={index}>{run.text}</span>;
              })
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
