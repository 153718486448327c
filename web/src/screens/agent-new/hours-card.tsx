import type { ReactNode } from 'react';
import { WindowField, zoneProblem } from '../../parts/window-field.tsx';
import { CheckField, TextField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { Draft } from './draft.ts';
import { t } from '../../words/words.ts';

/** The hours in which a new assistant calls people. */
export const HoursCard = ({
  draft,
  set,
  errorOf,
}: {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  /** What the service says about a field. */
  errorOf: (field: string) => string | undefined;
}): ReactNode => (
  <Card title={t('When it calls')}>
    <div className="flex flex-col gap-4">
      <WindowField
        labels={['Not before', 'Not after']}
        start={draft.start}
        end={draft.end}
        zone={draft.zone}
        isByCallee={draft.isByCallee}
        errors={{
          start: errorOf('call_config.call_time.call_start_time'),
          end: errorOf('call_config.call_time.call_end_time'),
        }}
        onChange={(change) => set(change)}
      />
      <CheckField
        label={t('In the time zone of the called person')}
        checked={draft.isByCallee}
        onChange={(event) => set({ isByCallee: event.target.checked })}
      />
      <TextField
        label={draft.isByCallee ? t('Time zone of numbers without a country') : t('Time zone')}
        required
        value={draft.zone}
        error={zoneProblem(draft.zone) ?? errorOf('call_config.call_time.timezone')}
        onChange={(event) => set({ zone: event.target.value })}
      />
    </div>
  </Card>
);
