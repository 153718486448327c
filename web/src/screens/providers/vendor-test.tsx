import type { ReactNode } from 'react';
import type { ProviderKind, VendorName } from '../../../../src/vendors/catalogue.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { PART_NAMES } from '../../parts/vendors.ts';

/** What to do about a fault, by its reason. */
export const ADVICE: Readonly<Record<string, string>> = {
  key: 'Check the key.',
  credit: 'Add credit to the account.',
  limit: 'Wait, or raise the limits of the account.',
  rejected: 'Check the model and the voice.',
  timeout: 'Check the address and the network.',
  lost: 'Check the address and the network.',
  account: 'Set up the account again.',
};

/** Tries one vendor for one part of a call, and says what is wrong. */
export function VendorTest({ kind, vendor }: { kind: ProviderKind | 's2s'; vendor: VendorName }): ReactNode {
  const test = useChange('testVendor');
  const part = PART_NAMES[kind] ?? kind;
  const result = test.data;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="w-32 text-muted">{part}</span>
      <Button
        aria-label={`Test ${vendor}, ${part.toLowerCase()}`}
        busy={test.isPending}
        onClick={() => test.mutate({ kind, vendor })}
      >
        Test
      </Button>
      <CopyCurl operation="testVendor" input={{ kind, vendor }} />
      <span role="status" className="flex min-w-0 flex-wrap items-center gap-2 wrap-anywhere">
        {result === undefined ? null : result.ok ? (
          <>
            <Badge tone="good">Works</Badge> answers in {formatNumber(result.duration_ms ?? 0)} ms
            {result.heard === null ? null : <span className="text-muted">and heard “{result.heard}”</span>}
          </>
        ) : (
          <>
            <Badge tone="bad">Fails</Badge> {result.fault?.message}{' '}
            <span className="text-muted">{ADVICE[result.fault?.kind ?? '']}</span>
          </>
        )}
      </span>
      {test.isError ? <ErrorNote error={test.error} /> : null}
    </div>
  );
}
