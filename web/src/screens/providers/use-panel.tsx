import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ProviderKind, VendorName } from '../../../../src/vendors/catalogue.ts';
import { isVendorOf, PROVIDER_KINDS } from '../../api/vendors.ts';
import { call, type Answer, type Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { vendorTitle } from '../../parts/vendors.ts';
import { FileNotice } from './file-notice.tsx';
import { JOBS } from './jobs.ts';
import type { Providers } from './types.ts';
import { t } from '../../words/words.ts';

type Test = Answer<'testVendor'>;

/** The parts of a call that the account could do and that no call lets it do. */
const unusedKinds = (providers: Providers, name: VendorName): readonly ProviderKind[] =>
  PROVIDER_KINDS.filter(
    (kind) =>
      isVendorOf(kind, name) &&
      providers.available[kind].includes(name) &&
      !providers.in_use[kind].includes(name),
  );

/** The order of vendors with one more in front; the others stay for when it fails. */
const withFirst = (
  providers: Providers,
  kinds: readonly ProviderKind[],
  name: VendorName,
): Input<'setProviders'> =>
  Object.fromEntries(
    kinds.map((kind) => [
      kind,
      [name, ...(providers[kind] ?? providers.in_use[kind]).filter((each) => each !== name)],
    ]),
  );

/** Puts an account that no call uses to work. `isNew`: its key was just saved, so it is tried first. */
export function UsePanel({
  name,
  providers,
  declared,
  isNew,
}: {
  name: VendorName;
  providers: Providers;
  /** What the provision file declares, such as `stt`. */
  declared: readonly string[];
  isNew: boolean;
}): ReactNode {
  const kinds = unusedKinds(providers, name);
  const title = vendorTitle(name);
  const [tests, setTests] = useState<Readonly<Partial<Record<ProviderKind, Test>>>>({});
  const [left, setLeft] = useState<readonly ProviderKind[]>([]);
  const tried = useRef(false);
  useEffect(() => {
    if (!isNew || tried.current) return;
    tried.current = true;
    for (const kind of unusedKinds(providers, name)) {
      call('testVendor', { kind, vendor: name })
        .then((test) => {
          setTests((before) => ({ ...before, [kind]: test }));
          if (!test.ok) setLeft((before) => [...before, kind]);
        })
        .catch(() => undefined);
    }
  }, [isNew, name, providers]);
  const chosen = kinds.filter((kind) => !left.includes(kind));
  const input = withFirst(providers, chosen, name);
  const before = Object.fromEntries(chosen.map((kind) => [kind, providers[kind]]));
  const use = useChange('setProviders', ['getProviders'], () => ({
    text: t('Calls that start from now use {name}.', { name: title }),
    undo: () => call('setProviders', before),
  }));
  if (kinds.length === 0) return null;
  const works = kinds.some((kind) => tests[kind]?.ok === true);
  return (
    <div
      role="group"
      aria-label={t('Use of {name}', { name: title })}
      className="flex flex-col gap-3 rounded-md border border-warn px-3 py-3"
    >
      {chosen.some((kind) => declared.includes(kind)) ? <FileNotice /> : null}
      <p className="text-sm">
        {works ? <b className="text-good">{t('Key works.')}</b> : null}{' '}
        {t('No call uses {name} for this yet. Use it for:', { name: title })}
      </p>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        {kinds.map((kind) => (
          <CheckField
            key={kind}
            label={
              <>
                {t(JOBS[kind])}
                {tests[kind]?.ok === false ? (
                  <span className="text-sm text-bad">
                    {' '}
                    {t('(did not work: {message})', { message: tests[kind].fault?.message ?? '' })}
                  </span>
                ) : null}
              </>
            }
            checked={!left.includes(kind)}
            onChange={({ target: { checked } }) =>
              setLeft(checked ? left.filter((each) => each !== kind) : [...left, kind])
            }
          />
        ))}
        <Button
          look="primary"
          busy={use.isPending}
          disabled={chosen.length === 0}
          onClick={() => use.mutate(input)}
        >
          {t('Use {name}', { name: title })}
        </Button>
        <CopyCurl operation="setProviders" input={input} of={t('use of {name}', { name })} />
      </div>
      {use.isError ? <ErrorNote error={use.error} /> : null}
    </div>
  );
}
