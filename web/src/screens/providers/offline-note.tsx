import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PROVIDER_KINDS } from '../../api/vendors.ts';
import { useRead } from '../../api/queries.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

const PARTS = { stt: 'hearing', llm: 'thinking', tts: 'speaking' } as const;

/** Says for which parts of a call no vendor is in use. */
export function OfflineNote({ isLinked = false }: { isLinked?: boolean }): ReactNode {
  const providers = useRead('getProviders', {}).data?.providers;
  if (providers === undefined || (providers.s2s !== null && providers.s2s !== 'pipeline')) return null;
  const parts = PROVIDER_KINDS.filter((kind) => providers.in_use[kind].length === 0);
  if (parts.length === 0) return null;
  return (
    <p className="rounded-md border border-line bg-surface px-4 py-3 text-sm">
      {rich(
        'Calls use the offline engines of this machine for {value}. They need no account; a vendor understands more and speaks more languages well. {isLinked}',
        {
          value: parts.map((kind) => t(PARTS[kind])).join(', '),
          isLinked: isLinked ? (
            <Link to="/settings/providers" className="text-accent underline">
              {t('Set up a vendor')}
            </Link>
          ) : (
            t('Set up the account of a vendor below, then use it.')
          ),
        },
      )}
    </p>
  );
}
