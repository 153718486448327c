import { admissionErrors } from './errors/admission.ts';
import { ApiError, make, type FieldProblem } from './errors/api-error.ts';
import { accountErrors } from './errors/accounts.ts';
import { carrierErrors } from './errors/carriers.ts';
import { draftErrors } from './errors/drafts.ts';
import { campaignErrors } from './errors/campaigns.ts';
import { numberErrors } from './errors/numbers.ts';
import { requestErrors } from './errors/requests.ts';
import { speechErrors } from './errors/speech.ts';
import { testCaseErrors } from './errors/test-cases.ts';
import { whatsappErrors } from './errors/whatsapp.ts';

export { ApiError, type FieldProblem };

const inMb = (bytes: number): number => Math.ceil(bytes / 1_048_576);

/** The request conflicts with objects that use the resource; the message names the first five. */
const inUse = (code: string, sentence: string, users: readonly string[]): ApiError =>
  new ApiError(409, code, `${sentence}: ${users.slice(0, 5).join(', ')}`);
/** `act` is the refused change, such as "the pool is deleted". */
const campaignsRun = (code: string, whose: string) => (campaigns: readonly string[], act: string) =>
  inUse(code, `A campaign ${whose} is running; terminate it before ${act}`, campaigns);

/** Problems in the message; further ones are counted. */
const NAMED_PROBLEMS = 5;

function validationFailed(problems: readonly FieldProblem[]): ApiError {
  const named = problems.slice(0, NAMED_PROBLEMS).map((p) => `${p.field} ${p.message}`);
  const more = problems.length - named.length;
  if (more > 0) named.push(`and ${more} more`);
  return new ApiError(422, 'VALIDATION_FAILED', named.join('; '), problems);
}

