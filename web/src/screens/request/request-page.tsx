import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { CopyButton } from '../../ui/controls.tsx';
import { formatCount, formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { RequestStatus } from '../../parts/request-status.tsx';
import { curlOfRequest, isWhole } from './request-curl.ts';
import { t, within } from '../../words/words.ts';

type Logged = Answer<'getApiRequest'>['request'];

/** One request of the log: what was sent, what it got, and why it was refused. */
export function RequestPage(): ReactNode {
  const { entryId } = useParams({ from: '/app/settings/requests/$entryId' });
  const read = useRead('getApiRequest', { entry_id: entryId });
  if (read.data === undefined) {
    return (
      <Page title={t('API request')}>
        <Loaded read={read} shape="cards">
          {() => null}
        </Loaded>
      </Page>
    );
  }
  const { request } = read.data;
  const [path = ''] = request.path.split('?');
  return (
    <Page
      title={`${request.method} ${path}`}
      intro={<RequestStatus status={request.status} />}
      actions={<CopyButton text={curlOfRequest(location.origin, request)} label={t('Copy as curl')} />}
    >
      <Refusal response={request.response} />
      {isWhole(request) ? null : (
        <p className="text-muted">
          {t('The log does not have the whole request, so the copied command lacks what is missing here.')}
        </p>
      )}
      <Card title={t('Request')}>
        <Facts
          rows={[
            ['At', <Time key="at" iso={request.at} />],
            [
              'Sent to',
              <code key="path" className="font-mono text-sm">
                {request.method} {request.path}
              </code>,
            ],
            ['Duration', `${formatNumber(request.duration_ms)} ms`],
            [
              'Request id',
              <span key="id" className="flex flex-wrap items-center gap-2">
                <code className="font-mono text-sm">{request.request_id}</code>
                <CopyButton text={request.request_id} name={t('Copy the request id')} />
              </span>,
            ],
            [
              'Key',
              <code key="key" className="font-mono text-sm">
                {request.key}
              </code>,
            ],
            ['Type of the body', request.content_type ?? '–'],
            [
              'Length of the body',
              request.body_bytes === null ? '–' : formatCount(request.body_bytes, 'byte'),
            ],
          ]}
        />
      </Card>
      <Json title={t('Body')} value={request.body} none={reasonWithoutBody(request)} />
      {request.status >= 400 ? (
        <Json title={t('Response')} value={request.response} none="It had no body." />
      ) : null}
    </Page>
  );
}

function reasonWithoutBody({ status, body_bytes: bytes, content_type: type }: Logged): string {
  if ((bytes ?? 0) === 0) return t('The request had no body.');
  if (status >= 400)
    return t('The request was refused before its body was read, or the body is not valid JSON.');
  return t('The log keeps no body of this request{type}.', { type: type === null ? '' : ` (${type})` });
}

/** The message of a refusal and the fields that it names. */
function Refusal({ response }: { response: unknown }): ReactNode {
  if (typeof response !== 'object' || response === null) return null;
  const { message, errors } = response as {
    message?: unknown;
    errors?: readonly { field: string; message: string }[];
  };
  if (typeof message !== 'string') return null;
  return (
    <div className="rounded-md border border-bad bg-surface px-4 py-3">
      <h2 className="font-medium text-bad">{message}</h2>
      {Array.isArray(errors) && errors.length > 1 ? (
        <ul className="mt-2 list-disc pl-5">
          {(errors as readonly { field: string; message: string }[]).map((error) => (
            <li key={`${error.field} ${error.message}`}>
              <code className="font-mono text-sm">{error.field}</code> {error.message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function Json({ title, value, none }: { title: string; value: unknown; none: string }): ReactNode {
  const text = JSON.stringify(value, null, 2);
  return (
    <Card title={title}>
      {value === null ? (
        <p className="text-muted">{none}</p>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <CopyButton text={text} label={t('Copy the {title}', { title: within(title) })} />
          <pre
            className="max-h-144 w-full overflow-auto rounded-md bg-raised p-4 font-mono text-xs"
            tabIndex={0}
            aria-label={title}
          >
            {text}
          </pre>
        </div>
      )}
    </Card>
  );
}
