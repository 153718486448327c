import { newId } from '../../../src/shared/ids.ts';
import { fieldName, idFields, sampleOf, withValue, type Field, type Shape } from './api-surface.ts';
import type { Answer, TestApi } from './api.ts';
import type { Holdings, Kind } from './owned-objects.ts';

/** Object kind of each ID field: by its path, by endpoint and name, or by name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  agent_id: 'agent',
  version_id: 'version',
  other_version_id: 'otherVersion',
  'versions.version_id': 'version',
  call_id: 'call',
  'getCall id': 'call',
  'replayCall id': 'call',
  'getChat id': 'chat',
  chat_id: 'chat',
  chat_ids: 'chat',
  session_id: 'testRun',
  case_id: 'testCase',
  case_ids: 'testCase',
  run_id: 'caseRun',
  rehearsal_id: 'rehearsal',
  against_version_id: 'otherVersion',
  whatsapp_number_id: 'whatsappNumber',
  'addWhatsappNumber agent_id': 'chatAgent',
  call_ids: 'call',
  parent_call_id: 'call',
  campaign_id: 'campaign',
  list_id: 'campaign',
  bulk_list_id: 'campaign',
  from_number_id: 'number',
  from_number_ids: 'number',
  from_numbers: 'number',
  number_id: 'number',
  from_number: 'numberText',
  number_pool_id: 'pool',
  kb_id: 'knowledge',
  source_id: 'fileSource',
  files_to_remove: 'fileSource',
  urls_to_remove: 'urlSource',
  faqs_to_remove: 'faqSource',
  workspace_id: 'child',
  'allocations.{}': 'child',
  erasure_id: 'erasure',
  delivery_id: 'delivery',
  receiver_id: 'receiver',
  request_id: 'request',
  entry_id: 'logEntry',
  object_id: 'agent',
  'getRecording file': 'recording',
  'getCampaignRejects file': 'rejects',
};

/** Fields that are alternatives to others. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  from_number: ['from_number_id'],
  number_pool_id: ['from_number_id', 'from_numbers'],
};

/** Fields that a valid request needs in addition to the schema's required ones. */
export const BESIDE: Readonly<Record<string, (own: Holdings, field: string) => Record<string, unknown>>> = {
  placeCall: (own) => ({ from_number_id: own.number }),
  placeCallV2: (own) => ({ from_number_id: own.number }),
  controlCall: () => ({ operation: 'say', text: 'One moment.' }),
  exportPerson: () => ({ mobile_numbers: ['+14155550123'] }),
  startCampaignV2: (own) => ({ from_numbers: [own.number] }),
  makeCampaignCalls: (own) => ({ from_numbers: [own.number] }),
  updateAgent: () => ({ intro_message: 'Hello.' }),
  // One of agent, campaign and receiver.
  sendTestEvent: (own, field) =>
    field === 'campaign_id' ? { event_type: 'campaign_completed' } : { agent_id: own.agent },
  changeKnowledgeBase: () => ({ kb_name: `Named ${newId()}` }),
  'editAgent:set_ab_test': (own) => ({
    versions: [
      { version_id: own.version, call_traffic: 50 },
      { version_id: own.otherVersion, call_traffic: 50 },
    ],
  }),
  importAgent: () => ({ document: 'format: callwright-agent/1' }),
  // The only recogniser of every installation.
  'editAgent:edit_stt': () => ({ stt: { providers: ['offline'] } }),
  'editAgent:edit_s2s': () => ({ s2s: { provider: 'pipeline' } }),
  'editAgent:edit_client_analysis': () => ({ keys: { slot: { type: 'string' } } }),
  'editAgent:edit_custom_vars': () => ({ custom_variables: ['callee_name', 'mobile_number'] }),
};

export const nameOf = (field: Field): string =>
  field.path.findLast((part) => part !== '[]' && part !== '{}') ?? '';
export const kindOf = (shape: Shape, field: Field): Kind | undefined =>
  KINDS[`${shape.key} ${nameOf(field)}`] ??
  KINDS[fieldName(field).replaceAll('[]', '')] ??
  KINDS[nameOf(field)];

