import type { Template } from '../../store/json/template.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import {
  listWhatsappNumbers,
  numberOfWorkspace,
  type WhatsappNumberRow,
} from '../../store/chats/whatsapp-numbers.ts';
import type { Db } from '../../store/database.ts';
import type { TemplateSource } from '../chats/template-source.ts';
import { variableNames } from './template.ts';

export interface TemplateDeps {
  readonly db: Db;
  readonly seal: Seal;
  readonly templates: TemplateSource;
}

/** The templates of a number's account. Throws 404; 409 if the account is unknown or refuses; 503 without an answer. */
export async function templatesOfNumber(
  deps: TemplateDeps,
  workspaceId: string,
  numberId: string,
  isFresh: boolean,
): Promise<readonly Template[]> {
  const number = isUuid(numberId) ? await numberOfWorkspace(deps.db, workspaceId, { id: numberId }) : null;
  if (number === null) throw errors.whatsappNumberNotFound();
  return listOf(deps, number, isFresh);
}

async function listOf(
  { seal, templates }: TemplateDeps,
  number: WhatsappNumberRow,
  isFresh: boolean,
): Promise<readonly Template[]> {
  if (number.businessAccountId === null) throw errors.whatsappAccountUnknown(number.number);
  const token = seal.open(number.accessToken);
  const list = token === null ? null : await templates.list(number.businessAccountId, token, isFresh);
  if (list === null) throw errors.whatsappTokenUnreadable(number.number);
  if (list.ok) return list.templates;
  throw list.code === null ? errors.whatsappUnavailable() : errors.whatsappRefuses(list.code);
}

export interface TemplateName {
  readonly name: string;
  readonly language: string;
}

/** The template that a campaign of the agent sends, from any number of the agent. Throws 400, 409, 422, 503. */
export async function templateOfAgent(
  deps: TemplateDeps,
  workspaceId: string,
  agentId: string,
  wanted: TemplateName,
): Promise<Template> {
  const numbers = (await listWhatsappNumbers(deps.db, workspaceId)).filter(
    (number) => number.agentId === agentId,
  );
  const [first] = numbers;
  if (first === undefined) throw errors.agentWithoutWhatsapp();
  const accounts = new Map(
    numbers.flatMap((number) =>
      number.businessAccountId === null ? [] : [[number.businessAccountId, number] as const],
    ),
  );
  if (accounts.size === 0) throw errors.whatsappAccountUnknown(first.number);
  for (const number of accounts.values()) {
    const found = (await listOf(deps, number, true)).find((template) => isSame(template, wanted));
    if (found !== undefined) return usable(found);
  }
  throw errors.invalid('template', `names ${shown(wanted)}, which no number of the agent has`);
}

/**
 * Checks that every number still sends the template as it was at the upload. Throws 400 naming the number's position.
 */
export async function checkSenders(
  deps: TemplateDeps,
  workspaceId: string,
  agentId: string,
  numberIds: readonly string[],
  template: Template,
): Promise<void> {
  const known = new Map((await listWhatsappNumbers(deps.db, workspaceId)).map((row) => [row.id, row]));
  const checked = new Set<string>();
  for (const [index, id] of numberIds.entries()) {
    const number = known.get(id.toLowerCase());
    if (number === undefined || number.agentId !== agentId)
      throw errors.numberNotOfAgent(`from_numbers[${index}]`);
    if (number.businessAccountId !== null && checked.has(number.businessAccountId)) continue;
    const found = (await listOf(deps, number, true)).find((listed) => isSame(listed, template));
    if (found === undefined || found.unusable !== null)
      throw errors.templateNotSendable(shown(template), found?.unusable ?? 'the account does not have it');
    if (variableNames(found).join() !== variableNames(template).join())
      throw errors.templateNotSendable(shown(template), 'its variables have changed; upload the list again');
    if (number.businessAccountId !== null) checked.add(number.businessAccountId);
  }
}

const isSame = (template: TemplateName, wanted: TemplateName): boolean =>
  template.name === wanted.name && template.language === wanted.language;
const shown = ({ name, language }: TemplateName): string => `${name} (${language})`;

function usable(template: Template): Template {
  if (template.unusable !== null) throw errors.invalid('template', `cannot be sent: ${template.unusable}`);
  return template;
}
