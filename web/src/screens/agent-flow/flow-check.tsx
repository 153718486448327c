import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { ErrorNote } from '../../ui/page.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import type { VersionProps } from '../agent/types.ts';
import { t } from '../../words/words.ts';

type Checked = Answer<'checkFlow'>;
/** What the check found of the flow on the screen; `isOld` while it has not read the newest change. */
export interface FlowCheck {
  readonly isOld: boolean;
  readonly isValid: boolean;
  readonly error: Parameters<typeof ErrorNote>[0]['error'] | null;
  readonly faults: Checked['errors'];
  readonly warnings: Checked['warnings'];
}

/** Checks the flow each time that it has not changed for a moment. */
export function useFlowCheck(target: VersionProps, flow: unknown): FlowCheck {
  const settled = useSettled(flow);
  const check = useRead(
    'checkFlow',
    { agent_id: target.agentId, version_id: target.version.version_id, flow: settled as never },
    { enabled: settled !== null, keep: true },
  );
  // The answer of the check belongs to an older flow while someone types.
  const isOld = check.isPlaceholderData || JSON.stringify(settled) !== JSON.stringify(flow);
  return {
    isOld: isOld || check.isPending,
    isValid: !isOld && check.data?.valid === true,
    error: check.isError ? check.error : null,
    faults: isOld ? [] : (check.data?.errors ?? []),
    warnings: isOld ? [] : (check.data?.warnings ?? []),
  };
}

/** How far the check is, and what it finds beside the steps. */
export function CheckState({ check, ids }: { check: FlowCheck; ids: ReadonlySet<string> }): ReactNode {
  return (
    <div role="status" className="text-sm">
      {check.error !== null ? <ErrorNote error={check.error} /> : null}
      {check.isOld ? (
        check.error === null ? (
          <p className="text-muted">{t('Checking…')}</p>
        ) : null
      ) : check.isValid ? (
        <p className="text-good">{t('The check finds no fault.')}</p>
      ) : null}
      <CheckNotes check={check} fits={(node) => node === null || !ids.has(node)} />
    </div>
  );
}

/** The faults and warnings of the steps that fit, each once. */
export function CheckNotes({
  check,
  fits,
}: {
  check: FlowCheck;
  fits: (node: string | null) => boolean;
}): ReactNode {
  const messagesOf = (list: readonly { node: string | null; message: string }[]): Set<string> =>
    new Set(list.filter(({ node }) => fits(node)).map(({ message }) => message));
  const [faults, warnings] = [messagesOf(check.faults), messagesOf(check.warnings)];
  if (faults.size + warnings.size === 0) return null;
  return (
    <ul className="mt-1 list-inside list-disc text-sm">
      {[...faults].map((message) => (
        <li key={message} className="text-bad">
          {message}
        </li>
      ))}
      {[...warnings].map((message) => (
        <li key={message} className="text-warn">
          {message}
        </li>
      ))}
    </ul>
  );
}
