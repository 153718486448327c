import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { sessionQuery } from '../../session/session.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Badge } from '../../ui/page.tsx';
import type { VersionProps } from './agent-page.tsx';
import { EditCard } from './edit-card.tsx';
import { useDraft } from './use-draft.ts';

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
  const { draft, replace, reset, saved, isChanged } = useDraft<readonly string[]>(stored);
  const [typed, setTyped] = useState('');
  const origin = originOf(typed);
  // A list that was saved under another public address lacks the present one, which the service then asks for.
  const sent = draft.includes(own) ? [...draft] : [own, ...draft];
  return (
    <EditCard
      title="Allowed web addresses"
      intro="Pages of these addresses may begin calls with the public key."
      target={target}
      edit={{ operation: 'edit_agent_whitelisted_domains', whitelisted_domains: sent }}
      isChanged={isChanged}
      onReset={reset}
      onSaved={saved}
    >
      {(errorOf) => (
        <>
          <ul className="flex flex-col gap-2" aria-label="Allowed web addresses">
            {sent.map((address) => (
              <li key={address} className="flex min-h-9 flex-wrap items-center justify-between gap-2">
                <span className="flex flex-wrap items-center gap-2 wrap-anywhere">
                  <code className="font-mono text-sm">{address}</code>
                  {address === own ? <Badge>This service, always allowed</Badge> : null}
                </span>
                {mayEdit && address !== own ? (
                  <Button
                    aria-label={`Remove ${address}`}
                    onClick={() => replace(draft.filter((each) => each !== address))}
                  >
                    Remove
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
          {mayEdit ? (
            <div className="flex flex-wrap items-start gap-2">
              <div className="min-w-56 grow">
                <TextField
                  label="Another web address"
                  type="url"
                  value={typed}
                  hint="Such as https://www.example.com, without a path."
                  error={
                    typed !== '' && origin === null
                      ? 'Is not a web address without a path.'
                      : errorOf('whitelisted_domains')
                  }
                  onChange={(event) => setTyped(event.target.value)}
                />
              </div>
              <div className="sm:pt-6">
                <Button
                  disabled={origin === null || sent.includes(origin)}
                  onClick={() => {
                    if (origin !== null) replace([...draft, origin]);
                    setTyped('');
                  }}
                >
                  Add address
                </Button>
              </div>
            </div>
          ) : null}
        </>
      )}
    </EditCard>
  );
}
