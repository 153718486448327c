import { ApiError, make } from './api-error.ts';

/** Errors of WhatsApp numbers, templates and messages. */
export const whatsappErrors = {
  numberNotOfAgent: (field: string): ApiError =>
    new ApiError(400, 'NUMBER_NOT_OF_AGENT', `${field} is not a WhatsApp number of this agent`, [
      { field, message: 'is not a WhatsApp number of this agent' },
    ]),
  agentWithoutWhatsapp: make(400, 'AGENT_WITHOUT_WHATSAPP', 'No WhatsApp number is attached to the agent'),
  templateNotSendable: (template: string, why: string): ApiError =>
    new ApiError(400, 'TEMPLATE_NOT_SENDABLE', `The template ${template} cannot be sent: ${why}`),
  whatsappWindowClosed: make(
    400,
    'WHATSAPP_WINDOW_CLOSED',
    'The last message of the customer is older than 24 hours; only a template may be sent',
  ),
  whatsappNumberNotFound: make(404, 'WHATSAPP_NUMBER_NOT_FOUND', 'WhatsApp number not found'),
  whatsappNumberKnown: make(
    409,
    'WHATSAPP_NUMBER_KNOWN',
    'The workspace has a number with this phone_number_id; remove it first',
  ),
  whatsappAccountUnknown: (number: string): ApiError =>
    new ApiError(
      409,
      'WHATSAPP_ACCOUNT_UNKNOWN',
      `The WhatsApp Business account of ${number} is not known yet; set business_account_id of the number`,
    ),
  whatsappTokenUnreadable: (number: string): ApiError =>
    new ApiError(
      409,
      'WHATSAPP_TOKEN_UNREADABLE',
      `The access token of ${number} was encrypted with another key of this installation; enter it again`,
    ),
  whatsappRefuses: (code: number): ApiError =>
    new ApiError(
      409,
      'WHATSAPP_REFUSES',
      `WhatsApp does not list the templates: it answers with the error ${code}`,
    ),
  whatsappUnavailable: make(
    503,
    'WHATSAPP_UNAVAILABLE',
    'WhatsApp did not answer. Please try again shortly.',
  ),
} as const;
