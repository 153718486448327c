export { createClient, type Client, type OperationName } from './client.ts';
export { CallwrightError, type FieldProblem } from './error.ts';
export type { EventOf, EventType, WebhookEvent, WebhookEvents } from './events.ts';
export { OPERATIONS } from './operations.ts';
export type * from './operations.ts';
export type { ClientOptions, RequestOptions, ResponseInfo, RetryInfo } from './options.ts';
export { each, type ItemOf, type ListName } from './pages.ts';
export { downloadRecording } from './recording.ts';
export { signWebhook, verifyWebhook, WebhookError } from './webhook.ts';
