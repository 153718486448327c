import type { ReactNode } from 'react';
import type { ProviderKind, VendorName } from '../../../../src/vendors/catalogue.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { PART_NAMES, vendorTitle } from '../../parts/vendors.ts';
import { faultMessage } from '../../parts/vendor-fault.ts';
import { t, within } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

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
  const part = t(PART_NAMES[kind] ?? kind);
  const result = test.data;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="w-32 text-muted">{part}</span>
      <Button
        aria-label={t('Test {vendor}, {part}', { vendor: vendorTitle(vendor), part: within(part) })}
        busy={test.isPending}
        onClick={() => test.mutate({ kind, vendor })}
      >
        {t('Test')}
      </Button>
      <CopyCurl operation="testVendor" input={{ kind, vendor }} />
      <span role="status" className="flex min-w-0 flex-wrap items-center gap-2 wrap-anywhere">
        {result === undefined ? null : result.ok ? (
          <>
            {rich('{badge} answers in {durationMs} ms{heard}', {
              badge: <Badge tone="good">{t('Works')}</Badge>,
              durationMs: formatNumber(result.duration_ms ?? 0),
              heard:
                result.heard === null ? null : (
                  <span className="text-muted">{t('and heard “{heard}”', { heard: result.heard })}</span>
                ),
            })}
          </>
        ) : (
          <>
            <Badge tone="bad">{t('Fails')}</Badge> {faultMessage(result.fault?.message ?? '')}{' '}
            <span className="text-muted">{t(ADVICE[result.fault?.kind ?? ''] ?? '')}</span>
          </>
        )}
      </span>
      {test.isError ? <ErrorNote error={test.error} /> : null}
    </div>
  );
}
