import { useState, type ReactNode } from 'react';
import type { VendorName } from '../../../../src/vendors/catalogue.ts';
import type { Answer } from '../../api/client.ts';
import { isS2sVendor, isVendorOf, PROVIDER_KINDS, VENDOR_NAMES } from '../../api/vendors.ts';
import { useChange } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Badge, Card } from '../../ui/page.tsx';
import { vendorTitle } from '../../parts/vendors.ts';
import { FileNotice } from './file-notice.tsx';
import { OfferLines } from './offer-lines.tsx';
import type { Providers } from './types.ts';
import { UsePanel } from './use-panel.tsx';
import { VendorDialog } from './vendor-dialog.tsx';
import { VendorTest } from './vendor-test.tsx';
import { t } from '../../words/words.ts';

type Open = { readonly what: 'edit' | 'remove'; readonly name: VendorName };

/** Whether calls use the account for nothing. */
const isIdle = (providers: Providers, name: VendorName): boolean =>
  providers.s2s !== name && PROVIDER_KINDS.every((kind) => !providers.in_use[kind].includes(name));

/** Every vendor with its account, and whether it works. */
export function VendorsCard({
  read: { providers, offers, currency, agent_languages: wanted },
  declared,
  mayEdit,
}: {
  read: Answer<'getProviders'>;
  /** What the provision file declares, such as `vendors.deepgram`. */
  declared: readonly string[];
  mayEdit: boolean;
}): ReactNode {
  const isFromFile = (name: VendorName): boolean => declared.includes(`vendors.${name}`);
  const [open, setOpen] = useState<Open | null>(null);
  const remove = useChange('setProviders', ['getProviders'], () =>
    t('The account is removed, and its key deleted.'),
  );
  const close = (): void => setOpen(null);
  const [saved, setSaved] = useState<VendorName | null>(null);
  const removal = open === null ? {} : { vendors: { [open.name]: null } };
  return (
    <Card title={t('Accounts')}>
      <ul
        className="grid items-start gap-3 md:grid-cols-2 2xl:grid-cols-3"
        aria-label={t('Accounts of vendors')}
      >
        {VENDOR_NAMES.map((name) => {
          const title = vendorTitle(name);
          const own = providers.vendors[name];
          const usable = [
            ...PROVIDER_KINDS.filter(
              (kind) => isVendorOf(kind, name) && providers.available[kind].includes(name),
            ),
            ...(isS2sVendor(name) && providers.available.s2s.includes(name) ? (['s2s'] as const) : []),
          ];
          return (
            <li
              key={name}
              className={`flex flex-col gap-3 rounded-md border border-line px-4 py-3 ${usable.length > 0 || own !== undefined ? 'col-span-full' : ''}`}
            >
              <div className="flex flex-wrap items-center justify-between gap-3">
                <div className="min-w-0 wrap-anywhere">
                  <h3 className="flex flex-wrap items-center gap-2 font-medium">
                    {title}
                    {own !== undefined ? (
                      <Badge tone="accent">{t('Own account')}</Badge>
                    ) : usable.length > 0 ? (
                      <Badge tone="good">{t('Account of the installation')}</Badge>
                    ) : null}
                    {isFromFile(name) ? <Badge>{t('From file')}</Badge> : null}
                  </h3>
                  {own === undefined ? null : (
                    <p className="text-sm text-muted">
                      {own.api_key === null ? t('No key') : <code className="font-mono">{own.api_key}</code>}
                      {own.base_url === null ? null : ` ${t('at {baseUrl}', { baseUrl: own.base_url })}`}
                    </p>
                  )}
                </div>
                {mayEdit ? (
                  <div className="flex flex-wrap gap-2">
                    <Button
                      aria-label={t('Set up {name}', { name: title })}
                      onClick={() => setOpen({ what: 'edit', name })}
                    >
                      {own === undefined ? t('Set up') : t('Change')}
                    </Button>
                    {own === undefined ? null : (
                      <Button
                        aria-label={t('Remove {name}', { name: title })}
                        onClick={() => setOpen({ what: 'remove', name })}
                      >
                        {t('Remove')}
                      </Button>
                    )}
                  </div>
                ) : null}
              </div>
              <OfferLines
                title={title}
                offers={offers.filter(({ vendor }) => vendor === name)}
                currency={currency}
                wanted={wanted}
              />
              {mayEdit && own !== undefined && (name === saved || isIdle(providers, name)) ? (
                <UsePanel name={name} providers={providers} declared={declared} isNew={name === saved} />
              ) : null}
              {mayEdit ? usable.map((kind) => <VendorTest key={kind} kind={kind} vendor={name} />) : null}
            </li>
          );
        })}
      </ul>
      {open?.what === 'edit' ? (
        <VendorDialog
          name={open.name}
          stored={providers.vendors[open.name]}
          isFromFile={isFromFile(open.name)}
          onSaved={() => setSaved(open.name)}
          onClose={close}
        />
      ) : null}
      {open?.what === 'remove' ? (
        <ConfirmDialog
          title={t('Remove the account of {name}?', { name: vendorTitle(open.name) })}
          action={t('Remove account')}
          isBusy={remove.isPending}
          error={remove.error}
          curl={<CopyCurl operation="setProviders" input={removal} />}
          onConfirm={() => remove.mutate(removal, { onSuccess: close })}
          onClose={close}
        >
          {isFromFile(open.name) ? <FileNotice /> : null}
          {t(
            'The key is deleted. Calls that start later use the account of the installation, or the next vendor.',
          )}
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}
