export { createClient, type Client, type ClientOptions, type RequestOptions } from './client.ts';
export { CallwrightError, type FieldProblem } from './error.ts';
export { OPERATIONS, type Operations } from './operations.ts';
export { verifyWebhook, WebhookError, type WebhookEvent } from './webhook.ts';
