import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { useWorkspaceId } from '../../session/workspace.ts';
import { CheckField, CopyCurl } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** The numbers of a trunk's account at its carrier, of which the workspace gets the chosen ones. */
export function AccountNumbers({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const workspace = useWorkspaceId() ?? '';
  const read = useRead('listTrunkNumbers', { trunk_name: name });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const give = useChange(
    'importTrunkNumbers',
    ['listTrunkSettings', 'listTrunks', 'listNumbers', 'listTrunkNumbers'],
    (_, { message }) => `${message}.`,
  );
  const input = { trunk_name: name, workspace_id: workspace, numbers: [...chosen] };
  return (
    <Dialog title={t('Import numbers of {name}', { name })} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          give.mutate(input, { onSuccess: onClose });
        }}
      >
        <p>{t('The chosen numbers of the carrier’s account go to this workspace.')}</p>
        <Loaded read={read} shape="lines">
          {({ numbers }) =>
            numbers.length === 0 ? (
              <EmptyState title={t('The account has no number')}>
                {t('Buy one at the carrier first.')}
              </EmptyState>
            ) : (
              <ul className="flex max-h-80 flex-col gap-2 overflow-y-auto">
                {numbers.map(({ number, workspace_id: owner }) => (
                  <li key={number}>
                    <CheckField
                      label={
                        owner === null
                          ? number
                          : `${number} (${owner === workspace ? 'of this workspace' : 'of another workspace'})`
                      }
                      disabled={owner !== null}
                      checked={owner === workspace || chosen.includes(number)}
                      onChange={({ target }) =>
                        setChosen(
                          target.checked ? [...chosen, number] : chosen.filter((one) => one !== number),
                        )
                      }
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
        {give.isError ? <ErrorNote error={give.error} /> : null}
        <DialogActions
          action={t('Import numbers')}
          isBusy={give.isPending}
          disabled={chosen.length === 0}
          curl={<CopyCurl operation="importTrunkNumbers" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
