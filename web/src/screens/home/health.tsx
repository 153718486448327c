import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Checks } from '../../parts/checks.tsx';
import { Card } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const REFRESH_MS = 30_000;

/** For operators: the readiness checks that failed or have a note, with what to do; one line when all is well. */
export function Health(): ReactNode {
  const isOperator = useMay('operator');
  const { data } = useRead('getSystem', {}, { enabled: isOperator, every: REFRESH_MS });
  if (data === undefined) return null;
  const open = data.checks.filter(({ ok, detail }) => !ok || detail !== null);
  const more = (
    <Link to="/settings/system" className="text-accent underline">
      {t('Processes, queue, disk and versions')}
    </Link>
  );
  if (open.length === 0) {
    return (
      <p className="text-muted">
        {t('All {count} checks of the installation pass.', { count: data.checks.length })} {more}
      </p>
    );
  }
  return (
    <Card title={t('Checks of the installation')}>
      <Checks checks={open} />
      <p className="mt-3">{more}</p>
    </Card>
  );
}