export const errors = {
  ...accountErrors,
  ...campaignErrors,
  ...carrierErrors,
  ...draftErrors,
  ...numberErrors,
  ...speechErrors,
  ...testCaseErrors,
  ...whatsappErrors,
  ...requestErrors,
  ...admissionErrors,
  // 400
  testNumber: make(
    400,
    'TEST_NUMBER',
    'Default numbers are for testing only. Please provide a real phone number.',
  ),
  numberNotInWorkspace: (field: string): ApiError =>
    new ApiError(400, 'NUMBER_NOT_IN_WORKSPACE', `${field} is not a number of this workspace`, [
      { field, message: 'is not a number of this workspace' },
    ]),
  otherPurpose: (field: string, why: string) => new ApiError(400, 'OTHER_PURPOSE', `${field}: ${why}`),
  numberWithoutTrunk: make(
    400,
    'NUMBER_WITHOUT_TRUNK',
    'The caller number is not connected to a carrier trunk',
  ),
  numberAttachedElsewhere: make(
    400,
    'NUMBER_ATTACHED_ELSEWHERE',
    'number_id is attached to another agent; remove it there first',
  ),
  numberNotAttached: make(400, 'NUMBER_NOT_ATTACHED', 'number_id is not attached to this agent'),
  agentNotOutbound: make(400, 'AGENT_NOT_OUTBOUND', 'An inbound agent cannot place outbound calls'),
  agentNotInbound: make(400, 'AGENT_NOT_INBOUND', 'An outbound agent does not take inbound calls'),
  eventNeverSent: (event: string, agent: 'voice' | 'WhatsApp' = 'voice'): ApiError =>
    new ApiError(400, 'EVENT_NEVER_SENT', `A ${agent} agent never sends the event ${event}`),
  channelIsFixed: make(
    400,
    'CHANNEL_IS_FIXED',
    'A voice agent cannot become a WhatsApp agent, nor the other way; create another agent',
  ),
  customerOptedOut: make(
    400,
    'CUSTOMER_OPTED_OUT',
    'This person is on the do-not-call list and gets no messages',
  ),
  chatClosed: make(400, 'CHAT_CLOSED', 'The chat has ended'),
  toolNotTestable: (name: string): ApiError =>
    new ApiError(400, 'TOOL_NOT_TESTABLE', `${name} sends no request; API tools and tools of MCP servers do`),
  /** `parts`: what changed; empty: the tag is none of this agent. */
  agentChanged: (parts: readonly string[]): ApiError =>
    new ApiError(
      412,
      'AGENT_CHANGED',
      parts.length === 0
        ? 'If-Match is not an ETag of this agent; read it again with GET /agent/{agent_id}'
        : `The agent was changed since you read it: ${parts.join('; ')}. Read it again with GET /agent/{agent_id}`,
    ),
  limitTooHigh: (maximum: number): ApiError =>
    new ApiError(400, 'LIMIT_TOO_HIGH', `limit must be at most ${maximum}`, [
      { field: 'limit', message: `must be at most ${maximum}` },
    ]),
  agentHasNumbers: make(
    400,
    'AGENT_HAS_NUMBERS',
    'An inbound number is attached to the agent; remove it before the agent stops taking calls',
  ),
  notChatAgent: make(
    400,
    'NOT_A_CHAT_AGENT',
    'chat_settings belong to WhatsApp agents; this is a voice agent',
  ),
  tooManyVersions: (maximum: number): ApiError =>
    new ApiError(400, 'TOO_MANY_VERSIONS', `An agent has at most ${maximum} versions`),
  nothingToStop: make(400, 'NOTHING_TO_STOP', 'No queued or retry call is left to stop'),
  numberInOtherPool: (field: string): ApiError =>
    new ApiError(400, 'NUMBER_IN_OTHER_POOL', `${field} belongs to another number pool`, [
      { field, message: 'belongs to another number pool' },
    ]),
  numberNotInPool: (field: string): ApiError =>
    new ApiError(400, 'NUMBER_NOT_IN_POOL', `${field} is not a member of this number pool`, [
      { field, message: 'is not a member of this number pool' },
    ]),
  poolWithoutNumber: (hasNumbers: boolean): ApiError =>
    new ApiError(
      400,
      'POOL_WITHOUT_NUMBER',
      hasNumbers
        ? 'The number pool has no usable number: every number is marked as spam, is a test number or has no carrier trunk'
        : 'The number pool is empty: add numbers with POST /number-pool/{number_pool_id}/members',
    ),
  concurrencyExceedsParent: (free: number): ApiError =>
    new ApiError(
      400,
      'CONCURRENCY_EXCEEDS_PARENT',
      `concurrency must be at most ${free}, the concurrency that the other children leave free`,
    ),
  creditsExceedParent: make(
    400,
    'CREDITS_EXCEED_PARENT',
    'The allocations exceed the balance of the workspace without its locked credits',
  ),
  creditsLockedInChild: (field: string): ApiError =>
    new ApiError(
      400,
      'CREDITS_LOCKED',
      `${field} is less than the credits that live calls of this child have locked`,
      [{ field, message: 'is less than the credits that live calls of this child have locked' }],
    ),
  billingOff: make(
    400,
    'BILLING_OFF',
    'Billing is off in this workspace, so there are no credits to allocate',
  ),
  knowledgeBaseNotAttached: make(
    400,
    'KNOWLEDGE_BASE_NOT_ATTACHED',
    'kb_id is not attached to this agent version',
  ),
  callNotLive: make(400, 'CALL_NOT_LIVE', 'The call is not in progress'),

  eventNotSubscribed: (event: string): ApiError =>
    new ApiError(400, 'EVENT_NOT_SUBSCRIBED', `The agent has no subscription for the event ${event}`),

  // 401, 402, 403
  // One message for unknown addresses and wrong passwords, so that it reveals no account.
  signInFailed: make(401, 'SIGN_IN_FAILED', 'Email or password is wrong'),
  codeRequired: make(401, 'CODE_REQUIRED', 'Enter the 6-digit code of your authenticator app'),
  codeWrong: make(401, 'CODE_WRONG', 'The code is wrong or was used before'),
  signedOut: make(401, 'SIGNED_OUT', 'You are signed out; sign in again'),
  insufficientBalance: make(
    402,
    'INSUFFICIENT_BALANCE',
    'Your current balance is insufficient to initiate this call!',
  ),
  dailySpendReached: (credits: number): ApiError =>
    new ApiError(
      402,
      'DAILY_SPEND_REACHED',
      `The workspace has spent the ${credits} credits that it may spend a day; try again tomorrow (UTC)`,
    ),
  keysInDashboardOnly: make(
    403,
    'KEYS_IN_DASHBOARD_ONLY',
    'API keys cannot be created or rotated through the API; the workspace owner manages them in the dashboard',
  ),
  signedInOwnersOnly: (field: string): ApiError =>
    new ApiError(
      403,
      'SIGNED_IN_OWNERS_ONLY',
      `${field} is changed by an owner who is signed in to the dashboard, not by an API key`,
    ),
  operatorsOnly: make(403, 'OPERATORS_ONLY', 'This is for operators of the installation'),
  /** `isNamed`: the key has scopes of its own. */
  scopeMissing: (scope: string, isNamed: boolean): ApiError =>
    new ApiError(
      403,
      'SCOPE_MISSING',
      isNamed
        ? `This key lacks the scope ${scope}`
        : `The workspace key cannot do this: it needs an owner who is signed in, or a named key with the scope ${scope}`,
    ),
  keyAddress: (address: string): ApiError =>
    new ApiError(403, 'KEY_ADDRESS', `This key does not work from the address ${address}`),
  webhookRefused: make(403, 'WEBHOOK_REFUSED', 'The token or the signature is wrong'),
  passwordWrong: make(403, 'PASSWORD_WRONG', 'The password is wrong'),
  notMember: make(403, 'NOT_A_MEMBER', 'You are not a member of this workspace'),
  roleTooLow: (role: string): ApiError =>
    new ApiError(403, 'ROLE_TOO_LOW', `This needs the role ${role} in the workspace`),
  sessionRequired: make(
    403,
    'SESSION_REQUIRED',
    'The agent takes only sessions that your server opens: POST /calling/webcall/session or POST /chat/web/session',
  ),
  originNotAllowed: (origin: string | null): ApiError =>
    new ApiError(
      403,
      'ORIGIN_NOT_ALLOWED',
      origin === null
        ? 'The request names no Origin: browser calls begin on a web page'
        : `The agent takes no calls from ${origin}; add it to whitelisted_domains`,
    ),
  crossSite: make(403, 'CROSS_SITE', 'The request does not come from a page of this service'),
  linkInvalid: make(403, 'LINK_INVALID', 'The link is invalid, was used or has expired'),
  linkOfAnother: make(403, 'LINK_OF_ANOTHER', 'The invitation is for another email address'),
  childHasNoChildren: make(
    403,
    'CHILD_WORKSPACE',
    'A child workspace cannot have child workspaces; use the key of its parent',
  ),
  requiredVariables: (names: readonly string[]): ApiError =>
    new ApiError(
      403,
      'REQUIRED_VARIABLES',
      `These variables cannot be removed from an outbound agent: ${names.join(', ')}`,
    ),

  // 404
  sessionNotFound: make(404, 'SESSION_NOT_FOUND', 'Session not found'),
  memberNotFound: make(404, 'MEMBER_NOT_FOUND', 'Member not found'),
  keyNotFound: make(404, 'KEY_NOT_FOUND', 'Key not found'),
  invitationNotFound: make(404, 'INVITATION_NOT_FOUND', 'Invitation not found'),
  agentNotFound: make(404, 'AGENT_NOT_FOUND', 'Agent not found'),
  versionNotFound: make(404, 'VERSION_NOT_FOUND', 'Agent version not found'),
  callNotFound: make(404, 'CALL_NOT_FOUND', 'Call not found'),
  eventLogNotFound: make(
    404,
    'EVENT_LOG_NOT_FOUND',
    'The call has no event log: it had no conversation, its process died, or the log was deleted',
  ),
  noLiveCall: make(404, 'NO_LIVE_CALL', 'No such call is live'),
  chatNotFound: make(404, 'CHAT_NOT_FOUND', 'Chat not found'),
  toolNotFound: make(404, 'TOOL_NOT_FOUND', 'Tool not found'),
  poolNotFound: make(404, 'POOL_NOT_FOUND', 'Number pool not found'),
  workspaceNotFound: make(404, 'WORKSPACE_NOT_FOUND', 'Workspace not found'),
  knowledgeBaseNotFound: make(404, 'KNOWLEDGE_BASE_NOT_FOUND', 'Knowledge base not found'),
  knowledgeSourceNotFound: make(404, 'KNOWLEDGE_SOURCE_NOT_FOUND', 'Source of the knowledge base not found'),
  voiceNotFound: make(404, 'VOICE_NOT_FOUND', 'Voice not found'),
  deliveryNotFound: make(404, 'DELIVERY_NOT_FOUND', 'Webhook delivery not found'),
  receiverNotFound: make(
    404,
    'RECEIVER_NOT_FOUND',
    'No receiver with this id fails: it accepts events, or it is unknown',
  ),
  requestNotFound: make(404, 'REQUEST_NOT_FOUND', 'Request not found'),
  rejectsNotFound: make(404, 'REJECTS_NOT_FOUND', 'File of invalid rows not found'),
  erasureNotFound: make(404, 'ERASURE_NOT_FOUND', 'Erasure not found'),
  recordingNotFound: make(404, 'RECORDING_NOT_FOUND', 'Recording not found'),

  // 405, 408, 409, 410, 413, 415, 416, 431
  trunkInUse: (numbers: number): ApiError =>
    new ApiError(
      409,
      'TRUNK_IN_USE',
      numbers === 1
        ? 'The trunk has 1 number: put it on another trunk first'
        : `The trunk has ${numbers} numbers: put them on another trunk first`,
    ),
  linkEnded: make(410, 'LINK_ENDED', 'The link has ended, fetch a new one'),
  receiverForgotten: make(
    409,
    'RECEIVER_FORGOTTEN',
    'The erasure of the call deleted the URL and headers of its own receiver, so the delivery cannot be resent',
  ),
  receiverNotDisabled: make(409, 'RECEIVER_NOT_DISABLED', 'The receiver is not disabled'),
  deliveryPending: make(409, 'DELIVERY_PENDING', 'The delivery is still pending'),
  chatOpen: make(409, 'CHAT_OPEN', 'A chat with this person is open'),
  chatWithPerson: (person: string | null): ApiError =>
    new ApiError(409, 'CHAT_WITH_PERSON', `${person ?? 'Another person'} has the chat`),
  chatNotTaken: make(409, 'CHAT_NOT_TAKEN', 'The agent answers this chat; take it over first'),
  chatBusy: make(409, 'CHAT_BUSY', 'The chat is answering another message'),
  callNotEnded: make(409, 'CALL_NOT_ENDED', 'The call has not ended; terminate it or hang it up first'),
  requestInProgress: make(
    409,
    'REQUEST_IN_PROGRESS',
    'A request with this Idempotency-Key is still being processed',
  ),
  exportRunning: make(409, 'EXPORT_RUNNING', 'The same call history export is already running'),
  zoneChanging: make(409, 'TIMEZONE_CHANGING', 'The days are being moved to another time zone'),
  agentNotArchived: make(409, 'AGENT_NOT_ARCHIVED', 'The agent is not archived'),
  agentHasCampaigns: campaignsRun('AGENT_HAS_CAMPAIGNS', 'of the agent'),
  poolHasCampaigns: campaignsRun('POOL_HAS_CAMPAIGNS', 'that calls from the pool'),
  knowledgeBaseAttached: (agents: readonly string[]): ApiError =>
    inUse(
      'KNOWLEDGE_BASE_ATTACHED',
      `Knowledge base is attached to ${agents.length === 1 ? 'an agent' : `${agents.length} agents`}; remove it there first`,
      agents,
    ),
  workspaceNameTaken: (name: string): ApiError =>
    new ApiError(409, 'WORKSPACE_NAME_TAKEN', `A child workspace is called ${name} already`, [
      { field: 'name', message: 'must differ from the names of the other child workspaces' },
    ]),
  workspaceArchived: (name: string): ApiError =>
    new ApiError(409, 'WORKSPACE_ARCHIVED', `The child workspace ${name} is archived; restore it first`),
  workspaceHasCalls: (count: number): ApiError =>
    new ApiError(
      409,
      'WORKSPACE_IN_USE',
      `The child workspace has calls in progress (${count}); wait for their end, or hang them up`,
    ),
  tooManyInvitations: (most: number): ApiError =>
    new ApiError(409, 'TOO_MANY_INVITATIONS', `A workspace has at most ${most} open invitations`),
  keyNameTaken: make(409, 'KEY_NAME_TAKEN', 'Another key of the workspace has this name'),
  tooManyKeys: (most: number): ApiError =>
    new ApiError(409, 'TOO_MANY_KEYS', `A workspace has at most ${most} named keys`),
  twoStepIsOn: make(409, 'TWO_STEP_IS_ON', 'Two-step sign-in is on already'),
  rangeNotSatisfiable: make(416, 'RANGE_NOT_SATISFIABLE', 'The requested range lies outside the file'),

  // 422
  /** One field is missing or failed validation; `message` starts with the field's full path. */
  invalid: (field: string, rule: string): ApiError => validationFailed([{ field, message: rule }]),
  validationFailed,
  /** `meant` is the number that the text probably means. */
  notE164: (field: string, meant: string | null): ApiError =>
    new ApiError(
      422,
      'VALIDATION_FAILED',
      `${field} must be a phone number in E.164 form with country code, such as +14155550100${meant === null ? '' : `; did you mean ${meant}?`}`,
      [{ field, message: 'must be a phone number in E.164 form with country code, such as +14155550100' }],
      meant === null ? {} : { suggestion: meant },
    ),
  /** Rows of a contact list are invalid; `report` lists them. */
  contactsInvalid: (message: string, report: Readonly<Record<string, unknown>>): ApiError =>
    new ApiError(422, 'CONTACTS_INVALID', message, [{ field: 'file', message }], report),
  bothCallerSources: (): ApiError => {
    const sentence = 'Provide either from_number_id or from_number, not both';
    return new ApiError(422, 'VALIDATION_FAILED', sentence, [
      { field: 'from_number_id', message: sentence },
      { field: 'from_number', message: sentence },
    ]);
  },
  doNotCall: (field: string): ApiError => {
    const message = 'is on the do-not-call list of the workspace: it is not called';
    return new ApiError(422, 'DO_NOT_CALL', `${field} ${message}`, [{ field, message }]);
  },
  oneCallerSource: (given: readonly string[]): ApiError => {
    const sentence = 'Provide exactly one of from_number_id, from_number and number_pool_id';
    const fields = given.length === 0 ? ['from_number_id', 'from_number', 'number_pool_id'] : given;
    return new ApiError(
      422,
      'VALIDATION_FAILED',
      sentence,
      fields.map((field) => ({ field, message: sentence })),
    );
  },
  oneNumberSource: (isBoth: boolean): ApiError => {
    const sentence = isBoth
      ? 'Provide either from_numbers or number_pool_id, not both'
      : 'Provide exactly one of from_numbers and number_pool_id';
    return new ApiError(422, 'VALIDATION_FAILED', sentence, [
      { field: 'from_numbers', message: sentence },
      { field: 'number_pool_id', message: sentence },
    ]);
  },
  idempotencyKeyReused: make(
    422,
    'IDEMPOTENCY_KEY_REUSED',
    'Idempotency-Key was used before with another path or request body',
  ),

  // 429, 5xx
  linesBusy: make(429, 'LINES_BUSY', 'Every line of the workspace is in use; try again later.'),
  listeningElsewhere: make(
    503,
    'LISTENING_UNAVAILABLE',
    'This process carries no calls: listening needs the roles api and media',
  ),
  webCallsElsewhere: make(
    503,
    'WEB_CALLS_UNAVAILABLE',
    'This process takes no browser calls: it needs the roles api and media',
  ),
  tooManyStreams: make(
    429,
    'TOO_MANY_STREAMS',
    'Too many live streams are open; close one before opening another.',
  ),
  callsPerMinuteReached: (calls: number, retryAfter: number): ApiError =>
    new ApiError(
      429,
      'CALLS_PER_MINUTE_REACHED',
      `The workspace may start ${calls} ${calls === 1 ? 'call' : 'calls'} a minute; try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`,
      [],
      {},
      retryAfter,
    ),
  uploadsFull: (maxBytes: number, heldBytes: number): ApiError =>
    new ApiError(
      429,
      'UPLOADS_FULL',
      `file: the contact lists of a workspace that are being uploaded or wait for their import may hold ${inMb(maxBytes)} MB; ${inMb(heldBytes)} MB are held by other lists. Try again when they are imported`,
    ),
  unexpected: make(500, 'UNEXPECTED', 'An unexpected error occurred. Please try again later.'),
  editFailed: make(500, 'EDIT_FAILED', 'Failed to edit agent'),
  voicesFailed: make(500, 'VOICES_FAILED', 'Failed to fetch agent voices'),
  recordingStoreUnavailable: make(
    503,
    'RECORDING_STORE_UNAVAILABLE',
    'The recording cannot be read right now. Please try again shortly.',
  ),
  secretUnreadable: make(
    500,
    'SECRET_UNREADABLE',
    'The signing secret was encrypted with another key of this installation; rotate it',
  ),
  chatFailed: make(503, 'CHAT_FAILED', 'The agent did not answer. Please try again shortly.'),
  storageFull: make(
    503,
    'STORAGE_FULL',
    'The disk of this installation is almost full: nothing more can be stored until its operator frees space.',
  ),
  databaseUnavailable: make(503, 'UNAVAILABLE', 'The service is not ready. Please try again shortly.'),
} as const;
