import { useState, type ReactNode } from 'react';
import type { ProviderKind } from '../../../../src/shared/vendor-accounts.ts';
import { call, type Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { ChainField, OFFLINE } from '../../ui/chain-field.tsx';
import { Button, CheckField, CopyCurl } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { PART_NAMES } from '../../ui/vendors.ts';
import type { Providers } from './providers-page.tsx';

/** The vendors of one part of a call, in order. */
export function ChainCard({
  kind,
  providers,
  mayEdit,
}: {
  kind: ProviderKind;
  providers: Providers;
  mayEdit: boolean;
}): ReactNode {
  const stored = providers[kind];
  const [typed, setTyped] = useState<{ readonly chain: readonly string[] | null } | null>(null);
  const chain = typed === null ? stored : typed.chain;
  const name = PART_NAMES[kind] ?? kind;
  const save = useChange('setProviders', ['getProviders'], () => ({
    text: `${name}: saved for calls that start from now.`,
    undo: () => call('setProviders', { [kind]: stored }),
  }));
  const input = { [kind]: chain } as Input<'setProviders'>;
  const isChanged = JSON.stringify(chain) !== JSON.stringify(stored);
  const available = providers.available[kind];
  return (
    <Card title={name}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input, { onSuccess: () => setTyped(null) });
        }}
      >
        <CheckField
          label="As the installation has it"
          checked={chain === null}
          disabled={!mayEdit}
          onChange={({ target: { checked } }) =>
            setTyped({ chain: checked ? null : [available[0] ?? OFFLINE] })
          }
        />
        {chain === null ? null : (
          <ChainField
            label={`${name} by`}
            chain={chain}
            available={available}
            readOnly={!mayEdit}
            onChange={(next) => setTyped({ chain: next })}
          />
        )}
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
