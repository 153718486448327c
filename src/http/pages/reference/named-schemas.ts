import { endpointsOf, type OpenApi, type Schema } from './document.ts';

/** Where the objects with names stand: the operation, and the path in its JSON answer (`[]`: items of a list). */
const PLACES: Readonly<Record<string, readonly [operationId: string, path: string]>> = {
  AgentSummary: ['listAgents', 'data.agents[]'],
  Agent: ['getAgent', 'agents'],
  Voice: ['listVoices', 'voices[]'],
  TestCase: ['getTestCase', 'test_case'],
  TestRun: ['getTestRun', 'test_run'],
  PlacedCall: ['placeCall', 'data'],
  CallSummary: ['listCalls', 'calls[]'],
  Call: ['getCall', 'data'],
  ChatSummary: ['listChats', 'chats[]'],
  Chat: ['getChat', ''],
  CampaignSummary: ['listCampaigns', 'campaigns[]'],
  Campaign: ['getCampaign', 'campaign'],
  CampaignPreview: ['previewCampaign', ''],
  Contact: ['listCampaignContacts', 'contacts[]'],
  WorkspaceNumber: ['listNumbers', 'workspace_numbers[]'],
  ChildWorkspace: ['listSubWorkspaces', 'sub_workspaces[]'],
  KnowledgeSummary: ['listKnowledgeBases', '[]'],
  KnowledgeBase: ['getKnowledgeBase', ''],
  WebhookDelivery: ['listDeliveries', 'deliveries[]'],
  WebhookDeliveryDetails: ['getDelivery', 'delivery'],
};
/** The operation whose body is one of many shapes, told apart by the field `operation`. */
const EDIT = 'editAgent';

const at = (schema: Schema, path: string): Schema | undefined =>
  path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((key) => key !== '')
    .reduce<Schema | undefined>(
      (inner, key) => (key === '[]' ? inner?.items : inner?.properties?.[key]),
      schema,
    );
const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** `edit_prompt` → `EditPrompt`. */
const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Moves the objects that clients work with into `components`, so that generated clients have types with names, and
 * tells the shapes of an edit apart by a discriminator. Throws if an answer has no such object.
 */
export function withNamedSchemas(document: OpenApi): OpenApi {
  const endpoints = new Map(endpointsOf(document).map((endpoint) => [endpoint.operationId, endpoint]));
  const found = Object.entries(PLACES).map(([name, [operationId, path]]): [string, Schema] => {
    const answer = endpoints.get(operationId)?.responses['200']?.content?.['application/json']?.schema;
    const schema = answer === undefined ? undefined : at(answer, path);
    if (schema === undefined) throw new Error(`the answer of ${operationId} has no ${path}`);
    return [name, schema];
  });
  const shapes = (endpoints.get(EDIT)?.requestBody?.content['application/json']?.schema?.oneOf ?? []).map(
    (shape): [string, Schema] => [pascal(shape.title ?? ''), shape],
  );
  const nameOf = new Map([...found, ...shapes].map(([name, schema]) => [JSON.stringify(schema), name]));
  const replace = (value: unknown, isTop = false): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const name = isTop ? undefined : nameOf.get(JSON.stringify(value));
    if (name !== undefined) return named(name);
    if (Array.isArray(value)) return value.map((each) => replace(each));
    const replaced = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replace(each)]));
    return Array.isArray(replaced['oneOf'])
      ? { ...replaced, ...discriminatorOf(replaced['oneOf'], shapes) }
      : replaced;
  };
  const { paths, webhooks, components } = document;
  const schemas = Object.fromEntries(
    [...found, ...shapes].map(([name, schema]) => [name, replace(schema, true) as Schema]),
  );
  return {
    ...document,
    paths: replace(paths) as OpenApi['paths'],
    ...(webhooks === undefined ? {} : { webhooks: replace(webhooks) as NonNullable<OpenApi['webhooks']> }),
    components: { ...components, schemas: { ...components?.schemas, ...schemas } },
  };
}

function discriminatorOf(
  branches: readonly unknown[],
  shapes: readonly (readonly [string, Schema])[],
): object {
  const names = new Map(shapes.map(([name, { title = '' }]) => [named(name).$ref, title]));
  const mapping = branches.map((branch) => {
    const { $ref = '' } = branch as Schema;
    return [names.get($ref), $ref] as const;
  });
  if (mapping.length === 0 || mapping.some(([operation]) => operation === undefined)) return {};
  return { discriminator: { propertyName: 'operation', mapping: Object.fromEntries(mapping) } };
}

/** The document with the named objects in their places again: for generators that read whole answers. */
export function inlined(document: OpenApi): OpenApi {
  const schemas = document.components?.schemas ?? {};
  const shapes = new Set(
    Object.values(schemas).flatMap(({ title }) => (title === undefined ? [] : [pascal(title)])),
  );
  const isOurs = (name: string): boolean => name in PLACES || shapes.has(name);
  const expand = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(expand);
    const name = (value as Schema).$ref?.split('/').at(-1);
    if (name !== undefined && isOurs(name)) return expand(schemas[name]);
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (key === 'discriminator' ? [] : [[key, expand(each)]])),
    );
  };
  const rest = Object.fromEntries(Object.entries(schemas).filter(([name]) => !isOurs(name)));
  return { ...(expand(document) as OpenApi), components: { ...document.components, schemas: rest } };
}