export interface WholeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body: Record<string, unknown> | null;
  /** Sent as a form with a contact list. */
  readonly isList: boolean;
  /** File field of a form with documents, which may also be sent as JSON. */
  readonly documents: 'files' | 'new_files' | null;
}

/**
 * A valid request of the shape: IDs of the workspace's objects, samples of the schema for all other fields.
 * `value` replaces the value of `field`.
 */
export function wholeRequest(
  shape: Shape,
  own: Holdings,
  field: Field | null = null,
  value: unknown = null,
): WholeRequest {
  const { endpoint } = shape;
  const ownOf = (other: Field): unknown => {
    const kind = kindOf(shape, other);
    return kind === undefined ? sampleOf(other.schema, nameOf(other)) : (own[kind] ?? newId());
  };
  let body: Record<string, unknown> | null = null;
  if (shape.body !== null) {
    body = sampleOf(shape.body) as Record<string, unknown>;
    for (const other of idFields(shape)) {
      const [first = ''] = other.path;
      if (other.place === 'body' && first in body)
        body = withValue(body, other.path, ownOf(other)) as typeof body;
    }
    body = { ...body, ...BESIDE[shape.key]?.(own, field === null ? '' : fieldName(field)) };
    if (field?.place === 'body') {
      for (const other of INSTEAD[field.path[0] ?? ''] ?? []) delete body[other];
      const { variant } = field;
      if (variant !== undefined && variant.path.length < field.path.length)
        body = withValue(body, variant.path, sampleOf(variant.schema)) as typeof body;
      body = withValue(body, field.path, value) as typeof body;
    }
  }
  const query = new URLSearchParams();
  let { path } = endpoint;
  for (const { name, in: place, required, schema } of endpoint.parameters ?? []) {
    const isField = field?.place === place && field.path[0] === name;
    const text = String(isField ? value : ownOf({ place: 'query', path: [name], schema, choices: [] }));
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text));
    else if (place === 'query' && (isField || required === true)) query.set(name, text);
  }
  return {
    method: endpoint.method as WholeRequest['method'],
    url: query.size === 0 ? path : `${path}?${query.toString()}`,
    body,
    isList: shape.isForm && endpoint.path.includes('/campaign/'),
    documents: shape.isForm ? documentsOf(shape) : null,
  };
}

function documentsOf({ body }: Shape): WholeRequest['documents'] {
  const names = Object.keys(body?.properties ?? {});
  if (names.includes('new_files')) return 'new_files';
  return names.includes('files') ? 'files' : null;
}

const EDGE = 'edge-of-a-part';
/** The header of `formBody`. */
export const FORM = { 'content-type': `multipart/form-data; boundary=${EDGE}` };

/** `asForm` sends documents as a form instead of JSON. */
export function send(
  api: TestApi,
  key: string | null,
  request: WholeRequest,
  asForm = false,
): Promise<Answer> {
  const { method, url, body, isList, documents } = request;
  if (body === null) return api.request(method, url, { key });
  if (!isList && (!asForm || documents === null)) return api.request(method, url, { key, body });
  const texts = Object.entries(body).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return name === 'file' || name === documents ? [] : [[name, text] as const];
  });
  const file = isList ? 'Mobile Number\n+14155550123\n' : 'Teeth are cleaned on Mondays.';
  const raw = formBody(Object.fromEntries(texts), [documents ?? 'file', isList ? 'a.csv' : 'a.txt', file]);
  return api.request(method, url, { key, raw, headers: FORM });
}

/** A hand-written form with one file of arbitrary content. */
export function formBody(
  fields: Readonly<Record<string, string>>,
  [field, name, content]: readonly [field: string, name: string, content: string],
): Buffer {
  const part = (disposition: string, value: string): string =>
    `--${EDGE}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
  const texts = Object.entries(fields).map(([key, value]) => part(`name="${key}"`, value));
  return Buffer.from(
    [...texts, part(`name="${field}"; filename="${name}"`, content), `--${EDGE}--\r\n`].join(''),
  );
}
