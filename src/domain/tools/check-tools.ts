import type { ApiTool, CallTransferTool, OnCallTool } from '../../store/json/tools.ts';
import { errors } from '../../errors.ts';
import type { AddressRules } from '../../shared/address-rules.ts';
import { GO_TO_STEP } from '../../shared/go-to-step.ts';
import { dialableNumber } from '../numbers/dialable-number.ts';
import { checkReceiverHeaders, checkReceiverUrl } from '../webhooks/receiver-rules.ts';
import { workspaceLimits } from '../workspaces/limits.ts';
import { checkTransferTarget, type TransferRules } from '../workspaces/transfer-rules.ts';
import { argumentsOf } from './tool-arguments.ts';
import { toolName } from './tool-types.ts';

/** The rules for URLs that a workspace enters. */
interface UrlRules {
  readonly guard: AddressRules;
  readonly workspaceId: string;
}

/** Names of the built-in tools. */
const RESERVED = new Set([
  'end_call',
  'opt_out',
  'schedule_callback',
  'lookup_knowledge',
  'pause_recording',
  'resume_recording',
  GO_TO_STEP,
]);
const BUILT_IN_TYPES = new Set(['END_CALL_TOOL', 'OPT_OUT_TOOL', 'SCHEDULE_CALLBACK_TOOL', 'RECORDING_TOOL']);
const SIP_ADDRESS = /^sips?:[A-Za-z0-9\-_.!~*'()+%]{1,64}@[A-Za-z0-9.\-[\]:]{1,253}$/;

/** Checks rules that span fields in a list of pre-call or post-call tools. Throws 422. */
export function checkApiTools(rules: UrlRules, path: string, tools: readonly ApiTool[]): void {
  checkNames(
    path,
    tools.map((tool) => tool.name),
  );
  for (const [index, tool] of tools.entries()) {
    const field = `${path}[${index}]`;
    checkApiTool(rules, field, tool);
    const argument = argumentsOf(tool)[0];
    if (argument !== undefined) {
      throw errors.invalid(
        `${field}.${argument.place}`,
        'must not be an argument: no model is involved here',
      );
    }
  }
}

/** Checks rules that span fields in a list of on-call tools. Throws 422. */
export function checkOnCallTools(
  rules: UrlRules,
  path: string,
  tools: readonly OnCallTool[],
  transfers: TransferRules,
): void {
  checkNames(path, tools.map(toolName));
  for (const [index, tool] of tools.entries()) {
    const field = `${path}[${index}]`;
    if (!BUILT_IN_TYPES.has(tool.type) && RESERVED.has(toolName(tool))) {
      throw errors.invalid(`${field}.name`, 'is the name of a built-in tool');
    }
    if (tool.type === 'API_TOOL') checkApiTool(rules, field, tool);
    if (tool.type === 'MCP_SERVER') {
      checkReceiverUrl({ ...rules, purpose: 'tools' }, `${field}.url`, tool.url);
      checkReceiverHeaders(`${field}.headers`, tool.headers ?? {});
    }
    if (tool.type === 'CALL_TRANSFER_TOOL') checkTransfer(`${field}.transfer_to`, tool, transfers);
  }
}

function checkNames(path: string, names: readonly string[]): void {
  const duplicate = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (duplicate !== -1)
    throw errors.invalid(`${path}[${duplicate}].name`, 'is also the name of another tool');
}

function checkApiTool(rules: UrlRules, field: string, tool: ApiTool): void {
  checkReceiverUrl({ ...rules, purpose: 'tools' }, `${field}.url`, tool.url);
  const { origin } = new URL(tool.url);
  // The authority decides which server gets the request, so it must not contain variables.
  const authority = tool.url.slice(0, tool.url.indexOf('/', tool.url.indexOf('//') + 2) >>> 0);
  if (/[{}]/.test(authority) || /[{}]|%7b|%7d/i.test(origin)) {
    throw errors.invalid(`${field}.url`, 'must name its host without variables or path parameters');
  }
  const named = new Set([...tool.url.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ''));
  const given = new Set(Object.keys(tool.pathParams ?? {}));
  for (const name of named) {
    if (!given.has(name)) throw errors.invalid(`${field}.path_params.${name}`, 'is required by the url');
  }
  for (const name of given) {
    if (!named.has(name)) throw errors.invalid(`${field}.path_params.${name}`, 'has no place in the url');
  }
  checkHeaders(`${field}.headers`, tool.headers ?? {});
  if (tool.body !== undefined && tool.method === 'GET') {
    throw errors.invalid(`${field}.body`, 'must be left out for GET');
  }
  if (tool.bodyFormat === 'form' && Object.keys(tool.body ?? {}).some((key) => key.includes('.'))) {
    throw errors.invalid(`${field}.body_format`, 'must be json for a body with objects inside');
  }
  const seen = new Set<string>();
  for (const { name, place } of argumentsOf(tool)) {
    if (seen.has(name))
      throw errors.invalid(`${field}.${place}`, `has the name of another argument: ${name}`);
    seen.add(name);
  }
}

/** Checks the fixed text of headers; variables are substituted at the time of the request. */
function checkHeaders(path: string, headers: Readonly<Record<string, string>>): void {
  const fixed = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll(/@?\{\{[^{}]*\}\}/g, 'x'),
  ]);
  checkReceiverHeaders(path, Object.fromEntries(fixed) as Record<string, string>);
}

/** Throws 422 for `field` if calls may not be transferred to the tool's target. */
export function checkTransfer(
  field: string,
  tool: Pick<CallTransferTool, 'mode' | 'transferTo'>,
  transfers: TransferRules,
): void {
  const mayBridge = tool.mode !== undefined && tool.mode !== 'cold';
  if (mayBridge && /^sips:/i.test(tool.transferTo)) {
    throw errors.invalid(
      field,
      `must begin with sip: for ${tool.mode === 'auto' ? 'an auto' : `a ${tool.mode}`} transfer, which does not support TLS`,
    );
  }
  if (!/^sips?:/i.test(tool.transferTo)) {
    dialableNumber(field, tool.transferTo, {
      allowPremium: workspaceLimits(transfers.settings).allowPremium,
    });
  } else if (!SIP_ADDRESS.test(tool.transferTo)) {
    throw errors.invalid(field, 'must be an address like sip:desk@pbx.example.com');
  }
  const verdict = checkTransferTarget(transfers, tool.transferTo);
  if (!verdict.ok) throw errors.invalid(field, verdict.rule);
}
