import { useState, type ReactNode } from 'react';
import type { S2sEntry } from '../../../../src/shared/vendor-accounts.ts';
import { S2S_VENDOR_NAMES } from '../../../../src/shared/vendors.ts';
import { call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Badge, Card, ErrorNote } from '../../ui/page.tsx';
import { isS2sVendor, S2sField, S2sLimits } from '../../ui/speech-to-speech.tsx';
import type { Providers } from './providers-page.tsx';

/** Whether one model of a vendor hears and speaks in the calls of the workspace. */
export function S2sCard({ providers, mayEdit }: { providers: Providers; mayEdit: boolean }): ReactNode {
  const { s2s: stored, available, vendors } = providers;
  const [typed, setTyped] = useState<{ readonly entry: S2sEntry | null } | null>(null);
  const entry = typed === null ? stored : typed.entry;
  const save = useChange('setProviders', ['getProviders'], () => ({
    text: 'Speech to speech: saved for calls that start from now.',
    undo: () => call('setProviders', { s2s: stored }),
  }));
  const isChanged = entry !== stored;
  const input = { s2s: entry };
  return (
    <Card title="Speech to speech">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input, { onSuccess: () => setTyped(null) });
        }}
      >
        <p className="-mt-2 text-sm text-muted">
          One model of a vendor hears, thinks and speaks, in place of recogniser, model and voice.
        </p>
        <div className="grid items-start gap-4 md:grid-cols-2">
          <S2sField
            value={entry}
            usual="As the installation has it"
            available={available.s2s}
            readOnly={!mayEdit}
            error={save.error?.fields.get('s2s')}
            onChange={(chosen) => setTyped({ entry: chosen })}
          />
          <ul className="flex flex-col gap-2 text-sm md:pt-7" aria-label="Accounts for speech to speech">
            {S2S_VENDOR_NAMES.map((vendor) => (
              <li key={vendor} className="flex flex-wrap items-center gap-2">
                <span className="w-16 font-medium">{vendor}</span>
                {!available.s2s.includes(vendor) ? (
                  <>
                    <Badge>No key</Badge>
                    <span className="text-muted">Set up its account below.</span>
                  </>
                ) : vendors[vendor]?.api_key == null ? (
                  <Badge tone="good">Key of the installation</Badge>
                ) : (
                  <Badge tone="accent">Own key</Badge>
                )}
              </li>
            ))}
          </ul>
        </div>
        <S2sLimits vendor={entry !== null && isS2sVendor(entry) ? entry : null} />
        {save.isError ? <ErrorNote error={save.error} /> : null}
        {mayEdit ? (
          <div className="flex min-h-9 flex-wrap items-center gap-2">
            <Button type="submit" look="primary" busy={save.isPending} disabled={!isChanged}>
              Save
            </Button>
            <CopyCurl operation="setProviders" input={input} />
          </div>
        ) : null}
      </form>
    </Card>
  );
}
