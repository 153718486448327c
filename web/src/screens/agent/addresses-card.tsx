import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../session/session.ts';
import { Badge } from '../../ui/page.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { ListField } from './list-field.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

/** The origin of a web address; null: it is none, or has a path. */
function originOf(text: string): string | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin ? url.origin : null;
}

/** The web addresses whose pages may begin calls. The service's own one always stays. */
export function AddressesCard(target: VersionProps): ReactNode {
  const { mayEdit } = target;
  const own = useQuery(sessionQuery).data?.public_url ?? location.origin;
  const stored = target.version.whitelisted_domains;
  const form = useDraft<readonly string[]>(stored, 'Allowed web addresses');
  const { draft, replace } = form;
  // A list that was saved under another public address lacks the present one, which the service then asks for.
  const sent = draft.includes(own) ? [...draft] : [own, ...draft];
  return (
    <EditCard
      title={t('Allowed web addresses')}
      intro={t('Pages of these addresses may begin calls with the public key.')}
      target={target}
      edit={{ operation: 'edit_agent_whitelisted_domains', whitelisted_domains: sent }}
      before={{ operation: 'edit_agent_whitelisted_domains', whitelisted_domains: [...stored] }}
      form={form}
    >
      {(errorOf) => (
        <ListField
          label={t('Allowed web addresses')}
          items={sent}
          noteOf={(address) => (address === own ? <Badge>{t('This service, always allowed')}</Badge> : null)}
          isFixed={(address) => address === own}
          readOnly={!mayEdit}
          onRemove={(address) => replace(draft.filter((each) => each !== address))}
          adding={{
            label: t('Another web address'),
            action: 'Add address',
            type: 'url',
            hint: t('Such as https://www.example.com, without a path.'),
            error: errorOf('whitelisted_domains'),
            read: originOf,
            problem: 'Is not a web address without a path.',
            onAdd: (address) => replace([...draft, address]),
          }}
        />
      )}
    </EditCard>
  );
}
