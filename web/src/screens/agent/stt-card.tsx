import type { ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { ChainField, OFFLINE } from '../../parts/chain-field.tsx';
import { CheckField, TextField } from '../../ui/controls.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

type Stt = NonNullable<Extract<Input<'editAgent'>, { operation: 'edit_stt' }>['stt']>;

/** The recognisers of this version. */
export function SttCard({
  available,
  ...target
}: VersionProps & { available: readonly string[] }): ReactNode {
  const stored = target.version.agent_config.stt;
  const form = useDraft<{
    isOwn: boolean;
    chain: readonly string[];
    model: string;
    busyLine: string;
  }>(
    {
      isOwn: stored !== null,
      chain: stored?.providers ?? [available[0] ?? OFFLINE],
      model: stored?.model ?? '',
      busyLine: stored?.busy_line ?? '',
    },
    'Recogniser',
  );
  const { draft, set } = form;
  const model = draft.model.trim();
  const busyLine = draft.busyLine.trim();
  return (
    <EditCard
      title={t('Recogniser')}
      target={target}
      edit={{
        operation: 'edit_stt',
        stt: draft.isOwn
          ? {
              providers: draft.chain as Stt['providers'],
              ...(model === '' ? {} : { model }),
              ...(busyLine === '' ? {} : { busy_line: busyLine }),
            }
          : null,
      }}
      form={form}
    >
      {(errorOf) => (
        <>
          <CheckField
            label={t('The recognisers of the workspace')}
            checked={!draft.isOwn}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ isOwn: !event.target.checked })}
          />
          {draft.isOwn ? (
            <>
              <ChainField
                label={t('Recognisers')}
                chain={draft.chain}
                available={available}
                readOnly={!target.mayEdit}
                error={errorOf('stt.providers')}
                onChange={(chain) => set({ chain })}
              />
              <TextField
                label={t('Model of the first recogniser')}
                value={draft.model}
                readOnly={!target.mayEdit}
                hint={t('Empty: that of its account, or chosen by language.')}
                error={errorOf('stt.model')}
                onChange={(event) => set({ model: event.target.value })}
              />
              <TextField
                label={t('What callers hear while every recogniser of the machine is in use')}
                value={draft.busyLine}
                maxLength={300}
                readOnly={!target.mayEdit}
                hint={t('Empty: the line of the installation, or busy.')}
                error={errorOf('stt.busy_line')}
                onChange={(event) => set({ busyLine: event.target.value })}
              />
            </>
          ) : null}
        </>
      )}
    </EditCard>
  );
}
