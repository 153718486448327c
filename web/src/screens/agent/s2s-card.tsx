import type { ReactNode } from 'react';
import type { S2sEntry } from '../../../../src/vendors/accounts.ts';
import { isS2sVendor, s2sOf } from '../../api/vendors.ts';
import { TextField } from '../../ui/controls.tsx';
import { S2sField, S2sLimits } from '../../parts/speech-to-speech.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

/** Whether one model of a vendor hears and speaks for this version. */
export function S2sCard({
  available,
  ...target
}: VersionProps & { available: readonly string[] }): ReactNode {
  const stored = target.version.agent_config.s2s;
  const form = useDraft<{
    provider: S2sEntry | null;
    model: string;
    voice: string;
  }>(
    {
      provider: (stored?.provider ?? null) as S2sEntry | null,
      model: stored?.model ?? '',
      voice: stored?.voice ?? '',
    },
    'Speech to speech',
  );
  const { draft, set } = form;
  const { provider } = draft;
  const vendor = provider !== null && isS2sVendor(provider) ? provider : null;
  const [model, voice] = [draft.model.trim(), draft.voice.trim()];
  return (
    <EditCard
      title={t('Speech to speech')}
      intro={t(
        'One model of a vendor hears, thinks and speaks. Recogniser, model and voice take over when it fails.',
      )}
      target={target}
      edit={{
        operation: 'edit_s2s',
        s2s:
          provider === null
            ? null
            : {
                provider,
                ...(vendor === null || model === '' ? {} : { model }),
                ...(vendor === null || voice === '' ? {} : { voice }),
              },
      }}
      form={form}
    >
      {(errorOf) => (
        <>
          <S2sField
            value={provider}
            usual="As the workspace has it"
            available={available}
            readOnly={!target.mayEdit}
            error={errorOf('s2s.provider')}
            onChange={(chosen) => set({ provider: chosen })}
          />
          {vendor === null ? null : (
            <>
              <TextField
                label={t('Model of speech to speech')}
                value={draft.model}
                readOnly={!target.mayEdit}
                placeholder={s2sOf(vendor)?.model}
                hint={t('Empty: that of its account.')}
                error={errorOf('s2s.model')}
                onChange={(event) => set({ model: event.target.value })}
              />
              <TextField
                label={t('Voice of speech to speech')}
                value={draft.voice}
                readOnly={!target.mayEdit}
                placeholder={s2sOf(vendor)?.voice}
                hint={t(
                  'The vendor’s own name. Empty: the voice of the assistant if it is one of the vendor, else that of the account.',
                )}
                error={errorOf('s2s.voice')}
                onChange={(event) => set({ voice: event.target.value })}
              />
            </>
          )}
          <S2sLimits vendor={vendor} />
        </>
      )}
    </EditCard>
  );
}
